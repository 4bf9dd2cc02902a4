// store/azure_tables/client.hpp
//
// The tables of an account, read: what the reader and the store share.
//
// Shape    Metered, without snapshot; rows have versions (ETags). In a storage account rows come in
//          the order of UTF-16 code units; in the Table API of Cosmos DB in none. Guards reach the
//          written row.
// Errors   As the contract of store/reader.hpp. `store` is the address of the service.
// Threads  As the contract.

#pragma once

#include <memory>
#include <mutex>
#include <set>

#include "store/azure_tables/api.hpp"
#include "store/azure_tables/entity.hpp"
#include "store/reader.hpp"

namespace idxfsck::store {

struct AzureTablesSettings {
    AzureWishes place;
    double requests_a_second = 0.0;  // that all calls together may make; 0: no limit
    RetryLimits retries;
};

class AzureTablesClient {
public:
    // `around` without a transport gets one over libcurl.
    AzureTablesClient(const AzureTablesSettings& settings, const AzureSurroundings& around);

    const Capabilities& capabilities() const { return capabilities_; }
    Bytes identity() const { return "azure_tables/" + api_->access().url; }
    std::vector<TableSchema> tables();
    std::optional<TableSchema> table(BytesView name);
    // Throws Error if there is no such table.
    TableSchema get(BytesView name);
    std::vector<Partition> split(BytesView table, std::size_t target);
    std::vector<Partition> split_rest(BytesView table, const Partition& partition,
                                      const Position& position);
    ScanEnd scan(BytesView table, const Partition& partition, const ScanOptions& options,
                 RowSink& sink);
    std::vector<std::optional<Row>> read(BytesView table, std::span<const Key> keys);
    void refresh();

    TablesApi& api() { return *api_; }

private:
    bool exists(BytesView name);

    std::unique_ptr<Transport> transport_;
    std::unique_ptr<TablesApi> api_;
    Capabilities capabilities_;
    std::mutex mutex_;
    std::set<Bytes, std::less<>> known_;  // tables that are there
};

// A reader, or a store, that reads as the client does.
template <typename Interface>
class AzureTablesReading : public Interface {
public:
    AzureTablesReading(const AzureTablesSettings& settings, const AzureSurroundings& around)
        : client_{std::make_unique<AzureTablesClient>(settings, around)} {}

    const Capabilities& capabilities() const override { return client_->capabilities(); }
    Bytes identity() const override { return client_->identity(); }
    std::vector<TableSchema> tables() const override { return client_->tables(); }
    std::optional<TableSchema> table(BytesView name) const override {
        return client_->table(name);
    }
    std::vector<Partition> split(BytesView table, std::size_t target) const override {
        return client_->split(table, target);
    }
    std::vector<Partition> split_rest(BytesView table, const Partition& partition,
                                      const Position& position) const override {
        return client_->split_rest(table, partition, position);
    }
    bool divisible(BytesView, const Partition&) const override {
        return client_->capabilities().order != ScanOrder::none;
    }
    ScanEnd scan(BytesView table, const Partition& partition, const ScanOptions& options,
                 RowSink& sink) const override {
        return client_->scan(table, partition, options, sink);
    }
    std::vector<std::optional<Row>> read(BytesView table,
                                         std::span<const Key> keys) const override {
        return client_->read(table, keys);
    }
    Row as_stored(BytesView, const Row& row) const override {
        return held_row(row).row.value_or(row);
    }
    void refresh() override { client_->refresh(); }
    std::optional<ReadCost> cost(BytesView table) const override {
        return client_->api().capacity().cost(table);
    }
    void obey(std::shared_ptr<RunLimits> limits) override {
        client_->api().capacity().obey(std::move(limits));
    }

protected:
    AzureTablesClient& client() const { return *client_; }

private:
    std::unique_ptr<AzureTablesClient> client_;
};

class AzureTablesReader : public AzureTablesReading<Reader> {
public:
    using AzureTablesReading<Reader>::AzureTablesReading;
};

}  // namespace idxfsck::store
