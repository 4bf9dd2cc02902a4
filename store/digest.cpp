#include "store/digest.hpp"

#include <xxhash.h>

#include "store/key_codec.hpp"

namespace idxfsck::store {

Bytes digest(BytesView bytes) {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes.data(), bytes.size()));
    return to_hex({reinterpret_cast<const char*>(canonical.digest), sizeof canonical.digest});
}

Bytes row_digest(const Row& row) {
    const Bytes key = encode_key(row.key);
    Bytes whole;
    append_varint(whole, key.size());
    whole.append(key).append(row.attributes);
    return digest(whole);
}

}  // namespace idxfsck::store
