#include "store/aws/process.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace idxfsck::store {

namespace {

constexpr std::size_t output_bytes_max = 64 << 10;
constexpr std::chrono::seconds duration_max{60};

using Moment = std::chrono::steady_clock::time_point;

std::optional<pid_t> start(const std::string& command, int output) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    std::string shell = "sh";
    std::string option = "-c";
    std::string text = command;
    char* const arguments[] = {shell.data(), option.data(), text.data(), nullptr};
    pid_t child = 0;
    const int code = posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (code != 0) return std::nullopt;
    return child;
}

// All that comes until the end; nothing if it is too much or takes too long.
std::optional<Bytes> read_all(int input, Moment deadline) {
    Bytes out;
    while (true) {
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        if (left.count() <= 0) return std::nullopt;
        pollfd waited{input, POLLIN, 0};
        const int ready = ::poll(&waited, 1, static_cast<int>(left.count()));
        if (ready < 0 && errno == EINTR) continue;
        if (ready <= 0) return std::nullopt;
        char bytes[4096];
        const ssize_t size = ::read(input, bytes, sizeof bytes);
        if (size < 0 && errno == EINTR) continue;
        if (size < 0) return std::nullopt;
        if (size == 0) return out;
        out.append(bytes, static_cast<std::size_t>(size));
        if (out.size() > output_bytes_max) return std::nullopt;
    }
}

bool ended_well(pid_t child) {
    int status = 0;
    while (::waitpid(child, &status, 0) < 0) {
        if (errno != EINTR) return false;
    }
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

}  // namespace

std::optional<Bytes> run_process(const std::string& command) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return std::nullopt;
    const std::optional<pid_t> child = start(command, ends[1]);
    ::close(ends[1]);
    std::optional<Bytes> output;
    if (child) {
        output = read_all(ends[0], std::chrono::steady_clock::now() + duration_max);
        // What did not end by itself is ended, with all that it started.
        if (!output) ::kill(-*child, SIGKILL);
    }
    ::close(ends[0]);
    if (!child || !ended_well(*child)) return std::nullopt;
    return output;
}

}  // namespace idxfsck::store
