#include "repair/folder_lock.hpp"

#include <cerrno>
#include <ctime>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "audit/json_fields.hpp"
#include "store/error.hpp"
#include "store/private_file.hpp"

namespace idxfsck::repair {

namespace {

constexpr std::size_t content_bytes_max = 4096;

// Whoever wrote the lock file.
struct Owner {
    std::int64_t process = 0;
    std::string host;
    std::string since;
};

std::string host_name() {
    char name[256] = {};
    if (::gethostname(name, sizeof(name) - 1) != 0) return "unknown";
    return name;
}

std::string time_text(std::int64_t now_ms) {
    const std::time_t seconds = now_ms / 1000;
    std::tm parts = {};
    char text[32] = {};
    if (::gmtime_r(&seconds, &parts) == nullptr) return "unknown";
    const std::size_t size = std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text, size};
}

std::string owner_line(std::int64_t now_ms) {
    store::Json json = store::Json::object();
    json["process"] = ::getpid();
    json["host"] = audit::text_to_json(host_name());
    json["since"] = time_text(now_ms);
    return json.dump() + "\n";
}

// Nothing if the file is empty: its last owner left it in order.
std::optional<Owner> read_owner(int file) {
    std::string text(content_bytes_max, '\0');
    const ssize_t size = ::pread(file, text.data(), text.size(), 0);
    if (size <= 0) return std::nullopt;
    text.resize(static_cast<std::size_t>(size));
    const std::optional<store::Json> json = audit::parse_object(text);
    // Cut by a crash: whoever wrote it is gone.
    if (!json) return Owner{0, host_name(), "unknown"};
    audit::JsonFields fields{*json};
    return Owner{fields.integer("process"), fields.text("host"), fields.text("since")};
}

store::Error at_work(const std::string& path, const std::optional<Owner>& owner) {
    store::Error error{"another idxfsck is at work in this folder", store::Trouble::refused};
    error.with("lock", path);
    if (owner) {
        error.with("process", std::to_string(owner->process));
        error.with("host", owner->host).with("since", owner->since);
    }
    error.hint("wait until it is done");
    return error;
}

store::Error elsewhere(const std::string& path, const Owner& owner) {
    return store::Error{"the folder is locked from another host", store::Trouble::refused}
        .with("lock", path)
        .with("process", std::to_string(owner.process))
        .with("host", owner.host)
        .with("since", owner.since)
        .hint("if that process is gone for certain, remove the lock file");
}

// Was the file removed, and perhaps made anew, between opening and locking it?
bool was_replaced(int file, const std::string& path) {
    struct stat held = {};
    struct stat named = {};
    if (::fstat(file, &held) != 0 || ::lstat(path.c_str(), &named) != 0) return true;
    return held.st_ino != named.st_ino || held.st_dev != named.st_dev;
}

// The locked file, and whoever left a line in it.
int open_locked(const std::string& path, std::optional<Owner>& owner) {
    while (true) {
        const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
        if (file < 0) throw store::system_error("cannot make the lock file", path, errno);
        const bool locked = ::flock(file, LOCK_EX | LOCK_NB) == 0;
        const int code = errno;
        owner = read_owner(file);
        if (locked && !was_replaced(file, path)) return file;
        ::close(file);
        if (locked) continue;
        if (code == EWOULDBLOCK) throw at_work(path, owner);
        throw store::system_error("cannot lock the file", path, code);
    }
}

void write_owner(int file, const std::string& path, std::int64_t now_ms) {
    const std::string line = owner_line(now_ms);
    const bool written = ::ftruncate(file, 0) == 0 &&
                         ::pwrite(file, line.data(), line.size(), 0) ==
                             static_cast<ssize_t>(line.size());
    if (written) return;
    const int code = errno;
    ::unlink(path.c_str());
    ::close(file);
    throw store::system_error("cannot write the lock file", path, code);
}

}  // namespace

FolderLock::FolderLock(const std::string& folder, const std::string& name, std::int64_t now_ms)
    : path_{folder + "/" + name} {
    std::optional<Owner> owner;
    const int file = open_locked(path_, owner);
    if (owner && owner->host != host_name()) {
        ::close(file);
        throw elsewhere(path_, *owner);
    }
    if (owner) {
        takeover_note_ = "taken over from process " + std::to_string(owner->process) +
                         ", which began at " + owner->since + " and is gone";
    }
    write_owner(file, path_, now_ms);
    file_ = file;
}

FolderLock::FolderLock(FolderLock&& other) noexcept
    : path_{std::move(other.path_)},
      takeover_note_{std::move(other.takeover_note_)},
      file_{std::exchange(other.file_, -1)} {}

FolderLock::~FolderLock() {
    if (file_ < 0) return;
    // Removed while it is locked: whoever waits for it sees that, and makes a new one.
    ::unlink(path_.c_str());
    ::close(file_);
}

}  // namespace idxfsck::repair
