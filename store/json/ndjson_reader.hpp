// store/json/ndjson_reader.hpp
//
// Rows from a file of NDJSON: plain or gzip, or standard input ("-").
//
// Shape    One row a line, in one of the shapes of shape.hpp; FORMATS.md has them.
// Errors   Throws Error for the first line that is no row, with the fields `file`, `line`, `column`
//          (in bytes, from 1), `cause` and, where known, `attribute` and `detail`; and what
//          LineReader throws.
// Threads  Belongs to one thread.

#pragma once

#include "store/error.hpp"
#include "store/json/line_reader.hpp"
#include "store/json/row_parser.hpp"

namespace idxfsck::store {

class NdjsonReader {
public:
    NdjsonReader(std::string file, Shape shape,
                 std::size_t line_bytes_max = line_bytes_max_default);

    // Moves to the next row; false at the end of the file.
    bool next();

    // Sorted by name, each name once. Valid until next() is called again.
    std::span<const ParsedAttribute> attributes() const { return parser_->attributes(); }

    // Never automatic once a row has been read.
    Shape shape() const { return shape_; }
    std::uint64_t line() const { return lines_.line(); }
    const std::string& file() const { return lines_.file(); }
    std::uint64_t bytes_read() const { return lines_.bytes_read(); }

    // An Error about the row that was read last.
    Error error(const LineProblem& problem) const;

private:
    LineReader lines_;
    Shape shape_;
    std::optional<RowParser> parser_;
};

}  // namespace idxfsck::store
