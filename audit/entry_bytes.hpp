// audit/entry_bytes.hpp
//
// The canonical bytes of an entry: equal if and only if the entries are equal, numbers compared as
// numbers.
//
// Shape      entry   = counts, the values of the key, those of the pointer, [copies]
//            counts  = one byte: values of the key times 16 plus values of the pointer; or FF and
//                      the two as varints, if there are more than 14 of either
//            copies  = for each, to the end: varint size of name, name, value
//            value   = 40 to FF: a text of 0 to 191 bytes, and its bytes; or
//                      class byte, varint size, payload
//          The class of every numeric kind is that of `number`, its payload the canonical text, so
//          that 1, 1.0 and 1e0 are one and the text "1" is another. Lists, sets and maps are
//          rewritten value by value for the same reason, as elements of a container (value.hpp),
//          so that they can be read back. The others keep their kind and payload.
//          Every part says its size, so no two entries share their bytes. Short, because a sketch
//          carries them: an entry of 48 bytes fits into its narrow cells.
// Threads  An EntryBytes belongs to one thread: it keeps its buffer, so that it allocates only
//          while that grows. Assembling costs more than hashing does, hence the care.

#pragma once

#include <memory>
#include <optional>

#include "audit/entry.hpp"
#include "audit/quick_entry.hpp"

namespace idxfsck::audit {

class EntryBytes {
public:
    void put(const EntryView& entry, bool with_copies);

    // The same, with copies, straight from a row; false if the plan does not speak of such rows.
    bool put(const QuickEntry& plan, const store::RowView& row);

    // What was put last; valid until the next time.
    store::BytesView view() const { return {buffer_.get(), size_}; }

    store::BytesView of(const EntryView& entry, bool with_copies) {
        put(entry, with_copies);
        return view();
    }

private:
    bool put_part(const QuickPart& part, const store::RowView& row);
    bool put_plain(const store::ValueView& value, const QuickPart& part);
    bool put_joined(const QuickPart& part, const store::RowView& row);
    bool put_copies(const QuickEntry& plan, const store::RowView& row);
    void grow(std::size_t more) {
        if (capacity_ - size_ < more) enlarge(more);
    }
    void enlarge(std::size_t more);
    void put_counts(std::size_t key, std::size_t pointer);
    void put_text(store::BytesView text);
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
