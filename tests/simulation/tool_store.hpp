// tests/simulation/tool_store.hpp
//
// The store as one running tool sees it: every call is a point at which others may take steps, may
// fail, and is looked at by whoever watches.
//
// Shape    A read of several keys looks at one after the other, with a switch point between them:
//          no store promises more. A scan hands over rows as they are or, where `stale_ms` is set,
//          as they were up to so long ago; rows that are gone by now may still show. One whose
//          position comes again is an Error, as the contract has it.
// Threads  That of the tool.

#pragma once

#include <functional>
#include <map>

#include "tests/simulation/fate.hpp"
#include "tests/simulation/ground.hpp"
#include "tests/simulation/random.hpp"

namespace idxfsck::simulation {

struct ToolStoreHooks {
    std::function<void(Call)> switch_point;  // before the call; may throw Killed
    std::function<Fault(Call)> fault;        // of the next call
    std::function<std::int64_t()> now_ms;
    std::function<void(Fault)> on_fault;
    std::function<void(const std::string&)> trace;  // empty: nobody reads it
    std::function<void()> on_stale;
    std::function<void(const store::GuardedWrite&, store::WriteOutcome)> on_write;
};

class ToolStore : public store::Store {
public:
    ToolStore(Ground& ground, Author self, ToolStoreHooks hooks, Random random)
        : ground_{ground}, self_{self}, hooks_{std::move(hooks)}, random_{random} {}

    std::int64_t stale_ms = 0;
    bool repeats_a_page = false;  // the next scan does
    // Writes to one table are taken together, one after the other: others go in between.
    bool together = false;
    std::size_t page_rows = 2;

    // When this tool last read a row: how many changes there had been. Nothing: never.
    std::optional<std::uint64_t> last_look(const RowName& row) const;
    // The version of each row when it was last read.
    const std::map<RowName, store::Bytes>& seen_versions() const { return versions_; }

    const store::Capabilities& capabilities() const override {
        return ground_.memory().capabilities();
    }
    store::Bytes identity() const override { return ground_.memory().identity(); }
    std::vector<store::TableSchema> tables() const override { return ground_.memory().tables(); }
    std::optional<store::TableSchema> table(store::BytesView name) const override {
        return ground_.memory().table(name);
    }
    std::vector<store::Partition> split(store::BytesView table, std::size_t target) const override {
        return ground_.memory().split(table, target);
    }
    std::vector<store::Partition> split_rest(store::BytesView table,
                                             const store::Partition& partition,
                                             const store::Position& position) const override {
        return ground_.memory().split_rest(table, partition, position);
    }
    store::ScanEnd scan(store::BytesView table, const store::Partition& partition,
                        const store::ScanOptions& options, store::RowSink& sink) const override;
    std::vector<std::optional<store::Row>> read(store::BytesView table,
                                                std::span<const store::Key> keys) const override;
    void refresh() override { ground_.memory().refresh(); }
    store::WriteOutcome write(const store::GuardedWrite& write) override;
    std::optional<store::Bytes> batch_of(store::BytesView table,
                                         const store::Key&) const override {
        return together ? std::optional{store::Bytes{table}} : std::nullopt;
    }
    void sync() override;

private:
    friend class PastSink;
    // Switch point and fault; throws what the fault throws before the call. True: it throws after.
    Fault begin(Call call, const std::string& words) const;
    void end(Fault fault) const;
    std::optional<store::Row> read_one(store::BytesView table, const store::Key& key) const;

    Ground& ground_;
    const Author self_;
    const ToolStoreHooks hooks_;
    mutable Random random_;
    mutable std::map<RowName, std::uint64_t> looks_;
    mutable std::map<RowName, store::Bytes> versions_;
};

}  // namespace idxfsck::simulation
