#include "store/json/input_stream.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <isa-l/igzip_lib.h>
#include <unistd.h>

#include "store/error.hpp"

namespace idxfsck::store {

namespace {

constexpr BytesView gzip_magic{"\x1f\x8b"};

[[noreturn]] void fail_file(const char* text, const std::string& file) {
    throw Error{text}.with("file", file).with("cause", std::strerror(errno));
}

std::string_view gzip_cause(int code) {
    switch (code) {
        case ISAL_INVALID_WRAPPER: return "no gzip header where one should be";
        case ISAL_UNSUPPORTED_METHOD: return "an unknown method of compression";
        case ISAL_INCORRECT_CHECKSUM: return "the checksum is wrong";
        default: return "the compressed data make no sense";
    }
}

void start_member(inflate_state& state, BytesView rest) {
    isal_inflate_reset(&state);
    // The header and the trailer with its checksum are read and checked as well.
    state.crc_flag = ISAL_GZIP;
    state.avail_in = static_cast<std::uint32_t>(rest.size());
}

}  // namespace

InputStream::InputStream(std::string file) : file_{std::move(file)}, block_(input_block_bytes) {
    descriptor_ = file_ == "-" ? STDIN_FILENO : ::open(file_.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail_file("cannot open a file of rows", file_);
    // The magic may come in two pieces from a pipe.
    while (rest_.size() < gzip_magic.size()) {
        if (!refill()) break;
    }
    if (!rest_.starts_with(gzip_magic)) return;
    inflate_ = std::make_unique<inflate_state>();
    isal_inflate_init(inflate_.get());
    start_member(*inflate_, rest_);
}

InputStream::~InputStream() {
    if (descriptor_ > STDIN_FILENO) ::close(descriptor_);
}

// Appends to what is left of the block; false at the end of the file.
bool InputStream::refill() {
    const std::size_t kept = rest_.size();
    if (kept > 0) std::memmove(block_.data(), rest_.data(), kept);
    const std::size_t size = read_file(block_.data() + kept, block_.size() - kept);
    rest_ = BytesView{block_.data(), kept + size};
    return size > 0;
}

std::size_t InputStream::read_file(char* to, std::size_t size) {
    ssize_t taken = 0;
    do {
        taken = ::read(descriptor_, to, size);
    } while (taken < 0 && errno == EINTR);
    if (taken < 0) fail_file("cannot read a file of rows", file_);
    bytes_read_ += static_cast<std::uint64_t>(taken);
    if (md5_) md5_->add({to, static_cast<std::size_t>(taken)});
    return static_cast<std::size_t>(taken);
}

void InputStream::take_md5() {
    // So far the magic was looked for, and no more.
    ensure(bytes_read_ == rest_.size(), "the MD5 is taken from the start of the file");
    md5_.emplace();
    md5_->add(rest_);
}

std::optional<Bytes> InputStream::md5() {
    if (!md5_) return std::nullopt;
    return md5_->finish();
}

std::size_t InputStream::read(char* to, std::size_t size) {
    if (size == 0) return 0;
    return inflate_ ? read_gzip(to, size) : read_plain(to, size);
}

bool InputStream::skip(std::uint64_t size) {
    if (!inflate_ && size > rest_.size()) {
        const auto far = static_cast<off_t>(size - rest_.size());
        if (::lseek(descriptor_, far, SEEK_CUR) >= 0) {
            rest_ = {};
            return true;
        }
    }
    std::vector<char> dropped(static_cast<std::size_t>(std::min<std::uint64_t>(
        size, input_block_bytes)));
    while (size > 0) {
        const std::uint64_t room = std::min<std::uint64_t>(size, dropped.size());
        const std::size_t taken = read(dropped.data(), static_cast<std::size_t>(room));
        if (taken == 0) return false;
        size -= taken;
    }
    return true;
}

std::size_t InputStream::read_plain(char* to, std::size_t size) {
    // Straight to where it is wanted, once the block that the magic was looked for in is used up.
    if (rest_.empty()) return read_file(to, size);
    const std::size_t taken = std::min(size, rest_.size());
    std::memcpy(to, rest_.data(), taken);
    rest_.remove_prefix(taken);
    return taken;
}

// At the end of a member: false if the file ends here too.
bool InputStream::next_member() {
    if (rest_.empty() && !refill()) return false;
    if (rest_[0] != gzip_magic[0]) fail_gzip("something else follows the compressed data");
    start_member(*inflate_, rest_);
    return true;
}

std::size_t InputStream::read_gzip(char* to, std::size_t size) {
    const auto room = static_cast<std::uint32_t>(std::min<std::size_t>(size, 1U << 30));
    for (;;) {
        if (inflate_->block_state == ISAL_BLOCK_FINISH && !next_member()) return 0;
        inflate_->next_in = reinterpret_cast<std::uint8_t*>(const_cast<char*>(rest_.data()));
        inflate_->avail_in = static_cast<std::uint32_t>(rest_.size());
        inflate_->next_out = reinterpret_cast<std::uint8_t*>(to);
        inflate_->avail_out = room;
        const int code = isal_inflate(inflate_.get());
        // After damage, isa-l may say that more is left than there was.
        if (code < 0) fail_gzip(gzip_cause(code));
        if (inflate_->avail_in > rest_.size()) fail_gzip(gzip_cause(ISAL_INVALID_BLOCK));
        rest_.remove_prefix(rest_.size() - inflate_->avail_in);
        if (code == ISAL_NEED_DICT) fail_gzip("a dictionary would be needed");
        const std::size_t produced = room - inflate_->avail_out;
        if (produced > 0) return produced;
        const bool hungry = inflate_->block_state != ISAL_BLOCK_FINISH && rest_.empty();
        if (hungry && !refill()) fail_gzip("the compressed data are cut off");
    }
}

void InputStream::fail_gzip(std::string_view cause) const {
    throw Error{"cannot read compressed rows"}
        .with("file", file_)
        .with("offset", std::to_string(bytes_read_ - rest_.size()))
        .with("cause", cause);
}

}  // namespace idxfsck::store
