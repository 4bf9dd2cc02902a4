// store/files/csv_values.hpp
//
// Fields of CSV as values.
//
// Shape    Text, unless the dialect says that the column has another kind: then as plain NDJSON
//          spells it in its wrappers (store/json/FORMATS.md), "true" and "false", and integers.
//          An unquoted empty field is absent, or "" if the dialect says so; a quoted one is "".
// Errors   A field that is none of its kind is a problem, a fixed text.
// Threads  Belongs to one thread. Keeps its buffer.

#pragma once

#include <string_view>

#include "store/files/file_table.hpp"

namespace idxfsck::store {

class CsvColumn {
public:
    // `dialect` must outlive the column.
    CsvColumn(BytesView name, const CsvDialect& dialect);

    // Empty, or what is wrong. `out` is valid until the next call and as long as `field`.
    std::string_view read(BytesView field, bool quoted, ValueView& out);

private:
    std::string_view convert(BytesView field, ValueView& out);

    const CsvDialect* dialect_;
    Kind kind_;
    Bytes payload_;
};

// May a column be of this kind?
bool is_csv_kind(Kind kind);

}  // namespace idxfsck::store
