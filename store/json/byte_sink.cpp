#include "store/json/byte_sink.hpp"

#include <cerrno>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/error.hpp"
#include "store/private_file.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t buffer_bytes_max = std::size_t{256} * 1024;

[[noreturn]] void fail_file(const char* text, const std::string& file) {
    const int code = errno;
    throw Error{text}.with("file", file).with("cause", std::strerror(code)).hint(system_hint(code));
}

// Gathers small writes.
class DescriptorSink : public ByteSink {
public:
    DescriptorSink(std::string file, int descriptor)
        : file_{std::move(file)}, descriptor_{descriptor} {}
    DescriptorSink(const DescriptorSink&) = delete;
    DescriptorSink& operator=(const DescriptorSink&) = delete;

    ~DescriptorSink() override {
        if (descriptor_ > STDERR_FILENO) ::close(descriptor_);
    }

    void write(BytesView bytes) override {
        buffer_.append(bytes);
        if (buffer_.size() >= buffer_bytes_max) flush();
    }

    void finish() override {
        flush();
        // Pipes and terminals cannot be synced, and need not be.
        if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != EROFS && errno != ENOTSUP) {
            fail_file("cannot write rows", file_);
        }
        if (descriptor_ <= STDERR_FILENO) return;
        const int descriptor = std::exchange(descriptor_, -1);
        if (::close(descriptor) != 0) fail_file("cannot write rows", file_);
    }

private:
    void flush() {
        BytesView rest = buffer_;
        while (!rest.empty()) {
            const ssize_t size = ::write(descriptor_, rest.data(), rest.size());
            if (size < 0 && errno == EINTR) continue;
            if (size < 0) fail_file("cannot write rows", file_);
            rest.remove_prefix(static_cast<std::size_t>(size));
        }
        buffer_.clear();
    }

    std::string file_;
    int descriptor_;
    Bytes buffer_;
};

// Writes beside the file that is meant, and takes its name at the end.
class FileSink : public ByteSink {
public:
    explicit FileSink(std::string file)
        : file_{std::move(file)}, partial_{file_ + ".XXXXXX"}, inner_{file_, open_partial()} {}
    FileSink(const FileSink&) = delete;
    FileSink& operator=(const FileSink&) = delete;

    ~FileSink() override {
        if (!finished_) ::unlink(partial_.c_str());
    }

    void write(BytesView bytes) override { inner_.write(bytes); }

    void finish() override {
        inner_.finish();
        if (::rename(partial_.c_str(), file_.c_str()) != 0) fail_file("cannot write rows", file_);
        finished_ = true;
        sync_folder();
    }

private:
    // mkstemp gives the file mode 0600, and never one that was there already.
    int open_partial() {
        const int descriptor = ::mkostemp(partial_.data(), O_CLOEXEC);
        if (descriptor < 0) fail_file("cannot make a file for rows", file_);
        return descriptor;
    }

    void sync_folder() const {
        const std::filesystem::path folder = std::filesystem::path{file_}.parent_path();
        const std::string name = folder.empty() ? "." : folder.string();
        const int descriptor = ::open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (descriptor < 0) fail_file("cannot write rows", file_);
        const bool synced = ::fsync(descriptor) == 0 || errno == EINVAL;
        ::close(descriptor);
        if (!synced) fail_file("cannot write rows", file_);
    }

    std::string file_;
    std::string partial_;
    bool finished_ = false;
    DescriptorSink inner_;
};

// A device or a pipe must be written to, not replaced.
bool is_special(const std::string& file) {
    struct stat status {};
    return ::stat(file.c_str(), &status) == 0 && !S_ISREG(status.st_mode);
}

std::unique_ptr<ByteSink> open_descriptor(const std::string& file) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor < 0) fail_file("cannot make a file for rows", file);
    return std::make_unique<DescriptorSink>(file, descriptor);
}

}  // namespace

std::unique_ptr<ByteSink> open_sink(const std::string& file) {
    if (file == "-") return std::make_unique<DescriptorSink>(file, STDOUT_FILENO);
    if (is_special(file)) return open_descriptor(file);
    std::unique_ptr<ByteSink> sink = std::make_unique<FileSink>(file);
    return file.ends_with(".gz") ? gzip_into(std::move(sink)) : std::move(sink);
}

}  // namespace idxfsck::store
