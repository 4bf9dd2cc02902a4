// store/json/input_stream.hpp
//
// The bytes of a file, or of standard input ("-"); what is compressed with gzip comes out
// uncompressed, also if it is several gzip members one after the other.
//
// Units    Positions are in bytes of the file as it lies there, that is, compressed.
// Errors   Throws Error with the fields `file`, `cause` and, for damage in gzip, `offset`: a file
//          that cannot be opened or read; gzip that is cut off, corrupted (its checksum counts) or
//          followed by something else. Bytes handed over before the place of the damage may be
//          wrong, so whoever reads must not act on them until the end has come.
// Threads  Belongs to one thread.
// Source   RFC 1952; isa-l, igzip_lib.h.

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "store/json/md5.hpp"

struct inflate_state;

namespace idxfsck::store {

constexpr std::size_t input_block_bytes = std::size_t{256} * 1024;

class InputStream {
public:
    explicit InputStream(std::string file);
    InputStream(const InputStream&) = delete;
    InputStream& operator=(const InputStream&) = delete;
    ~InputStream();

    // Puts up to `size` bytes at `to`; how many. 0: the end, proven.
    std::size_t read(char* to, std::size_t size);

    // Leaves out `size` bytes of what comes out; false if there are fewer.
    bool skip(std::uint64_t size);

    const std::string& file() const { return file_; }
    bool compressed() const { return inflate_ != nullptr; }
    // From now on the MD5 of the file as it lies there is taken while it is read. Nothing of it may
    // have been handed over.
    void take_md5();
    // Of the whole file, whose end must have come; nothing if it is not taken.
    std::optional<Bytes> md5();
    // Of the open file, for whoever wants to know more about it.
    int descriptor() const { return descriptor_; }
    // Bytes taken from the file so far.
    std::uint64_t bytes_read() const { return bytes_read_; }

private:
    bool refill();
    std::size_t read_plain(char* to, std::size_t size);
    std::size_t read_gzip(char* to, std::size_t size);
    std::size_t read_file(char* to, std::size_t size);
    bool next_member();
    [[noreturn]] void fail_gzip(std::string_view cause) const;

    std::string file_;
    int descriptor_ = -1;
    std::vector<char> block_;
    BytesView rest_;  // of block_, not yet handed over
    std::uint64_t bytes_read_ = 0;
    std::optional<Md5> md5_;
    std::unique_ptr<inflate_state> inflate_;  // nothing if the file is not compressed
};

}  // namespace idxfsck::store
