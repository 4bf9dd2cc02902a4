#include "run_program.hpp"

#include <catch2/catch.hpp>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include <fcntl.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

namespace idxfsck::reports {

namespace {

struct Pipe {
    int read = -1;
    int write = -1;
};

Pipe make_pipe() {
    int ends[2];
    REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
    return {ends[0], ends[1]};
}

Pipe make_terminal(std::size_t columns) {
    int outer = -1;
    int inner = -1;
    winsize size{};
    size.ws_col = static_cast<unsigned short>(columns);
    size.ws_row = 24;
    REQUIRE(::openpty(&outer, &inner, nullptr, nullptr, &size) == 0);
    ::fcntl(outer, F_SETFD, FD_CLOEXEC);
    ::fcntl(inner, F_SETFD, FD_CLOEXEC);
    return {outer, inner};
}

std::string read_all(int file) {
    std::string text;
    char buffer[4096];
    while (true) {
        const ssize_t got = ::read(file, buffer, sizeof buffer);
        if (got > 0) {
            text.append(buffer, static_cast<std::size_t>(got));
        } else if (got == 0 || errno != EINTR) {  // a terminal whose other end closed gives EIO
            break;
        }
    }
    ::close(file);
    return text;
}

void interrupt(pid_t child, const std::function<bool()>& when) {
    if (!when) return;
    // A minute at most: then the test fails by what it expected of the signal.
    for (int round = 0; round < 6000; ++round) {
        if (when()) {
            ::kill(child, SIGINT);
            return;
        }
        ::usleep(10'000);
    }
}

[[noreturn]] void become_program(const std::vector<std::string>& words, const RunSettings& settings,
                                 const Pipe& in, const Pipe& out, const Pipe& error) {
    if (!settings.folder.empty() && ::chdir(settings.folder.c_str()) != 0) ::_exit(126);
    for (const auto& [name, value] : settings.environment) ::setenv(name.c_str(), value.c_str(), 1);
    ::dup2(in.read, 0);
    ::dup2(error.write, 2);
    if (settings.out_closed) {
        ::close(1);
    } else {
        const bool file = !settings.out_file.empty();
        ::dup2(file ? ::open(settings.out_file.c_str(), O_WRONLY) : out.write, 1);
    }
    std::vector<char*> arguments{const_cast<char*>(IDXFSCK_PROGRAM)};
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    ::execv(IDXFSCK_PROGRAM, arguments.data());
    ::_exit(127);
}

}  // namespace

Ran run_idxfsck(const std::vector<std::string>& words, const RunSettings& settings) {
    const Pipe in = make_pipe();
    const Pipe out = make_pipe();
    const Pipe error =
        settings.on_terminal ? make_terminal(settings.terminal_columns) : make_pipe();
    const pid_t child = ::fork();
    REQUIRE(child >= 0);
    if (child == 0) become_program(words, settings, in, out, error);
    ::close(in.read);
    ::close(out.write);
    ::close(error.write);
    Ran ran;
    std::thread writer{[&] {
        static_cast<void>(!::write(in.write, settings.input.data(), settings.input.size()));
        ::close(in.write);
    }};
    std::thread reader{[&] { ran.error = read_all(error.read); }};
    std::thread interrupter{[&] { interrupt(child, settings.interrupt_when); }};
    ran.out = read_all(out.read);
    writer.join();
    reader.join();
    interrupter.join();
    int status = 0;
    ::waitpid(child, &status, 0);
    ran.status = WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
    return ran;
}

TemporaryFolder::TemporaryFolder() {
    path_ = (std::filesystem::temp_directory_path() / "idxfsck-test-XXXXXX").string();
    REQUIRE(::mkdtemp(path_.data()) != nullptr);
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

void TemporaryFolder::write(const std::string& name, const std::string& text) const {
    std::ofstream{file(name), std::ios::binary} << text;
}

std::string TemporaryFolder::read(const std::string& name) const {
    std::ifstream in{file(name), std::ios::binary};
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

}  // namespace idxfsck::reports
