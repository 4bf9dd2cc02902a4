#include "store/rocksdb/pinned_files.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <thread>

#include <fcntl.h>
#include <unistd.h>

#include "store/private_file.hpp"

namespace idxfsck::store {

namespace {

namespace files = std::filesystem;

constexpr int attempts_max = 500;
constexpr std::chrono::milliseconds wait{10};
constexpr std::uint64_t manifest_size_max = std::uint64_t{4} << 30;
constexpr std::uint64_t current_size_max = 4096;

rocksdb::IOStatus refuse() {
    return rocksdb::IOStatus::NotSupported("a view for reading was asked to write");
}

// Bytes in memory, read like a file.
class CopiedFile : public rocksdb::FSSequentialFile {
public:
    explicit CopiedFile(const std::string& bytes) : rest_{bytes} {}

    rocksdb::IOStatus Read(std::size_t size, const rocksdb::IOOptions&, rocksdb::Slice* result,
                           char* scratch, rocksdb::IODebugContext*) override {
        const std::string_view taken = rest_.substr(0, size);
        rest_.remove_prefix(taken.size());
        std::memcpy(scratch, taken.data(), taken.size());
        *result = {scratch, taken.size()};
        return rocksdb::IOStatus::OK();
    }

    rocksdb::IOStatus Skip(std::uint64_t size) override {
        rest_.remove_prefix(std::min<std::uint64_t>(size, rest_.size()));
        return rocksdb::IOStatus::OK();
    }

private:
    std::string_view rest_;
};

// Is this a file that RocksDB reads rows or options from? Tables of old databases are called as
// LevelDB calls them.
bool is_pinned(const files::path& name) {
    const std::string extension = name.extension().string();
    return extension == ".log" || extension == ".sst" || extension == ".ldb" ||
           extension == ".blob" ||
           (extension.empty() && name.filename().string().starts_with("OPTIONS-"));
}

std::string manifest_name(const std::string& current) {
    return current.substr(0, current.find('\n'));
}

}  // namespace

PinnedFiles::PinnedFiles(std::string path)
    : rocksdb::FileSystemWrapper{rocksdb::FileSystem::Default()}, path_{std::move(path)} {
    pin();
}

PinnedFiles::~PinnedFiles() { close_descriptors(); }

// RocksDB opens a blob file when it first needs one.
void PinnedFiles::release() {
    std::map<std::string, int> kept;
    for (const auto& [name, descriptor] : descriptors_) {
        if (name.ends_with(".blob")) {
            kept.emplace(name, descriptor);
        } else {
            ::close(descriptor);
        }
    }
    descriptors_ = std::move(kept);
}

void PinnedFiles::close_descriptors() {
    for (const auto& [name, descriptor] : descriptors_) ::close(descriptor);
    descriptors_.clear();
}

void PinnedFiles::pin() {
    const std::string current_path = path_ + "/CURRENT";
    for (int attempt = 0; attempt < attempts_max; ++attempt) {
        if (attempt > 0) std::this_thread::sleep_for(wait);
        const std::string current = read_file(current_path, current_size_max, Links::follow);
        const std::string manifest_path = path_ + "/" + manifest_name(current);
        std::error_code gone;
        if (!files::exists(manifest_path, gone) &&
            read_file(current_path, current_size_max, Links::follow) != current) {
            continue;
        }
        std::string manifest = read_file(manifest_path, manifest_size_max, Links::follow);
        pin_descriptors();
        const bool same = read_file(current_path, current_size_max, Links::follow) == current &&
                          files::file_size(manifest_path, gone) == manifest.size();
        if (!same) continue;
        copies_ = {{current_path, current}, {manifest_path, std::move(manifest)}};
        return;
    }
    throw Error{"the store changes too fast to be opened"}
        .with("store", path_)
        .hint("run this again when fewer rows are being written");
}

// A name that is gone by now is not needed, or the manifest has changed and all is done again.
void PinnedFiles::pin_descriptors() {
    close_descriptors();
    std::error_code error;
    for (const auto& entry : files::directory_iterator{path_, error}) {
        if (!is_pinned(entry.path())) continue;
        const std::string name = path_ + "/" + entry.path().filename().string();
        const int descriptor = ::open(name.c_str(), O_RDONLY | O_CLOEXEC);
        if (descriptor >= 0) descriptors_.emplace(name, descriptor);
        if (descriptor >= 0 || errno == ENOENT) continue;
        throw system_error("cannot open a file of the store", name, errno);
    }
    if (error) throw system_error("cannot read the folder of the store", path_, error.value());
}

std::string PinnedFiles::real_name(const std::string& name) const {
    const auto pinned = descriptors_.find(name);
    if (pinned == descriptors_.end()) return name;
    return "/proc/self/fd/" + std::to_string(pinned->second);
}

PinnedFiles::Status PinnedFiles::NewSequentialFile(
    const std::string& name, const Options& options,
    std::unique_ptr<rocksdb::FSSequentialFile>* file, Context* context) {
    const auto copy = copies_.find(name);
    if (copy == copies_.end()) {
        return target()->NewSequentialFile(real_name(name), options, file, context);
    }
    *file = std::make_unique<CopiedFile>(copy->second);
    return Status::OK();
}

PinnedFiles::Status PinnedFiles::NewRandomAccessFile(
    const std::string& name, const Options& options,
    std::unique_ptr<rocksdb::FSRandomAccessFile>* file, Context* context) {
    return target()->NewRandomAccessFile(real_name(name), options, file, context);
}

PinnedFiles::Status PinnedFiles::FileExists(const std::string& name, const Io& io,
                                            Context* context) {
    if (copies_.contains(name)) return Status::OK();
    return target()->FileExists(real_name(name), io, context);
}

PinnedFiles::Status PinnedFiles::GetFileSize(const std::string& name, const Io& io,
                                             std::uint64_t* size, Context* context) {
    const auto copy = copies_.find(name);
    if (copy == copies_.end()) return target()->GetFileSize(real_name(name), io, size, context);
    *size = copy->second.size();
    return Status::OK();
}

PinnedFiles::Status PinnedFiles::GetChildren(const std::string& folder, const Io& io,
                                             std::vector<std::string>* names, Context* context) {
    if (folder != path_) return target()->GetChildren(folder, io, names, context);
    names->clear();
    for (const auto& [name, copy] : copies_) names->push_back(files::path{name}.filename());
    for (const auto& [name, pinned] : descriptors_) names->push_back(files::path{name}.filename());
    return Status::OK();
}

using Pinned = PinnedFiles;

Pinned::Status Pinned::NewWritableFile(const std::string&, const Options&,
                                       std::unique_ptr<rocksdb::FSWritableFile>*, Context*) {
    return refuse();
}

Pinned::Status Pinned::ReopenWritableFile(const std::string&, const Options&,
                                          std::unique_ptr<rocksdb::FSWritableFile>*, Context*) {
    return refuse();
}

Pinned::Status Pinned::ReuseWritableFile(const std::string&, const std::string&, const Options&,
                                         std::unique_ptr<rocksdb::FSWritableFile>*, Context*) {
    return refuse();
}

Pinned::Status Pinned::NewRandomRWFile(const std::string&, const Options&,
                                       std::unique_ptr<rocksdb::FSRandomRWFile>*, Context*) {
    return refuse();
}

Pinned::Status Pinned::DeleteFile(const std::string&, const Io&, Context*) { return refuse(); }

Pinned::Status Pinned::CreateDir(const std::string&, const Io&, Context*) { return refuse(); }

Pinned::Status Pinned::CreateDirIfMissing(const std::string&, const Io&, Context*) {
    return refuse();
}

Pinned::Status Pinned::DeleteDir(const std::string&, const Io&, Context*) { return refuse(); }

Pinned::Status Pinned::RenameFile(const std::string&, const std::string&, const Io&, Context*) {
    return refuse();
}

Pinned::Status Pinned::LinkFile(const std::string&, const std::string&, const Io&, Context*) {
    return refuse();
}

Pinned::Status Pinned::LockFile(const std::string&, const Io&, rocksdb::FileLock**, Context*) {
    return refuse();
}

}  // namespace idxfsck::store
