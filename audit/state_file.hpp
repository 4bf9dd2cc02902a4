// audit/state_file.hpp
//
// The bytes of a checkpoint or a sketch: numbers, texts and words in order, with a digest at the
// end.
//
// Shape    A number is a varint; bytes are a varint size and the bytes; words are 8 bytes each,
//          little-endian. The last 32 bytes of a file are the hexadecimal XXH3-128 of all before
//          them.
// Errors   StateWriter throws Error if the file cannot be written; without commit() there is none.
//          StateReader reads the whole file once before it hands out anything, and throws Error if
//          the digest does not fit; later, if something is asked for that is not there.
// Threads  Each belongs to one thread.

#pragma once

#include <fstream>
#include <memory>
#include <span>
#include <string>

#include "store/bytes.hpp"
#include "store/private_file.hpp"

namespace idxfsck::audit {

// XXH3-128 of bytes that come in pieces.
class RunningDigest {
public:
    RunningDigest();
    ~RunningDigest();
    RunningDigest(const RunningDigest&) = delete;
    RunningDigest& operator=(const RunningDigest&) = delete;

    void add(store::BytesView bytes);
    // 32 lower-case hexadecimal digits.
    store::Bytes hex() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

class StateWriter {
public:
    explicit StateWriter(const std::string& path) : file_{path} {}

    void raw(store::BytesView bytes);
    void number(std::uint64_t value);
    void bytes(store::BytesView value);
    void words(std::span<const std::uint64_t> values);
    // Of all that was written so far: 32 hexadecimal digits.
    store::Bytes digest() const { return digest_.hex(); }
    // Writes the digest and puts the file in its place.
    void commit();

private:
    store::FileReplacement file_;
    RunningDigest digest_;
};

class StateReader {
public:
    explicit StateReader(const std::string& path);

    store::Bytes raw(std::size_t size);
    std::uint64_t number();
    // Throws Error if there are more than `size_max`.
    store::Bytes bytes(std::uint64_t size_max = 1 << 20);
    void words(std::span<std::uint64_t> values);
    // A number that counts what follows, each at least one byte: never more than is left.
    std::uint64_t count();
    bool at_end() const { return left_ == 0; }
    // Are these the next bytes? They are read away, or the reader is of no more use.
    bool begins_with(store::BytesView bytes);
    // The last bytes before the digest, wherever the reader stands, and there it stays.
    store::Bytes last(std::size_t size);
    // Damage that the digest cannot see: a file of another program, or a bug.
    [[noreturn]] void fail() const;

private:
    void read(char* to, std::size_t size);
    void check_digest();

    std::string path_;
    std::ifstream file_;
    std::uint64_t left_ = 0;
};

}  // namespace idxfsck::audit
