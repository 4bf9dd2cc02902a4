// store/row.hpp
//
// A row: key components and attributes, owned (Row) or borrowed (RowView), and the choice of
// attributes that a reader wants (Projection).
//
// Shape    The attributes of a row are those outside its key, sorted by name, each name once,
//          encoded as: varint size of name, name, element (see value.hpp). The names of the key
//          components stand in the table's schema, not in the row.
// Threads  Plain values. A RowView is valid only during the call that hands it over.

#pragma once

#include <optional>
#include <span>
#include <vector>

#include "store/value.hpp"

namespace idxfsck::store {

using Key = std::vector<Value>;

// Attribute names, first come first; a row view has one slot for each.
struct Projection {
    std::vector<Bytes> names;
    // Also hand over every attribute (RowView::attributes). Without it a store may leave out, or
    // not even fetch, what is not named.
    bool all = false;

    // The slot of `name`, added if it is new.
    std::size_t slot(BytesView name);

    friend bool operator==(const Projection&, const Projection&) = default;
};

// Walks encoded attributes in order of name.
class AttributeCursor {
public:
    explicit AttributeCursor(BytesView attributes) : rest_{attributes} {}

    bool next();
    BytesView name() const { return name_; }
    const ValueView& value() const { return value_; }
    // True if the walk stopped at bytes that are no attribute.
    bool damaged() const { return damaged_; }

private:
    BytesView rest_;
    BytesView name_;
    ValueView value_;
    bool damaged_ = false;
};

// A borrowed row, cut to a projection.
struct RowView {
    std::span<const ValueView> key;    // components in the order of the schema
    std::span<const ValueView> slots;  // one per name of the projection; absent where not there
    BytesView attributes;              // encoded, without the key; whole only if projection.all
    BytesView version;                 // the store's version or ETag; empty if it has none
};

// An owned row.
struct Row {
    Key key;
    Bytes attributes;  // encoded, see above
    Bytes version;

    std::optional<ValueView> attribute(BytesView name) const;
    // Sets or replaces one; removes it if `value` is absent.
    void set(BytesView name, const ValueView& value);

    friend bool operator==(const Row&, const Row&) = default;
};

struct NamedValue {
    Bytes name;
    Value value;

    friend bool operator==(const NamedValue&, const NamedValue&) = default;
};

// Encodes attributes; sorts by name, the last of two equal names wins, absent values are left out.
Bytes encode_attributes(std::vector<NamedValue> attributes);

// The attributes of `row` as owned values, in order of name.
std::vector<NamedValue> decode_attributes(BytesView attributes);

// Are these attributes from the first byte to the last?
bool well_formed(BytesView attributes);

// Cuts rows of one table to one projection. Keeps its buffers, so that a scan allocates nothing per
// row once they have grown. One per thread.
class Projector {
public:
    // `key_names` are the names of the key components, in order; both must outlive the projector.
    Projector(const std::vector<Bytes>& key_names, const Projection& projection);

    // A view of the row; valid until the next call and as long as the arguments are.
    RowView project(std::span<const ValueView> key, BytesView attributes, BytesView version);
    RowView project(const Row& row);
    // True if the last call came upon bytes that are no attribute. What lies behind the last wanted
    // attribute is looked at only if projection.all.
    bool damaged() const { return damaged_; }

private:
    bool take_slots(BytesView attributes);

    const Projection& projection_;
    std::vector<std::size_t> key_slots_;                     // slot of key component, or none
    std::vector<std::pair<BytesView, std::size_t>> wanted_;  // other names, sorted, with slots
    bool damaged_ = false;
    std::vector<ValueView> slots_;
    std::vector<ValueView> key_;
};

}  // namespace idxfsck::store
