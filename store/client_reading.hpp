// store/client_reading.hpp
//
// A reader, or a store, that reads as the client of a service does: what both are, without being
// written twice. Interface is Reader or Store.
//
// Shape    The client has a function for each of the contract's that it answers itself, under the
//          same name but not const, as clients keep what they learnt; `Settings`, of which it is
//          made; the capacity that its reads consume; and what it can say before a scan.
// Errors   As the client says.
// Threads  As the contract.

#pragma once

#include <memory>

#include "store/capacity.hpp"
#include "store/inspection.hpp"
#include "store/reader.hpp"

namespace idxfsck::store {

template <typename Interface, typename Client>
class ClientReading : public Interface, public Inspectable {
public:
    template <typename Surroundings>
    ClientReading(const typename Client::Settings& settings, const Surroundings& around)
        : client_{std::make_unique<Client>(settings, around)} {}

    const Capabilities& capabilities() const override { return client_->capabilities(); }
    GuardReach guard() const override { return client_->guard(); }
    Bytes identity() const override { return client_->identity(); }
    std::vector<TableSchema> tables() const override { return client_->tables(); }
    std::optional<TableSchema> table(BytesView name) const override {
        return client_->table(name);
    }
    std::optional<std::uint64_t> rows_estimate(BytesView table) const override {
        return client_->rows_estimate(table);
    }
    std::vector<Partition> split(BytesView table, std::size_t target) const override {
        return client_->split(table, target);
    }
    std::vector<Partition> split_rest(BytesView table, const Partition& partition,
                                      const Position& position) const override {
        return client_->split_rest(table, partition, position);
    }
    bool divisible(BytesView, const Partition&) const override { return client_->divisible(); }
    ScanEnd scan(BytesView table, const Partition& partition, const ScanOptions& options,
                 RowSink& sink) const override {
        return client_->scan(table, partition, options, sink);
    }
    std::vector<std::optional<Row>> read(BytesView table,
                                         std::span<const Key> keys) const override {
        return client_->read(table, keys);
    }
    Row as_stored(BytesView, const Row& row) const override { return Client::as_stored(row); }
    void refresh() override { client_->refresh(); }
    std::optional<ReadCost> cost(BytesView table) const override {
        return client_->capacity().cost(table);
    }
    void obey(std::shared_ptr<RunLimits> limits) override {
        client_->capacity().obey(std::move(limits));
    }

    StoreInspection inspect() const override { return client_->inspect(); }
    TableInspection inspect_table(BytesView table, const TableUse& use) const override {
        return client_->inspect_table(table, use);
    }
    std::string missing_hint() const override { return client_->missing_hint(); }

    // Of all that was read so far.
    double units() const { return client_->capacity().spent(); }

protected:
    Client& client() const { return *client_; }

private:
    std::unique_ptr<Client> client_;
};

}  // namespace idxfsck::store
