#include "store/memory/scan_place.hpp"

#include <xxhash.h>

#include "store/key_codec.hpp"

namespace idxfsck::store {

namespace {

void append_unit(Bytes& out, std::uint32_t unit) {
    out.push_back(static_cast<char>(unit >> 8));
    out.push_back(static_cast<char>(unit & 0xff));
}

// How many bytes the UTF-8 character takes that starts with `lead`; 1 for what starts none.
std::size_t sequence_size(std::uint8_t lead) {
    if (lead < 0xc2) return 1;
    if (lead < 0xe0) return 2;
    return lead < 0xf0 ? 3 : lead < 0xf5 ? 4 : 1;
}

// Big-endian UTF-16. A byte that belongs to no character stands for itself, which is enough here.
Bytes to_utf16(BytesView text) {
    Bytes out;
    for (std::size_t index = 0; index < text.size();) {
        const auto lead = static_cast<std::uint8_t>(text[index]);
        const std::size_t size = sequence_size(lead);
        if (size == 1 || index + size > text.size()) {
            append_unit(out, lead);
            ++index;
            continue;
        }
        std::uint32_t point = lead & (0x7fu >> size);
        for (std::size_t next = 1; next < size; ++next) {
            point = point << 6 | (static_cast<std::uint8_t>(text[index + next]) & 0x3fu);
        }
        index += size;
        if (point >= 0x10000) append_unit(out, 0xd800 + ((point - 0x10000) >> 10));
        append_unit(out, point >= 0x10000 ? 0xdc00 + (point & 0x3ff) : point);
    }
    return out;
}

Bytes utf16_place(BytesView encoded_key) {
    Bytes out;
    KeyDecoder decoder;
    for (const ValueView& component : decoder.decode(encoded_key)) {
        if (component.kind != Kind::text) {
            append_key_component(out, component);
            continue;
        }
        const Bytes units = to_utf16(component.payload);
        append_key_component(out, {Kind::text, units});
    }
    return out.append(encoded_key);
}

}  // namespace

Bytes scan_place(ScanOrder order, BytesView encoded_key) {
    if (order == ScanOrder::by_bytes) return Bytes{encoded_key};
    if (order == ScanOrder::by_utf16) return utf16_place(encoded_key);
    const std::uint64_t hash = XXH3_64bits(encoded_key.data(), encoded_key.size());
    Bytes out;
    for (int shift = 56; shift >= 0; shift -= 8) out.push_back(static_cast<char>(hash >> shift));
    return out.append(encoded_key);
}

}  // namespace idxfsck::store
