#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit/exact_reconciler.hpp"
#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

[[noreturn]] void fail(const char* text, const std::string& directory) {
    throw store::Error{text}
        .with("directory", directory)
        .with("cause", std::strerror(errno))
        .hint("free some space there, or allow more memory with --memory");
}

}  // namespace

SpillFile::~SpillFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

// Made at the first write, so that an audit that fits into memory leaves the disk alone. The name
// is taken away at once: fingerprints never outlive the audit, however it ends.
void SpillFile::open() {
    std::string path = directory_ + "/idxfsck-spill-XXXXXX";
    descriptor_ = ::mkostemp(path.data(), O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot make a temporary file", directory_);
    ::unlink(path.c_str());
}

std::uint64_t SpillFile::append(const void* bytes, std::uint64_t size) {
    std::call_once(opened_, [this] { open(); });
    const std::uint64_t offset = size_.fetch_add(size);
    std::uint64_t done = 0;
    while (done < size) {
        const ssize_t wrote = ::pwrite(descriptor_, static_cast<const char*>(bytes) + done,
                                       size - done, static_cast<off_t>(offset + done));
        if (wrote < 0 && errno == EINTR) continue;
        if (wrote <= 0) fail("cannot write to the temporary file", directory_);
        done += static_cast<std::uint64_t>(wrote);
    }
    return offset;
}

void SpillFile::read(std::uint64_t offset, void* bytes, std::uint64_t size) const {
    std::uint64_t done = 0;
    while (done < size) {
        const ssize_t got = ::pread(descriptor_, static_cast<char*>(bytes) + done, size - done,
                                    static_cast<off_t>(offset + done));
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) fail("cannot read back the temporary file", directory_);
        done += static_cast<std::uint64_t>(got);
    }
}

}  // namespace idxfsck::audit
