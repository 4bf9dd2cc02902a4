// store/key_codec.hpp
//
// Keys as bytes whose order is the order of the keys.
//
// Shape    Each component: one tag byte (its kind), then
//            null                nothing
//            boolean             1 byte
//            int32, int64        big-endian with the sign bit flipped
//            real                big-endian IEEE bits, all flipped if negative, else the sign bit
//            number              sign and magnitude of the decimal, see number_codec.hpp; 1, 1.0
//                                and 1e0 are one key, and come back as their canonical text
//            text, binary        the bytes with 00 written as 00 FF, then 00 01
//            date_time           as int64
//            guid                16 bytes
//          Containers cannot be key components.
// Errors   encode_key throws Error for a kind that cannot be a key, or a payload that does not fit
//          its kind. decode_key returns nothing for bytes that no key encodes to, and accepts
//          exactly the bytes that encode_key makes.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "store/row.hpp"
#include "store/schema.hpp"

namespace idxfsck::store {

Bytes encode_key(std::span<const Value> key);
Bytes encode_key(std::span<const ValueView> key);
// Throws Error also if the key does not have the components of the table.
Bytes encode_key_of(const TableSchema& table, std::span<const Value> key);
void append_key_component(Bytes& out, const ValueView& component);
std::optional<Key> decode_key(BytesView encoded);
// The row with its key as it comes back from its encoding, 1 for 1.0; the same if it has none.
Row with_stored_key(const Row& row);

// Decodes without allocating per key once its buffers have grown: text without zero bytes is viewed
// in place. One per thread.
class KeyDecoder {
public:
    // Components of `encoded`, valid until the next call and as long as `encoded`. Empty if it is
    // damaged, or a key of no components.
    std::span<const ValueView> decode(BytesView encoded);

private:
    // A payload that could not be viewed in place: it lies in `scratch_`, which may still move.
    struct Moved {
        std::size_t component;
        std::size_t begin;
        std::size_t size;
    };

    // A component behind the last; keeps the places of earlier keys for later ones.
    ValueView& add_component(Kind kind) {
        if (count_ == components_.size()) components_.emplace_back();
        ValueView& component = components_[count_++];
        component.kind = kind;
        return component;
    }
    bool take_component(BytesView& rest);
    bool take_integer(BytesView& rest, Kind kind, std::size_t size);
    bool take_string(BytesView& rest, Kind kind);
    bool take_number(BytesView& rest);
    void keep_moved(Kind kind, std::size_t begin);

    std::vector<ValueView> components_;
    std::size_t count_ = 0;  // of them that are the last key's
    std::vector<Moved> moved_;
    Bytes scratch_;
    Bytes digits_;
};

}  // namespace idxfsck::store
