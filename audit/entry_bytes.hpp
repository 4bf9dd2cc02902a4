// audit/entry_bytes.hpp
//
// The canonical bytes of an entry: equal if and only if the entries are equal, numbers compared as
// numbers.
//
// Shape      entry   = parts(key) parts(pointer) [copies]
//            parts   = varint count, then each value
//            copies  = varint count, then for each: varint size of name, name, value
//            value   = class byte, varint size, payload
//          The class of every numeric kind is that of `number`, its payload the canonical text, so
//          that 1, 1.0 and 1e0 are one and the text "1" is another. Lists, sets and maps are
//          rewritten value by value for the same reason. The others keep their kind and payload.
//          Every part says its size, so no two entries share their bytes.
// Threads  An EntryBytes belongs to one thread: it keeps its buffer, so that it allocates only
//          while that grows. Assembling costs more than hashing does, hence the care.

#pragma once

#include <memory>
#include <optional>

#include "audit/entry.hpp"

namespace idxfsck::audit {

class EntryBytes {
public:
    // Valid until the next call.
    store::BytesView of(const EntryView& entry, bool with_copies);

private:
    void grow(std::size_t more);
    void put_count(std::size_t count);
    void put_raw(store::BytesView bytes);
    void put_sized(store::Kind kind, store::BytesView payload);
    void put_value(const store::ValueView& value, int depth);
    void put_number(const store::ValueView& value);
    void put_container(const store::ValueView& value, int depth);

    std::unique_ptr<char[]> buffer_;
    std::size_t capacity_ = 0;
    std::size_t size_ = 0;
    store::Bytes number_;
};

// The entry with these canonical bytes: numbers come back as kind `number`, whatever kind they
// were. Nothing if they are no entry's.
std::optional<Entry> read_entry_bytes(store::BytesView bytes);

}  // namespace idxfsck::audit
