// Private files (store/private_file.hpp). Promised: modes 0600 and 0700, links refused, replacement
// in one step with nothing left behind, every write error told. Method: a scratch folder, /dev/full
// for the full disk, a pipe and links for what is no plain file.

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <optional>

#include <sys/stat.h>

#include "scratch_folder.hpp"
#include "store/private_file.hpp"

using namespace idxfsck::store;

namespace files = std::filesystem;

namespace {

unsigned mode_of(const std::string& path) {
    struct stat seen = {};
    REQUIRE(::lstat(path.c_str(), &seen) == 0);
    return seen.st_mode & 0777;
}

std::size_t count_in(const std::string& path) {
    return static_cast<std::size_t>(
        std::distance(files::directory_iterator{path}, files::directory_iterator{}));
}

std::string hint_of(const std::function<void()>& work) {
    try {
        work();
    } catch (const Error& error) {
        REQUIRE_FALSE(error.text().empty());
        REQUIRE(error.fields().at(0).first == "path");
        return error.hint();
    }
    return "no error";
}

}  // namespace

TEST_CASE("a replaced file is whole, private, and alone in its folder") {
    const ScratchFolder folder;
    const std::string path = folder.path() + "/plan.ndjson";
    const mode_t before = ::umask(0);
    replace_file(path, "one");
    REQUIRE(mode_of(path) == 0600);
    ::chmod(path.c_str(), 0666);
    const Bytes large(300'000, 'x');
    replace_file(path, large);
    REQUIRE(mode_of(path) == 0600);
    REQUIRE(read_file(path, 1 << 20) == large);
    replace_file(folder.path() + "/metrics", "", Audience::everyone);
    ::umask(077);
    replace_file(folder.path() + "/metrics", "1", Audience::everyone);
    ::umask(before);
    REQUIRE(mode_of(folder.path() + "/metrics") == 0644);
    REQUIRE(count_in(folder.path()) == 2);
}

TEST_CASE("a replacement that is not committed changes nothing and leaves nothing") {
    const ScratchFolder folder;
    const std::string path = folder.path() + "/plan.ndjson";
    replace_file(path, "old");
    {
        FileReplacement file{path};
        file.write(Bytes(200'000, 'x'));
        REQUIRE(count_in(folder.path()) == 2);
        REQUIRE(read_file(path, 10) == "old");
    }
    REQUIRE(count_in(folder.path()) == 1);
    REQUIRE(read_file(path, 10) == "old");
}

TEST_CASE("a replacement replaces a link, not what it points to") {
    const ScratchFolder folder;
    const std::string target = folder.path() + "/precious";
    const std::string link = folder.path() + "/link";
    replace_file(target, "keep");
    files::create_symlink(target, link);
    replace_file(link, "new");
    REQUIRE(read_file(target, 10) == "keep");
    REQUIRE(read_file(link, 10) == "new");
    REQUIRE_FALSE(files::is_symlink(link));
}

TEST_CASE("links are refused where a file is opened, unless they may be followed") {
    const ScratchFolder folder;
    const std::string target = folder.path() + "/target";
    const std::string link = folder.path() + "/link";
    replace_file(target, "text");
    files::create_symlink(target, link);
    const std::string hint = "it is a link; name the file itself";
    REQUIRE(hint_of([&] { read_file(link, 10); }) == hint);
    REQUIRE(hint_of([&] { AppendFile::open(link); }) == hint);
    REQUIRE_THROWS_AS(AppendFile::create(link), Error);
    REQUIRE(read_file(link, 10, Links::follow) == "text");
    files::create_directory_symlink(folder.path(), folder.path() + "/folder-link");
    REQUIRE(hint_of([&] { make_private_folder(folder.path() + "/folder-link"); }) == hint);
}

TEST_CASE("an appended file grows, is cut, and comes back") {
    const ScratchFolder folder;
    const std::string path = folder.path() + "/journal.ndjson";
    {
        AppendFile file = AppendFile::create(path);
        REQUIRE(mode_of(path) == 0600);
        file.append("one\n");
        file.append("tw");
        file.sync();
        REQUIRE(file.size() == 6);
    }
    REQUIRE(hint_of([&] { AppendFile::create(path); }) ==
            "it is there already; choose another name, or remove it");
    AppendFile file = AppendFile::open(path);
    file.truncate(4);
    file.append("three\n");
    REQUIRE(read_file(path, 100) == "one\nthree\n");
    REQUIRE_THROWS_AS(AppendFile::open(folder.path() + "/none"), Error);
}

TEST_CASE("a lock is held by one at a time") {
    const ScratchFolder folder;
    const std::string path = folder.path() + "/journal.ndjson";
    AppendFile::create(path);
    AppendFile second = AppendFile::open(path);
    {
        AppendFile first = AppendFile::open(path);
        REQUIRE(first.try_lock());
        REQUIRE_FALSE(second.try_lock());
    }
    REQUIRE(second.try_lock());
}

TEST_CASE("a full disk, a read-only one and a missing folder are told apart") {
    const std::string full = "free space on the disk and run this again";
    REQUIRE(hint_of([] { AppendFile::open("/dev/full").append("x"); }) == full);
    REQUIRE(hint_of([] { throw system_error("cannot write", "x", EDQUOT); }) == full);
    REQUIRE(hint_of([] { throw system_error("cannot write", "x", EROFS); }) ==
            "choose a folder on a disk that is writable");
    const ScratchFolder folder;
    REQUIRE(hint_of([&] { replace_file(folder.path() + "/no/file", ""); }) ==
            "look at the spelling of the path");
    REQUIRE(count_in(folder.path()) == 0);
}

TEST_CASE("reading has a limit and wants a regular file") {
    const ScratchFolder folder;
    const std::string path = folder.path() + "/file";
    replace_file(path, Bytes(100'000, 'x'));
    REQUIRE(read_file(path, 100'000).size() == 100'000);
    REQUIRE_THROWS_AS(read_file(path, 99'999), Error);
    REQUIRE_THROWS_AS(read_file(folder.path(), 10), Error);
    REQUIRE_THROWS_AS(read_file(folder.path() + "/none", 10), Error);
    const std::string pipe = folder.path() + "/pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    REQUIRE_THROWS_AS(read_file(pipe, 10), Error);
    REQUIRE_THROWS_AS(read_file("/dev/zero", 10), Error);
    replace_file(path, "");
    REQUIRE(read_file(path, 0).empty());
}

TEST_CASE("folders are made private, with those above them, and shared ones are refused") {
    const ScratchFolder folder;
    const std::string deep = folder.path() + "/a/b/c";
    make_private_folder(deep);
    make_private_folder(deep);
    REQUIRE(mode_of(deep) == 0700);
    REQUIRE(mode_of(folder.path() + "/a") == 0700);
    make_private_folder(".");
    make_private_folder("/tmp");
    ::chmod(deep.c_str(), 0755);
    make_private_folder(deep);
    REQUIRE(mode_of(deep) == 0755);
    ::chmod(deep.c_str(), 0777);
    REQUIRE_THROWS_AS(make_private_folder(deep), Error);
    replace_file(folder.path() + "/file", "");
    REQUIRE_THROWS_AS(make_private_folder(folder.path() + "/file"), Error);
    REQUIRE_THROWS_AS(make_private_folder(folder.path() + "/file/below"), Error);
}
