#include "audit/entry_queue.hpp"

#include "audit/fingerprint.hpp"

namespace idxfsck::audit {

void EntryQueue::flush() {
    std::array<Fingerprint, std::tuple_size_v<decltype(slots_)>> fingerprints;
    for (std::size_t at = 0; at < count_; ++at) {
        fingerprints[at] = fingerprint_of(slots_[at].bytes.view(), seed_);
    }
    for (std::size_t at = 0; at < count_; ++at) {
        const Slot& slot = slots_[at];
        slot.lane->add(slot.side, fingerprints[at], slot.place, slot.bytes.view());
    }
    count_ = 0;
}

}  // namespace idxfsck::audit
