// audit/quick_entry.hpp
//
// The short way of one row to the canonical bytes of its one entry: for indexes whose templates
// are attributes and literal texts, without containers. Bytes go straight from the row into the
// buffer that is hashed.
//
// Shape    A plan of parts, made when a spec is compiled. It speaks only of plain rows: of a value
//          that is missing, null, an empty text, a container or, under `lower`, not ASCII, and of a
//          key that may be too long or of another kind than is taken, it says nothing, and the row
//          goes the long way (IndexProgram::derive and decode). Where it does say something, that
//          is what the long way says; tests/audit/quick_entry.cpp holds the two side by side.
// Threads  A plain value.

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "store/row.hpp"

namespace idxfsck::audit {

struct QuickPiece {
    enum class From { literal, slot, key };

    From from = From::literal;
    std::size_t position = 0;  // of the slot, or of the component of the row's key
    std::string literal;
    bool lower = false;
};

// Several pieces, or a literal: the text that they make together. One that is no literal: the
// value itself.
struct QuickPart {
    std::vector<QuickPiece> pieces;
    // A text or binary value of more bytes may be one that the store of the index refuses.
    std::size_t bytes_max = static_cast<std::size_t>(-1);
    // The same of texts alone: 0 where a key takes none.
    std::size_t text_bytes_max = static_cast<std::size_t>(-1);
    store::Kind kind = store::Kind::absent;  // that a key takes; absent: any
    // A value that is not there is left out (copies), instead of sending the row the long way.
    bool left_out = false;

    bool is_value() const {
        return pieces.size() == 1 && pieces[0].from != QuickPiece::From::literal;
    }
};

struct QuickCopy {
    std::string name;
    QuickPart value;
};

struct QuickEntry {
    std::vector<QuickPart> key;
    std::vector<QuickPart> pointer;
    std::vector<QuickCopy> copies;  // in order of name
};

// The value that a piece takes from the row.
inline const store::ValueView& quick_source(const QuickPiece& piece, const store::RowView& row) {
    return piece.from == QuickPiece::From::key ? row.key[piece.position]
                                               : row.slots[piece.position];
}

}  // namespace idxfsck::audit
