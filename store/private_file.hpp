// store/private_file.hpp
//
// Files for one person's eyes: plans, journals, checkpoints, reports.
//
// Shape    Files of mode 0600; folders that are made here are 0700. The last name of a path is
//          never followed if it is a link. A file that is replaced is whole at every moment, the
//          old one or the new one, also through a crash of the machine.
// Errors   Throws Error with the path and the cause; what to do stands in the hint. A file that is
//          being replaced is then the old one, and no temporary file is left.
// Threads  Each object belongs to one thread.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "store/bytes.hpp"
#include "store/error.hpp"

namespace idxfsck::store {

// Makes the folder and those above it that are missing. One that is there is left as it is, but
// refused if others can change what lies in it.
void make_private_folder(const std::string& path);

// Who may read a new file. Metrics are for everyone, as their collector is another user.
enum class Audience { owner, everyone };

// Replaces `path`, or makes it, by `bytes`.
void replace_file(const std::string& path, BytesView bytes, Audience audience = Audience::owner);

// The same for a file that is made in pieces. Without commit() nothing happens to `path`.
class FileReplacement {
public:
    explicit FileReplacement(std::string path, Audience audience = Audience::owner);
    ~FileReplacement();
    FileReplacement(const FileReplacement&) = delete;
    FileReplacement& operator=(const FileReplacement&) = delete;

    void write(BytesView bytes);
    void commit();

private:
    void flush();

    const std::string path_;
    std::string temporary_;
    int descriptor_ = -1;
    Bytes buffer_;
};

// A file that only grows, for a journal: what was appended before sync() survives a crash after it.
class AppendFile {
public:
    // A new file: it must not be there.
    static AppendFile create(const std::string& path);
    // One that is there.
    static AppendFile open(const std::string& path);

    AppendFile(AppendFile&& other) noexcept;
    AppendFile& operator=(AppendFile&&) = delete;
    ~AppendFile();

    void append(BytesView bytes);
    void sync();
    std::uint64_t size() const;
    // Cuts off what a crash left half written.
    void truncate(std::uint64_t size);
    // False if another process holds it. Held until this object goes; a crash frees it.
    bool try_lock();

    const std::string& path() const { return path_; }

private:
    AppendFile(std::string path, int descriptor);

    std::string path_;
    int descriptor_;
};

enum class Links { refuse, follow };

// The whole file. Throws Error if it is larger than `size_max` or no regular file.
Bytes read_file(const std::string& path, std::uint64_t size_max, Links links = Links::refuse);

// What to do about `code` (errno); "" if there is nothing to say.
std::string system_hint(int code);

// What the system says by `code` (errno), as an Error: `text` is what could not be done.
Error system_error(std::string text, const std::string& path, int code);

}  // namespace idxfsck::store
