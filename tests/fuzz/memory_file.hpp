// tests/fuzz/memory_file.hpp
//
// Bytes that have a path, for code that opens files: they never touch a disk.

#pragma once

#include <cstdlib>
#include <string>

#include <sys/mman.h>
#include <unistd.h>

#include "store/bytes.hpp"

namespace idxfsck::tests {

class MemoryFile {
public:
    explicit MemoryFile(store::BytesView bytes) : descriptor_{::memfd_create("fuzz", 0)} {
        const bool written = ::write(descriptor_, bytes.data(), bytes.size()) ==
                             static_cast<ssize_t>(bytes.size());
        if (!written) std::abort();
    }
    ~MemoryFile() { ::close(descriptor_); }
    MemoryFile(const MemoryFile&) = delete;
    MemoryFile& operator=(const MemoryFile&) = delete;

    std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
    int descriptor_;
};

}  // namespace idxfsck::tests
