// store/dynamodb/client.hpp
//
// A DynamoDB account in a region, read: what the reader and the store share.
//
// Shape    Metered, without snapshot, order or versions. Guards reach every row of the account and
//          region, in a transaction. Whether a server of another maker knows transactions is found
//          out when somebody who means to write asks for it: finding out is a write, if an empty
//          one, and whoever only reads sends none. If it knows none its guards reach the written
//          row alone.
// Errors   As the contract of store/reader.hpp. `store` is the address of the service.
// Threads  As the contract.

#pragma once

#include <memory>
#include <mutex>

#include "store/client_reading.hpp"
#include "store/dynamodb/api.hpp"
#include "store/dynamodb/scan_walk.hpp"
#include "store/dynamodb/tables.hpp"

namespace idxfsck::store {

struct DynamodbSettings {
    PlaceWishes place;
    std::string expect_account;  // whose credentials alone will do; empty: anybody's
    bool consistent = false;  // scans see every write acknowledged before them, at twice the price
    double units_a_second = 0.0;  // that all reads together may cost; 0: no limit
    std::optional<double> dollars_per_million;  // read units; nothing: no dollars are told
    std::optional<double> dollars_per_million_writes{};  // write units
    RetryLimits retries;
};

class DynamodbClient {
public:
    using Settings = DynamodbSettings;

    // `around` without a transport gets one over libcurl.
    DynamodbClient(const DynamodbSettings& settings, const AwsSurroundings& around);

    // Of a server of another maker: without transactions, until guard() was asked.
    const Capabilities& capabilities() const { return capabilities_; }
    // Before anything else is called: how far a guard reaches becomes one of the capabilities.
    void settle_guard() { capabilities_.guard = guard(); }
    GuardReach guard();
    Bytes identity();
    std::vector<TableSchema> tables();
    std::optional<TableSchema> table(BytesView name);
    std::optional<std::uint64_t> rows_estimate(BytesView table);
    std::vector<Partition> split(BytesView table, std::size_t target);
    std::vector<Partition> split_rest(BytesView table, const Partition& partition,
                                      const Position& position);
    ScanEnd scan(BytesView table, const Partition& partition, const ScanOptions& options,
                 RowSink& sink);
    std::vector<std::optional<Row>> read(BytesView table, std::span<const Key> keys);
    bool divisible() const { return true; }
    static Row as_stored(const Row& row) { return dynamodb_row(row).value_or(row); }
    void refresh() { tables_.forget(); }
    StoreInspection inspect();
    TableInspection inspect_table(BytesView table, const TableUse& use);
    std::string missing_hint() { return tables_.missing_hint(); }

    DynamodbApi& api() { return *api_; }
    DynamodbTables& known_tables() { return tables_; }
    Capacity& capacity() { return capacity_; }

private:
    void check_account(const std::string& expected);
    bool has_transactions();

    std::once_flag guard_once_;
    GuardReach guard_ = GuardReach::store;
    std::unique_ptr<Transport> transport_;
    std::unique_ptr<DynamodbApi> api_;
    DynamodbTables tables_;
    const bool consistent_;
    const double units_a_second_;
    const std::optional<double> dollars_per_million_;
    Capabilities capabilities_;
    Capacity capacity_;
    std::mutex identity_mutex_;
    Bytes identity_;
};

class DynamodbReader : public ClientReading<Reader, DynamodbClient> {
public:
    using ClientReading<Reader, DynamodbClient>::ClientReading;
};

}  // namespace idxfsck::store
