// store/reader.hpp
//
// Read access to a store: all that an audit is given.
//
// Nothing under audit/ includes store/writer.hpp, so an audit cannot write. The compiler and the
// tidy test hold that line, not our care.
//
// Every implementation keeps this contract; tests/store/conformance.hpp checks it for each.
//   order     As capabilities() says.
//   snapshot  As capabilities() says: one moment for all calls since the last refresh(), or none.
//   reads     read() is strongly consistent: it sees every write that was acknowledged before the
//             call (with a snapshot: before the last refresh()).
//   complete  scan() returns `complete` only with the store's own proof of the end. A position that
//             does not advance is an Error.
//   threads   Const calls may run at once, on any threads.
//   errors    Throws Error with the fields `store`, `table` and, where known, `partition` or `key`.
//             Never returns a partial answer as if it were whole.

#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "store/key_filter.hpp"
#include "store/read_cost.hpp"
#include "store/row.hpp"
#include "store/schema.hpp"

namespace idxfsck::store {

class RunLimits;

// Takes the rows of a scan.
class RowSink {
public:
    virtual ~RowSink() = default;

    // One row. The view is valid during the call.
    virtual void row(const RowView& row) = 0;

    // Every row up to `position` has been handed over; a scan of the partition resumed there goes
    // on with the next one. Returns false to stop the scan. Called at least once a page, and at the
    // end of the partition.
    virtual bool page_end(const Position& position) = 0;

    // A row whose stored bytes are no row. The audit counts it: what it held was not seen.
    virtual void damaged(BytesView raw_key) { static_cast<void>(raw_key); }
};

struct ScanOptions {
    const Projection* projection = nullptr;  // must outlive the scan; nothing: all, no slots
    std::optional<Position> resume;          // nothing: from the start of the partition
    std::size_t page_rows_max = 1024;        // a hint: rows between two calls of page_end
    // A hint: rows of other keys may be left out. Must outlive the scan; nothing: no row may.
    const KeyFilter* keys = nullptr;
};

enum class ScanEnd {
    complete,  // the end of the partition, proven
    stopped,   // the sink said so
};

class Reader {
public:
    virtual ~Reader() = default;

    virtual const Capabilities& capabilities() const = 0;

    // Tells this store from every other, for ever: a plan made for one is refused by another.
    virtual Bytes identity() const = 0;

    virtual std::vector<TableSchema> tables() const = 0;
    // Nothing if there is no such table.
    virtual std::optional<TableSchema> table(BytesView name) const = 0;

    // About how many rows the table holds, for a person who waits; nothing if the store cannot say
    // without reading them. Nothing else may rest on it.
    virtual std::optional<std::uint64_t> rows_estimate(BytesView) const { return std::nullopt; }

    // Cuts a table into about `target` partitions that together hold every row once.
    virtual std::vector<Partition> split(BytesView table, std::size_t target) const = 0;

    // Cuts what is left of `partition` after `position` into at most two partitions that together
    // hold every remaining row once; none if nothing is left. The scan that came to `position` must
    // have stopped there.
    virtual std::vector<Partition> split_rest(BytesView table, const Partition& partition,
                                              const Position& position) const = 0;

    // Is it any use to stop a scan of the partition in order to cut what is left of it?
    virtual bool divisible(BytesView, const Partition&) const { return true; }

    virtual ScanEnd scan(BytesView table, const Partition& partition, const ScanOptions& options,
                         RowSink& sink) const = 0;

    // One answer per key, in order: the whole row, or nothing if there is none. Stored bytes that
    // are no row are an Error.
    virtual std::vector<std::optional<Row>> read(BytesView table,
                                                 std::span<const Key> keys) const = 0;

    // The row as reading it back would give it, once it is written: a store may keep fewer kinds of
    // numbers, or fewer spellings, than there are. A row that it cannot hold comes back as it is.
    virtual Row as_stored(BytesView, const Row& row) const { return row; }

    // Calls after this one see what was written before it. Not while other calls run.
    virtual void refresh() = 0;

    // The moment whose rows the table holds, in Unix milliseconds, where that is not the one in
    // which it is read: of an export. Nothing: it is, or nobody knows.
    virtual std::optional<std::int64_t> as_of_ms(BytesView) const { return std::nullopt; }
    // As the capabilities say; where nobody who only reads can know it, the store is asked. For
    // repairs: what finds it out may look like a write.
    virtual GuardReach guard() const { return capabilities().guard; }

    // What reads of the table have cost since the store was opened; nothing where they are free.
    virtual std::optional<ReadCost> cost(BytesView) const { return std::nullopt; }

    // From now on reads keep to the limits of the run, or throw Error (stopped) where these end it.
    // Before the first read; a store whose reads cost nothing has no use for it.
    virtual void obey(std::shared_ptr<RunLimits>) {}
};

}  // namespace idxfsck::store
