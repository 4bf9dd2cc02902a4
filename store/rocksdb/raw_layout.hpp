// store/rocksdb/raw_layout.hpp
//
// How the keys and values of a table lie in a database that some other application wrote: plain
// data, as a spec declares it. raw_form.hpp reads and writes rows by it, RAW.md describes it.
//
// Shape    Fields follow each other without anything between them. Every field inverts: what is
//          read is written back as the same bytes, so bytes that have a second spelling (a varint
//          with needless zeros) do not fit. JSON is the exception, see RAW.md.
// Units    Widths are in bytes.

#pragma once

#include <vector>

#include "store/value.hpp"

namespace idxfsck::store {

// How the bytes of a field are found.
enum class RawPart {
    literal,  // these bytes, and no attribute
    integer,  // `width` bytes, 1 to 8
    varint,   // as many bytes as its first ones say
    bytes,    // `width` bytes
    ended,    // up to the first `literal`, which is not part of it
    sized,    // a length before it: `width` bytes, or a varint if that is 0
    rest,     // all that is left
};

// What the bytes of a field are shown as.
enum class RawForm {
    text,        // UTF-8
    hex,         // text of lower-case digits
    hex_upper,
    base64,      // text with padding
    base64_url,  // text without padding
    binary,
    guid,        // of 16 bytes
    json,        // a JSON value
    typed_json,  // a JSON value with the wrappers of store/json/FORMATS.md
};

enum class RawOrder { big, little };

// `flipped`: two's complement with the sign bit turned over, so that bytes sort as numbers do.
enum class RawSign { none, plain, flipped };

enum class RawVarint {
    leb128,   // seven bits a byte, low bits first: RocksDB, LevelDB, protobuf
    zigzag,   // the same, of a signed number: protobuf's sint
    bitcoin,  // seven bits a byte, high bits first, each length beginning where the last ends
};

struct RawField {
    Bytes name;  // of the key component or attribute; "" of a literal, and of members
    RawPart part = RawPart::rest;
    // The members of a JSON object are attributes: in a value, for one field at most.
    bool members = false;
    std::size_t width = 0;
    RawOrder order = RawOrder::big;  // of an integer, and of a length of fixed width
    RawSign sign = RawSign::none;
    RawVarint varint = RawVarint::leb128;  // also of a length
    Bytes literal;
    RawForm form = RawForm::text;
    Kind kind = Kind::number;  // of an integer or varint: number, int32 or int64
    bool complement = false;   // every bit turned over, so that the newest comes first

    friend bool operator==(const RawField&, const RawField&) = default;
};

struct RawTable {
    Bytes name;
    Bytes family = "default";
    Bytes prefix;  // all keys of the table begin with it, and no others in the family
    std::vector<RawField> key;
    std::vector<RawField> value;  // none: the value is empty

    friend bool operator==(const RawTable&, const RawTable&) = default;
};

using RawTables = std::vector<RawTable>;

}  // namespace idxfsck::store
