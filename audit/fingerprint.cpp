#include "audit/fingerprint.hpp"

// Inlined, the hash of a short entry costs half of what the call into the library does.
#define XXH_INLINE_ALL
#include <xxhash.h>

namespace idxfsck::audit {

Fingerprint fingerprint_of(store::BytesView bytes, std::uint64_t seed) {
    const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
    return {hash.low64, hash.high64};
}

}  // namespace idxfsck::audit
