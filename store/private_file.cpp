#include "store/private_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <random>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace idxfsck::store {

namespace {

constexpr std::size_t buffer_size = 64 << 10;
constexpr mode_t owner_only = 0600;
constexpr mode_t all_read = 0644;

const char* hint_for(int code) {
    switch (code) {
        case ENOSPC:
        case EDQUOT: return "free space on the disk and run this again";
        case EROFS: return "choose a folder on a disk that is writable";
        case EACCES:
        case EPERM: return "look at the owner and mode of the folder";
        case ELOOP: return "it is a link; name the file itself";
        case EEXIST: return "it is there already; choose another name, or remove it";
        case ENOENT:
        case ENOTDIR: return "look at the spelling of the path";
        case EPIPE: return "whoever read the output has gone";
        default: return "";
    }
}

[[noreturn]] void fail(const char* text, const std::string& path) {
    throw system_error(text, path, errno);
}

int open_file(const char* text, const std::string& path, int flags) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC, owner_only);
    if (descriptor < 0) fail(text, path);
    return descriptor;
}

void write_all(int descriptor, BytesView bytes, const std::string& path) {
    while (!bytes.empty()) {
        const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) fail("cannot write the file", path);
        bytes.remove_prefix(static_cast<std::size_t>(written));
    }
}

std::string folder_of(const std::string& path) {
    const std::string folder = std::filesystem::path{path}.parent_path().string();
    return folder.empty() ? "." : folder;
}

// Makes a new, renamed or removed name durable. Some file systems cannot, and say EINVAL.
void sync_folder(const std::string& path) {
    const std::string folder = folder_of(path);
    const int descriptor = open_file("cannot open the folder", folder, O_RDONLY | O_DIRECTORY);
    const bool synced = ::fsync(descriptor) == 0 || errno == EINVAL;
    const int code = errno;
    ::close(descriptor);
    if (!synced) throw system_error("cannot make the folder durable", folder, code);
}

std::string temporary_name(const std::string& path) {
    std::random_device random;
    const std::filesystem::path whole{path};
    const std::string name = "." + whole.filename().string() + "." + std::to_string(random());
    return (whole.parent_path() / name).string();
}

}  // namespace

std::string system_hint(int code) { return hint_for(code); }

Error system_error(std::string text, const std::string& path, int code) {
    Error error{std::move(text)};
    error.with("path", path).with("cause", std::strerror(code)).hint(hint_for(code));
    return error;
}

void make_private_folder(const std::string& path) {
    struct stat seen = {};
    if (::lstat(path.c_str(), &seen) == 0) {
        if (S_ISLNK(seen.st_mode)) throw system_error("the folder is a link", path, ELOOP);
        if (!S_ISDIR(seen.st_mode)) throw system_error("this is no folder", path, ENOTDIR);
        const bool shared = (seen.st_mode & (S_IWGRP | S_IWOTH)) != 0;
        if (!shared || (seen.st_mode & S_ISVTX) != 0) return;
        throw Error{"others can change what lies in the folder"}.with("path", path).hint(
            "chmod go-w it, or choose another");
    }
    const std::string above = folder_of(path);
    if (above != "." && above != path && ::access(above.c_str(), F_OK) != 0) {
        make_private_folder(above);
    }
    if (::mkdir(path.c_str(), 0700) != 0 && errno != EEXIST) fail("cannot make the folder", path);
}

FileReplacement::FileReplacement(std::string path, Audience audience)
    : path_{std::move(path)}, temporary_{temporary_name(path_)} {
    descriptor_ = open_file("cannot make the file", temporary_,
                            O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    // Not by the mode of open(), which the umask narrows.
    const mode_t mode = audience == Audience::everyone ? all_read : owner_only;
    static_cast<void>(::fchmod(descriptor_, mode));
}

FileReplacement::~FileReplacement() {
    if (descriptor_ >= 0) ::close(descriptor_);
    if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void FileReplacement::write(BytesView bytes) {
    buffer_.append(bytes);
    if (buffer_.size() >= buffer_size) flush();
}

void FileReplacement::flush() {
    write_all(descriptor_, buffer_, path_);
    buffer_.clear();
}

void FileReplacement::commit() {
    flush();
    if (::fsync(descriptor_) != 0) fail("cannot write the file", path_);
    const int closed = ::close(std::exchange(descriptor_, -1));
    if (closed != 0) fail("cannot write the file", path_);
    if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail("cannot replace the file", path_);
    temporary_.clear();
    sync_folder(path_);
}

void replace_file(const std::string& path, BytesView bytes, Audience audience) {
    FileReplacement file{path, audience};
    file.write(bytes);
    file.commit();
}

AppendFile::AppendFile(std::string path, int descriptor)
    : path_{std::move(path)}, descriptor_{descriptor} {}

AppendFile::AppendFile(AppendFile&& other) noexcept
    : path_{std::move(other.path_)}, descriptor_{std::exchange(other.descriptor_, -1)} {}

AppendFile::~AppendFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

AppendFile AppendFile::create(const std::string& path) {
    AppendFile file{path, open_file("cannot make the file", path,
                                    O_RDWR | O_APPEND | O_CREAT | O_EXCL | O_NOFOLLOW)};
    sync_folder(path);
    return file;
}

AppendFile AppendFile::open(const std::string& path) {
    return {path, open_file("cannot open the file", path, O_RDWR | O_APPEND | O_NOFOLLOW)};
}

void AppendFile::append(BytesView bytes) { write_all(descriptor_, bytes, path_); }

void AppendFile::sync() {
    if (::fdatasync(descriptor_) != 0) fail("cannot make the file durable", path_);
}

std::uint64_t AppendFile::size() const {
    struct stat seen = {};
    if (::fstat(descriptor_, &seen) != 0) fail("cannot look at the file", path_);
    return static_cast<std::uint64_t>(seen.st_size);
}

void AppendFile::truncate(std::uint64_t size) {
    if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0) fail("cannot cut the file", path_);
}

bool AppendFile::try_lock() {
    if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return true;
    if (errno == EWOULDBLOCK) return false;
    fail("cannot lock the file", path_);
}

Bytes read_file(const std::string& path, std::uint64_t size_max, Links links) {
    // Without O_NONBLOCK, opening a pipe that nobody writes to would wait for ever.
    const int flags = O_RDONLY | O_NONBLOCK | (links == Links::refuse ? O_NOFOLLOW : 0);
    const int descriptor = open_file("cannot open the file", path, flags);
    struct Closer {
        int descriptor;
        ~Closer() { ::close(descriptor); }
    } const closer{descriptor};
    struct stat seen = {};
    if (::fstat(descriptor, &seen) != 0) fail("cannot look at the file", path);
    if (!S_ISREG(seen.st_mode)) throw Error{"this is no regular file"}.with("path", path);
    Bytes out;
    while (true) {
        const std::size_t before = out.size();
        out.resize(before + buffer_size);
        const ssize_t taken = ::read(descriptor, out.data() + before, buffer_size);
        const int code = errno;
        out.resize(before + static_cast<std::size_t>(std::max<ssize_t>(taken, 0)));
        if (taken == 0) return out;
        if (taken < 0 && code != EINTR) throw system_error("cannot read the file", path, code);
        if (out.size() > size_max) {
            throw Error{"the file is larger than is allowed"}
                .with("path", path)
                .with("bytes_max", std::to_string(size_max));
        }
    }
}

}  // namespace idxfsck::store
