#include "audit/fingerprint.hpp"

// Inlined, the hash of a short entry costs half of what the call into the library does.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace idxfsck::audit {

Fingerprint Fingerprinter::of(const EntryView& entry) {
    buffer_.clear();
    append_entry_bytes(buffer_, entry, true);
    const XXH128_hash_t hash = XXH3_128bits_withSeed(buffer_.data(), buffer_.size(), seed_);
    return {hash.low64, hash.high64};
}

}  // namespace idxfsck::audit
