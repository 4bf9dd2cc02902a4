// One executor at a time.
//
// Promised: the second is told of the first; what a dead one left is taken over with a note; a lock
// from another host is left alone. Method: real files; a forked process that dies holding the lock.

#include <fstream>

#include <catch2/catch.hpp>
#include <sys/wait.h>
#include <unistd.h>

#include "repair/folder_lock.hpp"
#include "store/error.hpp"
#include "tests/repair/temp_folder.hpp"

using namespace idxfsck;
using repair::FolderLock;

namespace {

constexpr std::int64_t now_ms = 1'700'000'000'000;

std::string field(const store::Error& error, const std::string& name) {
    for (const auto& [field_name, value] : error.fields()) {
        if (field_name == name) return value;
    }
    return "";
}

}  // namespace

TEST_CASE("a second executor is told who is at work, and since when") {
    const tests::TempFolder folder;
    const FolderLock first{folder.path(), "idxfsck.lock", now_ms};
    CHECK(first.takeover_note().empty());
    try {
        const FolderLock second{folder.path(), "idxfsck.lock", now_ms};
        FAIL("locked twice");
    } catch (const store::Error& error) {
        CHECK(error.trouble() == store::Trouble::refused);
        CHECK(field(error, "process") == std::to_string(::getpid()));
        CHECK(field(error, "since") == "2023-11-14T22:13:20Z");
    }
    const FolderLock of_another_kind{folder.path(), "other.lock", now_ms};
}

TEST_CASE("a lock that was given back is free, and leaves no file") {
    const tests::TempFolder folder;
    { const FolderLock lock{folder.path(), "idxfsck.lock", now_ms}; }
    CHECK(std::filesystem::is_empty(folder.path()));
    const FolderLock lock{folder.path(), "idxfsck.lock", now_ms};
    CHECK(lock.takeover_note().empty());
}

TEST_CASE("the lock of a process that died is taken over with a note") {
    const tests::TempFolder folder;
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        const FolderLock lock{folder.path(), "idxfsck.lock", now_ms};
        ::_exit(0);  // without giving it back
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    const FolderLock lock{folder.path(), "idxfsck.lock", now_ms};
    CHECK(lock.takeover_note() == "taken over from process " + std::to_string(child) +
                                      ", which began at 2023-11-14T22:13:20Z and is gone");
}

TEST_CASE("a lock file that was cut is taken over, one of another host is not") {
    const tests::TempFolder folder;
    const std::string path = folder.path() + "/idxfsck.lock";
    std::ofstream{path} << "{\"proc";
    { const FolderLock lock{folder.path(), "idxfsck.lock", now_ms}; }
    std::ofstream{path} << R"({"process":1,"host":"elsewhere.invalid","since":"then"})";
    try {
        const FolderLock lock{folder.path(), "idxfsck.lock", now_ms};
        FAIL("locked");
    } catch (const store::Error& error) {
        CHECK(field(error, "host") == "elsewhere.invalid");
        CHECK(error.trouble() == store::Trouble::refused);
    }
}

TEST_CASE("a lock is not made through a link, nor where there is no folder") {
    const tests::TempFolder folder;
    const std::string target = folder.path() + "/target";
    std::filesystem::create_symlink(target, folder.path() + "/idxfsck.lock");
    CHECK_THROWS_AS(FolderLock(folder.path(), "idxfsck.lock", now_ms), store::Error);
    CHECK_FALSE(std::filesystem::exists(target));
    CHECK_THROWS_AS(FolderLock(folder.path() + "/none", "idxfsck.lock", now_ms), store::Error);
}
