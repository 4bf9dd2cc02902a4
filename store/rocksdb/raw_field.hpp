// store/rocksdb/raw_field.hpp
//
// One field of a key or value: its bytes as a value, and a value as its bytes.
//
// Errors   Both ways return false for what does not fit, and do not throw. What is taken is what
//          appending gives back, byte for byte; JSON alone has many spellings.
// Threads  A RawFieldReader belongs to one thread.

#pragma once

#include <memory>
#include <span>

#include "store/json/row_parser.hpp"
#include "store/rocksdb/raw_layout.hpp"

namespace idxfsck::store {

// Takes a field off the front of bytes. Keeps its buffers, so that a scan allocates nothing per row
// once they have grown.
class RawFieldReader {
public:
    // The field must outlive the reader.
    explicit RawFieldReader(const RawField& field);

    // False, with `in` undefined, if the bytes do not fit.
    bool take(BytesView& in);

    const RawField& field() const { return *field_; }
    // Of the last take(); absent of a literal and of members. Valid until the next one, and as long
    // as its bytes.
    const ValueView& value() const { return value_; }
    // Sorted by name.
    std::span<const ParsedAttribute> members() const;

private:
    bool take_content(BytesView& in, BytesView& content) const;
    bool show(BytesView content);
    bool parse_json(BytesView content);

    const RawField* field_;
    ValueView value_;
    Bytes turned_;  // complement
    Bytes shown_;
    Bytes padded_;
    std::unique_ptr<RowParser> json_;
};

// Not of members.
bool append_raw_field(const RawField& field, const ValueView& value, Bytes& out);
// The members of a JSON object, which come sorted by name.
bool append_raw_members(const RawField& field, std::span<const ParsedAttribute> members,
                        Bytes& out);

}  // namespace idxfsck::store
