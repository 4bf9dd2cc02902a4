#include "store/json/line_reader.hpp"

#include <algorithm>
#include <cstring>

#include "store/error.hpp"
#include "store/json/row_parser.hpp"

namespace idxfsck::store {

namespace {

constexpr BytesView byte_order_mark{"\xef\xbb\xbf"};

bool is_blank(BytesView line) { return line.find_first_not_of(" \t\r") == BytesView::npos; }

}  // namespace

LineReader::LineReader(std::string file, std::size_t line_bytes_max)
    : input_{std::move(file)}, line_bytes_max_{line_bytes_max} {
    buffer_.resize(input_block_bytes + line_padding);
}

std::optional<BytesView> LineReader::next() {
    for (;;) {
        std::optional<BytesView> line = next_raw();
        if (!line) return std::nullopt;
        ++line_;
        if (line_ == 1 && line->starts_with(byte_order_mark)) {
            line->remove_prefix(byte_order_mark.size());
        }
        if (!is_blank(*line)) return line;
    }
}

// The next line, blank or not.
std::optional<BytesView> LineReader::next_raw() {
    for (;;) {
        const char* from = buffer_.data() + scanned_;
        if (const void* found = std::memchr(from, '\n', end_ - scanned_)) {
            const char* line_end = static_cast<const char*>(found);
            return take_line(static_cast<std::size_t>(line_end - buffer_.data()) - begin_, 1);
        }
        scanned_ = end_;
        if (end_ - begin_ > line_bytes_max_) fail_too_long();
        if (at_end_) {
            if (begin_ == end_) return std::nullopt;
            return take_line(end_ - begin_, 0);
        }
        read_more();
    }
}

std::optional<BytesView> LineReader::take_line(std::size_t size, std::size_t end_size) {
    if (size > line_bytes_max_) fail_too_long();
    BytesView line{buffer_.data() + begin_, size};
    begin_ += size + end_size;
    scanned_ = begin_;
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

void LineReader::read_more() {
    const std::size_t kept = end_ - begin_;
    if (begin_ > 0) {
        std::memmove(buffer_.data(), buffer_.data() + begin_, kept);
        begin_ = 0;
        scanned_ = kept;
        end_ = kept;
    }
    // Doubling, so that a long line is moved a few times only.
    if (buffer_.size() < kept + input_block_bytes / 2 + line_padding) {
        buffer_.resize(buffer_.size() * 2);
    }
    const std::size_t room = std::min(buffer_.size() - line_padding - end_, input_block_bytes);
    const std::size_t size = input_.read(buffer_.data() + end_, room);
    end_ += size;
    at_end_ = size == 0;
}

void LineReader::fail_too_long() const {
    throw Error{"a line of rows is too long"}
        .with("file", file())
        .with("line", std::to_string(line_ + 1))
        .with("limit_bytes", std::to_string(line_bytes_max_));
}

}  // namespace idxfsck::store
