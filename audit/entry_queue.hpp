// audit/entry_queue.hpp
//
// Entries of one worker on their way from rows to the lanes of their indexes: the canonical bytes
// of each are written at once, and hashed when sixteen have come together. Bytes that are read back
// right after they were written in other pieces keep the processor waiting until they have reached
// the cache, which takes as long as the hash itself; sixteen hashes in a row wait for nothing.
//
// Threads  Belongs to one thread. flush() before the lanes are looked at.

#pragma once

#include <array>

#include "audit/entry_bytes.hpp"
#include "audit/reconcile.hpp"

namespace idxfsck::audit {

class EntryQueue {
public:
    // Where an entry goes.
    struct Address {
        Lane* lane = nullptr;
        Side side = Side::base;
        Place place;
    };

    // `seed` is that of the fingerprints.
    explicit EntryQueue(std::uint64_t seed) : seed_{seed} {}

    void add(const EntryView& entry, const Address& to) {
        slots_[count_].bytes.put(entry, true);
        send(to);
    }

    // The entry that the plan makes of the row; false, and nothing added, if the plan does not
    // speak of such rows.
    bool add(const QuickEntry& plan, const store::RowView& row, const Address& to) {
        if (!slots_[count_].bytes.put(plan, row)) return false;
        send(to);
        return true;
    }

    // Nothing waits any more.
    void flush();

private:
    struct Slot {
        EntryBytes bytes;
        Lane* lane = nullptr;
        Side side = Side::base;
        Place place;
    };

    // Word by word, for the same reason as above.
    void send(const Address& to) {
        Slot& slot = slots_[count_];
        slot.lane = to.lane;
        slot.side = to.side;
        slot.place = to.place;
        if (++count_ == slots_.size()) flush();
    }

    std::uint64_t seed_;
    std::array<Slot, 16> slots_;
    std::size_t count_ = 0;
};

}  // namespace idxfsck::audit
