// store/json/row_writer.hpp
//
// A row as one line of NDJSON.
//
// Shape    Members sorted by name, key attributes among them. FORMATS.md has the shapes.
// Errors   Throws Error with the fields `shape`, `key`, `attribute`, `kind` and `cause` for what
//          the shape cannot say, such as a guid in the DynamoDB shape. `out` is then as it was.
// Threads  Belongs to one thread.

#pragma once

#include <span>
#include <vector>

#include "store/error.hpp"
#include "store/json/shape.hpp"
#include "store/row.hpp"

namespace idxfsck::store {

class RowWriter {
public:
    // `key_names` must outlive the writer.
    RowWriter(Shape shape, const std::vector<Bytes>& key_names);

    // Appends the row and a line end. `attributes` are encoded, as in a Row.
    void append(Bytes& out, std::span<const ValueView> key, BytesView attributes);

private:
    struct Member {
        BytesView name;
        ValueView value;
    };

    void collect(std::span<const ValueView> key, BytesView attributes);
    Error unsayable(std::span<const ValueView> key, const Member& member,
                    std::string_view cause) const;

    Shape shape_;
    const std::vector<Bytes>& key_names_;
    std::vector<Member> members_;
};

}  // namespace idxfsck::store
