#include "store/files/text_window.hpp"

#include <algorithm>
#include <cstring>

#include "store/error.hpp"
#include "store/json/line_reader.hpp"
#include "store/json/row_parser.hpp"

namespace idxfsck::store {

namespace {

constexpr BytesView byte_order_mark{"\xef\xbb\xbf"};

}  // namespace

TextWindow::TextWindow(std::string file, std::uint64_t offset, bool with_md5)
    : input_{std::move(file)}, buffer_(input_block_bytes + line_padding) {
    if (with_md5) input_.take_md5();
    if (offset == 0) {
        while (rest().size() < byte_order_mark.size() && more()) {
        }
        leave_out_mark();
        return;
    }
    char before = '\0';
    const bool there = input_.skip(offset - 1) && input_.read(&before, 1) == 1;
    end_offset_ = offset;
    // Behind the last line there may be no line end.
    if (!there || (before != '\n' && more())) fail_start(offset);
}

void TextWindow::fail_start(std::uint64_t offset) const {
    throw Error{"a position is not the start of a line"}
        .with("file", input_.file())
        .with("offset", std::to_string(offset));
}

std::uint64_t TextWindow::skip_lines(std::uint64_t offset) {
    std::uint64_t lines = 0;
    std::size_t searched = 0;
    while (this->offset() < offset) {
        const std::size_t end = rest().find('\n', searched);
        if (end == BytesView::npos) {
            searched = rest().size();
            if (searched > line_bytes_max_default || !more()) fail_start(offset);
            continue;
        }
        const BytesView line = rest().substr(0, end);
        if (line.find_first_not_of(" \t\r") != BytesView::npos) ++lines;
        drop(end + 1);
        searched = 0;
    }
    if (this->offset() != offset) fail_start(offset);
    return lines;
}

void TextWindow::leave_out_mark() {
    if (rest().starts_with(byte_order_mark)) drop(byte_order_mark.size());
}

bool TextWindow::more() {
    if (at_end_) return false;
    make_room();
    const std::size_t room = std::min(buffer_.size() - line_padding - end_, input_block_bytes);
    const std::size_t size = input_.read(buffer_.data() + end_, room);
    end_ += size;
    end_offset_ += size;
    if (size > 0) return true;
    at_end_ = true;
    if (begin_ == end_ || buffer_[end_ - 1] == '\n') return false;
    buffer_[end_++] = '\n';
    ++end_offset_;
    added_end_ = true;
    return true;
}

void TextWindow::make_room() {
    const std::size_t kept = end_ - begin_;
    if (begin_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, kept);
        begin_ = 0;
        end_ = kept;
    }
    // Doubling, so that a long line is moved a few times only.
    if (buffer_.size() < kept + input_block_bytes / 2 + line_padding) {
        buffer_.resize(buffer_.size() * 2);
    }
}

}  // namespace idxfsck::store
