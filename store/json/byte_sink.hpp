// store/json/byte_sink.hpp
//
// Where a dump goes: a file, standard output, either compressed or not.
//
// Errors   write() and finish() throw Error with the fields `file` and `cause`. Without finish()
//          the output is incomplete, and the file that was named is as it was before.
// Threads  Belongs to one thread.

#pragma once

#include <memory>
#include <string>

#include "store/bytes.hpp"

namespace idxfsck::store {

class ByteSink {
public:
    virtual ~ByteSink() = default;

    virtual void write(BytesView bytes) = 0;

    // Hands over all that is left and makes it durable. Call once, at the end.
    virtual void finish() = 0;
};

// Collects everything in memory.
class MemorySink : public ByteSink {
public:
    void write(BytesView bytes) override { bytes_.append(bytes); }
    void finish() override {}
    const Bytes& bytes() const { return bytes_; }

private:
    Bytes bytes_;
};

// A file of mode 0600, which takes its name only when it is finished; "-" is standard output.
// Compressed if the name ends in ".gz".
std::unique_ptr<ByteSink> open_sink(const std::string& file);

// Compresses what goes into `inner`.
std::unique_ptr<ByteSink> gzip_into(std::unique_ptr<ByteSink> inner);

}  // namespace idxfsck::store
