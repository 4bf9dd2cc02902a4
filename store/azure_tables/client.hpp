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
#include "store/client_reading.hpp"

namespace idxfsck::store {

struct AzureTablesSettings {
    AzureWishes place;
    std::string expect_tenant;  // whose tokens alone will do, in lower case; empty: anybody's
    double requests_a_second = 0.0;  // that all calls together may make; 0: no limit
    RetryLimits retries;
};

class AzureTablesClient {
public:
    using Settings = AzureTablesSettings;

    // `around` without a transport gets one over libcurl.
    AzureTablesClient(const AzureTablesSettings& settings, const AzureSurroundings& around);

    const Capabilities& capabilities() const { return capabilities_; }
    GuardReach guard() const { return capabilities_.guard; }
    Bytes identity() const { return "azure_tables/" + api_->access().url; }
    std::vector<TableSchema> tables();
    std::optional<TableSchema> table(BytesView name);
    // Throws Error if there is no such table.
    TableSchema get(BytesView name);
    // The service counts nothing.
    std::optional<std::uint64_t> rows_estimate(BytesView) const { return std::nullopt; }
    std::vector<Partition> split(BytesView table, std::size_t target);
    std::vector<Partition> split_rest(BytesView table, const Partition& partition,
                                      const Position& position);
    ScanEnd scan(BytesView table, const Partition& partition, const ScanOptions& options,
                 RowSink& sink);
    std::vector<std::optional<Row>> read(BytesView table, std::span<const Key> keys);
    bool divisible() const { return capabilities_.order != ScanOrder::none; }
    static Row as_stored(const Row& row) { return held_row(row).row.value_or(row); }
    void refresh();
    StoreInspection inspect();
    TableInspection inspect_table(BytesView table, const TableUse& use);
    // Where tables are looked for.
    std::string missing_hint() const;

    TablesApi& api() { return *api_; }
    Capacity& capacity() { return api_->capacity(); }

private:
    void check_tenant(const std::string& expected);
    bool exists(BytesView name);

    std::unique_ptr<Transport> transport_;
    std::unique_ptr<TablesApi> api_;
    Capabilities capabilities_;
    std::mutex mutex_;
    std::set<Bytes, std::less<>> known_;  // tables that are there
};

class AzureTablesReader : public ClientReading<Reader, AzureTablesClient> {
public:
    using ClientReading<Reader, AzureTablesClient>::ClientReading;
};

}  // namespace idxfsck::store
