// store/files/row_target.hpp
//
// The row that is being read from a file: its key and what a projection wants of it, put together
// in any order of the attributes.
//
// Shape    A place for each wanted name: first the projection's, so that they are the slots as they
//          stand, then the names of the key that it does not have.
// Errors   A row without its key is a problem, a fixed text.
// Threads  Belongs to one thread. Keeps its buffers: nothing is allocated for a row once they have
//          grown.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "store/row.hpp"

namespace idxfsck::store {

class RowTarget {
public:
    static constexpr std::size_t no_place = static_cast<std::size_t>(-1);

    // Both must outlive the target. No projection: all attributes, and no slots.
    RowTarget(const std::vector<Bytes>& key_names, const Projection* projection);
    RowTarget(const RowTarget&) = delete;
    RowTarget& operator=(const RowTarget&) = delete;

    // All attributes are wanted, not only those with a place.
    bool whole() const { return whole_; }
    // The place of a name, or no_place.
    std::size_t place_of(BytesView name) const;
    // Is it a name of the key? Those are no attributes.
    bool in_key(BytesView name) const;

    // Begins the next row.
    void begin() {
        for (ValueView& value : values_) value = {};
        attributes_.clear();
    }
    // One value for each place, absent until it is set; they must live until the row is done.
    std::span<ValueView> values() { return values_; }
    // The attributes, encoded in order of name; of a whole row.
    Bytes& attributes() { return attributes_; }

    // Puts the key together. Empty, or what is wrong with it.
    std::string_view finish_key();
    std::span<const ValueView> key() const { return key_view_; }
    RowView row() const { return {key_view_, std::span{values_}.first(slots_), attributes_, {}}; }

private:
    bool whole_;
    std::size_t slots_;
    std::vector<std::pair<BytesView, std::size_t>> by_name_;  // sorted
    std::vector<std::size_t> key_places_;                     // of each component
    std::vector<ValueView> values_;
    std::vector<ValueView> key_;           // of several components
    std::span<const ValueView> key_view_;  // one component is viewed where it stands
    std::vector<Bytes> digits_;  // of numbers in the key
    Bytes attributes_;
};

}  // namespace idxfsck::store
