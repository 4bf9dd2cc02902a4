// audit/entry.hpp
//
// One (index key → base key) claim, as a base row calls for it or as an index row holds it.
//
// Shape    `key` are the key components of the index row. `pointer` says whose entry it is: the
//          pointer attributes of the index row in the order of the spec, or, in a container, the
//          components of the member (the element of a list; name and value of a column). Empty for
//          an index without a pointer. `copies` are the copied attributes, in order of their name
//          in the index row, absent ones left out.
// Threads  Plain values. A view is valid during the call that hands it over.

#pragma once

#include <span>
#include <vector>

#include "store/row.hpp"

namespace idxfsck::audit {

struct NamedView {
    store::BytesView name;
    store::ValueView value;
};

struct EntryView {
    std::span<const store::ValueView> key;
    std::span<const store::ValueView> pointer;
    std::span<const NamedView> copies;
    // Which accepted key version derived it; 0 is the current one. Not part of the entry's bytes.
    std::uint32_t key_version = 0;
};

struct Entry {
    store::Key key;
    std::vector<store::Value> pointer;
    std::vector<store::NamedValue> copies;
    std::uint32_t key_version = 0;

    Entry() = default;
    explicit Entry(const EntryView& view);

    // Same row, same base row: what makes an entry found. Numbers compare as numbers.
    bool same_claim(const Entry& other) const;
    bool same_key(const Entry& other) const;
    bool same_copies(const Entry& other) const;

    friend bool operator==(const Entry&, const Entry&) = default;
};

// Appends the canonical bytes of key and pointer, and of the copies if `with_copies`. Equal bytes
// if and only if the entries are equal, numbers compared as numbers: 1, 1.0 and 1e0 are one, the
// text "1" is another. Grammar in entry_bytes.hpp.
void append_entry_bytes(store::Bytes& out, const EntryView& entry, bool with_copies);

// Lends a view of an owned entry; `keep` holds the spans.
class EntryLoan {
public:
    explicit EntryLoan(const Entry& entry);
    const EntryView& view() const { return view_; }

private:
    std::vector<store::ValueView> key_;
    std::vector<store::ValueView> pointer_;
    std::vector<NamedView> copies_;
    EntryView view_;
};

}  // namespace idxfsck::audit
