// store/capacity.hpp
//
// The capacity that reads consume: counted for each table, held to a rate and to the limits of the
// run. And what writes consume: counted, no more.
//
// Shape    Whoever sends a read begins a Spending and settles it by what the answer says that it
//          cost.
// Units    The store says which: read units of DynamoDB, requests to Azure tables.
// Errors   begin() throws Error (stopped) as store/run_limits.hpp says.
// Threads  All calls may run at once. A Spending belongs to one thread.

#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "store/bytes.hpp"
#include "store/pace.hpp"
#include "store/read_cost.hpp"
#include "store/run_limits.hpp"

namespace idxfsck::store {

// What is counted of the requests about one table.
struct RequestCounts {
    std::atomic<std::uint64_t> requests{0};
    std::atomic<std::uint64_t> retries{0};
    std::atomic<std::uint64_t> throttles{0};
};

enum class ReadKind { scan, point };

class Capacity;

// A read that is under way. One that ends without an answer has cost nothing.
class Spending {
public:
    Spending(Capacity& capacity, ReadKind kind, double reserved)
        : capacity_{&capacity}, kind_{kind}, reserved_{reserved} {}
    Spending(Spending&& other) noexcept
        : capacity_{std::exchange(other.capacity_, nullptr)},
          kind_{other.kind_},
          reserved_{other.reserved_} {}
    Spending& operator=(Spending&& other) noexcept;
    ~Spending();

    // The answer has cost so much, for each table. Waits until that is paid for.
    void settle(const std::map<Bytes, double>& units);
    // The answer will come, but nobody reads it: as dear as the dearest of the table so far.
    void abandon(BytesView table);

private:
    Capacity* capacity_;
    ReadKind kind_;
    double reserved_;
};

class Capacity {
public:
    // 0: no limit. Without the prices of reads, and of writes, no dollars are told of these.
    Capacity(Clock& clock, double units_a_second, std::optional<double> dollars_per_million,
             std::optional<double> dollars_per_million_writes = {})
        : pace_{clock, units_a_second},
          dollars_per_million_{dollars_per_million},
          dollars_per_million_writes_{dollars_per_million_writes} {}

    // Before the first read.
    void obey(std::shared_ptr<RunLimits> limits) { limits_ = std::move(limits); }

    // A read is about to be sent.
    Spending begin(ReadKind kind, const UnitsRange& units);
    // The same without waiting for other reads; nothing if that would be needed.
    std::optional<Spending> try_begin(ReadKind kind, const UnitsRange& units);

    // A write to the table has cost so much.
    void add_write(BytesView table, double units);

    // Of a table, for ever at the same place.
    RequestCounts& counts(BytesView table);
    ReadCost cost(BytesView table);
    // Of all tables.
    double spent() const;

private:
    friend class Spending;

    struct Table {
        double scan_units = 0.0;
        double point_units = 0.0;
        double write_units = 0.0;
        double dearest_scan = 0.0;
        RequestCounts counts;
    };

    Table& table(BytesView name);
    // Gives what all tables together have cost.
    double add(ReadKind kind, const std::map<Bytes, double>& units);
    double dearest_scan(BytesView name);
    std::optional<double> dollars_of(const ReadCost& cost) const;

    Pace pace_;
    const std::optional<double> dollars_per_million_;
    const std::optional<double> dollars_per_million_writes_;
    std::shared_ptr<RunLimits> limits_;
    mutable std::mutex mutex_;
    std::map<Bytes, Table, std::less<>> tables_;
};

}  // namespace idxfsck::store
