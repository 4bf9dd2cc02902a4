#include "audit/fingerprint.hpp"

// Inlined, the hash of a short entry costs half of what the call into the library does.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace idxfsck::audit {

Fingerprint Fingerprinter::hash() const {
    const XXH128_hash_t hash = XXH3_128bits_withSeed(last_.data(), last_.size(), seed_);
    return {hash.low64, hash.high64};
}

Fingerprint Fingerprinter::of(const EntryView& entry) {
    last_ = bytes_.of(entry, true);
    return hash();
}

std::optional<Fingerprint> Fingerprinter::of(const QuickEntry& plan, const store::RowView& row) {
    const auto bytes = bytes_.of(plan, row);
    if (!bytes) return std::nullopt;
    last_ = *bytes;
    return hash();
}

}  // namespace idxfsck::audit
