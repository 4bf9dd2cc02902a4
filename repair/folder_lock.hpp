// repair/folder_lock.hpp
//
// One program at a time works in a folder: an audit on its output, an executor on a plan.
//
// Shape    A file with the owner's pid, host and start time, locked with flock(2): the kernel frees
//          it when the owner is gone, however it went. What a dead owner of this host left behind
//          is taken over, and takeover_note() says so. An owner on another host cannot be asked:
//          refused until the file is removed by hand.
// Errors   Error (refused) with pid, host and since; Error (could_not_tell) if the file cannot be
//          made.

#pragma once

#include <cstdint>
#include <string>

namespace idxfsck::repair {

class FolderLock {
public:
    // `name` is that of the lock file: "idxfsck.lock".
    FolderLock(const std::string& folder, const std::string& name, std::int64_t now_ms);
    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(FolderLock&&) = delete;
    ~FolderLock();
    FolderLock(const FolderLock&) = delete;
    FolderLock& operator=(const FolderLock&) = delete;

    // "taken over from process 4711, which began at … and is gone"; empty if the lock was free.
    const std::string& takeover_note() const { return takeover_note_; }

private:
    std::string path_;
    std::string takeover_note_;
    int file_ = -1;
};

}  // namespace idxfsck::repair
