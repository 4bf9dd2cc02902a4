// store/files/text_window.hpp
//
// The text of one file, uncompressed, seen through a window that moves forward.
//
// Shape    The window is followed by line_padding readable bytes. A byte order mark at the start of
//          the file is left out, and a file that does not end in LF gets one.
// Units    Offsets are in bytes of the uncompressed text, the byte order mark included.
// Errors   Throws Error with the field `file`: what InputStream throws, and a start that is not
//          behind a line end.
// Threads  Belongs to one thread at a time.

#pragma once

#include <vector>

#include "store/json/input_stream.hpp"

namespace idxfsck::store {

class TextWindow {
public:
    // Begins at `offset`: 0, or the start of a line.
    TextWindow(std::string file, std::uint64_t offset, bool with_md5 = false);

    // What has been read and not dropped; it moves when more() is called.
    char* begin() { return buffer_.data() + begin_; }
    const char* end() const { return buffer_.data() + end_; }
    BytesView rest() const { return {buffer_.data() + begin_, end_ - begin_}; }

    // Reads more behind the rest; false at the end of the file, which is then proven.
    bool more();

    void drop(std::size_t size) { begin_ += size; }

    // Goes on to the line that begins at `offset`; how many lines were left out, blank ones not
    // counted.
    std::uint64_t skip_lines(std::uint64_t offset);

    // Where the rest begins.
    std::uint64_t offset() const {
        return end_offset_ - (end_ - begin_) - (added_end_ && begin_ == end_ ? 1 : 0);
    }

    const InputStream& input() const { return input_; }
    // Of the file, whose end must have come; nothing if it was not asked for.
    std::optional<Bytes> md5() { return input_.md5(); }

private:
    void make_room();
    void leave_out_mark();
    [[noreturn]] void fail_start(std::uint64_t offset) const;

    InputStream input_;
    std::vector<char> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::uint64_t end_offset_ = 0;  // of what has been read
    bool at_end_ = false;
    bool added_end_ = false;  // a line end that the file does not have
};

}  // namespace idxfsck::store
