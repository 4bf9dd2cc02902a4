// store/json/line_reader.hpp
//
// Lines of an InputStream, in memory that is bounded by the longest line allowed.
//
// Shape    A line ends at LF or CR LF, the last one also at the end of the file. A byte order mark
//          at the start of the file is left out, and so are lines of spaces, tabs and CR.
// Errors   Throws Error with the fields `file`, `line` and `limit_bytes` for a line that is too
//          long, and what InputStream throws.
// Threads  Belongs to one thread.

#pragma once

#include <optional>
#include <vector>

#include "store/json/input_stream.hpp"

namespace idxfsck::store {

// Far above what the stores allow in one row (DynamoDB 400 KB, Azure 1 MiB), and low enough that
// one line cannot use up the memory: parsing takes about six times its size, and up to twenty
// times for a line of tiny members.
constexpr std::size_t line_bytes_max_default = std::size_t{64} * 1024 * 1024;

class LineReader {
public:
    explicit LineReader(std::string file, std::size_t line_bytes_max = line_bytes_max_default);

    // The next line without its end, followed by line_padding readable bytes. Valid until the next
    // call. Nothing at the end of the file.
    std::optional<BytesView> next();

    // The number of the line that next() gave last, from 1; blank ones count.
    std::uint64_t line() const { return line_; }

    const std::string& file() const { return input_.file(); }
    std::uint64_t bytes_read() const { return input_.bytes_read(); }

private:
    std::optional<BytesView> next_raw();
    std::optional<BytesView> take_line(std::size_t size, std::size_t end_size);
    void read_more();
    [[noreturn]] void fail_too_long() const;

    InputStream input_;
    std::size_t line_bytes_max_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;    // of what has not been handed over
    std::size_t scanned_ = 0;  // up to here there is no line end
    std::size_t end_ = 0;      // of what has been read
    bool at_end_ = false;
    std::uint64_t line_ = 0;
};

}  // namespace idxfsck::store
