// tests/repair/faulty_store.hpp
//
// A store in front of another that counts calls, stops the program at one of them, loses replies,
// and lets a test do something at a given call: what an application or a crash would do there.

#pragma once

#include <functional>
#include <optional>
#include <type_traits>

#include "store/error.hpp"
#include "store/store.hpp"

namespace idxfsck::tests {

// The program is gone: nothing in it catches this.
struct Crash {};

class FaultyStore : public store::Store {
public:
    explicit FaultyStore(store::Store& inner) : inner_{inner} {}

    // Counts reads, scans, writes and syncs, from 1.
    std::size_t calls = 0;
    std::size_t writes = 0;  // that changed a row
    // Writes to one table are handed over together, and are one call then.
    bool together = false;
    std::vector<std::size_t> batches;  // so many writes each
    std::optional<std::size_t> crash_before;  // this call and all that follow
    std::optional<std::size_t> crash_after;   // this call was done, and then the program was gone
    std::optional<std::size_t> lose_reply;    // this call was done, and an Error thrown
    std::optional<std::size_t> fail_from;     // an Error instead of this call and all that follow
    std::function<void(std::size_t call)> before_call;
    std::function<void(const store::GuardedWrite&)> before_write;
    std::function<void(const store::GuardedWrite&)> after_write;

    const store::Capabilities& capabilities() const override { return inner_.capabilities(); }
    store::Bytes identity() const override { return inner_.identity(); }
    std::vector<store::TableSchema> tables() const override { return inner_.tables(); }
    std::optional<store::TableSchema> table(store::BytesView name) const override {
        return inner_.table(name);
    }
    std::vector<store::Partition> split(store::BytesView table, std::size_t target) const override {
        return inner_.split(table, target);
    }
    std::vector<store::Partition> split_rest(store::BytesView table,
                                             const store::Partition& partition,
                                             const store::Position& position) const override {
        return inner_.split_rest(table, partition, position);
    }
    store::ScanEnd scan(store::BytesView table, const store::Partition& partition,
                        const store::ScanOptions& options, store::RowSink& sink) const override {
        return call([&] { return inner_.scan(table, partition, options, sink); });
    }
    std::vector<std::optional<store::Row>> read(store::BytesView table,
                                                std::span<const store::Key> keys) const override {
        return call([&] { return inner_.read(table, keys); });
    }
    void refresh() override { inner_.refresh(); }

    store::WriteOutcome write(const store::GuardedWrite& write) override {
        if (before_write) before_write(write);
        return call([&] {
            const store::WriteOutcome outcome = inner_.write(write);
            writes += outcome == store::WriteOutcome::applied ? 1 : 0;
            if (after_write) after_write(write);
            return outcome;
        });
    }
    std::vector<store::WriteReply> write_all(std::span<const store::GuardedWrite> all) override {
        if (!together) return store::Store::write_all(all);
        batches.push_back(all.size());
        for (const store::GuardedWrite& one : all) {
            if (before_write) before_write(one);
        }
        try {
            return call([&] { return write_inner(all); });
        } catch (const store::Error& error) {
            return {all.size(), store::WriteReply{std::nullopt, error.what()}};
        }
    }
    std::optional<store::Bytes> batch_of(store::BytesView table,
                                         const store::Key&) const override {
        return together ? std::optional{store::Bytes{table}} : std::nullopt;
    }
    void sync() override {
        call([&] {
            inner_.sync();
            return true;
        });
    }

private:
    template <typename Work>
    std::invoke_result_t<Work> call(const Work& work) const {
        FaultyStore& self = *const_cast<FaultyStore*>(this);
        const std::size_t number = ++self.calls;
        if (before_call) before_call(number);
        if (crash_before && number >= *crash_before) throw Crash{};
        if (fail_from && number >= *fail_from) throw store::Error{"the store is away"};
        auto result = work();
        if (crash_after && number >= *crash_after) throw Crash{};
        if (lose_reply && number == *lose_reply) throw store::Error{"the reply was lost"};
        return result;
    }

    std::vector<store::WriteReply> write_inner(std::span<const store::GuardedWrite> batch) {
        std::vector<store::WriteReply> replies = inner_.write_all(batch);
        for (std::size_t place = 0; place < batch.size(); ++place) {
            writes += replies[place].outcome == store::WriteOutcome::applied ? 1 : 0;
            if (after_write) after_write(batch[place]);
        }
        return replies;
    }

    store::Store& inner_;
};

}  // namespace idxfsck::tests
