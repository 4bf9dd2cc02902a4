// store/files/ndjson_rows.hpp
//
// Rows of a file of NDJSON. Lines that are put together like earlier ones are read by their
// pattern, the others by the parser; what comes out is the same.

#pragma once

#include <optional>

#include "store/files/file_rows.hpp"
#include "store/json/line_pattern.hpp"

namespace idxfsck::store {

class NdjsonRows : public FileRows {
public:
    NdjsonRows(const FilePart& part, const RowsWanted& wanted, std::unique_ptr<TextWindow> window,
               std::uint64_t limit);

    Step next() override;

private:
    Step finish_matched(BytesView line);
    Step parse(BytesView line);
    void take_attributes();
    // The size of the next line with its end; 0 at the end of the file.
    std::size_t line_size();

    RowParser parser_;
    std::optional<LinePattern> pattern_;  // nothing where all of every row is wanted
    std::size_t values_max_ = static_cast<std::size_t>(-1);  // of a line, then the rest is skipped
};

}  // namespace idxfsck::store
