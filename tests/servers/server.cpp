#include "server.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <exception>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace idxfsck::servers {

namespace {

constexpr int start_ms_max = 90'000;
constexpr int answer_ms_max = 60'000;
constexpr int stop_ms_max = 10'000;

// Both ends are closed in every child but the one that they are given to: a server whose standard
// input some other child held open would not end.
struct Pipe {
    Pipe() { REQUIRE(::pipe2(ends, O_CLOEXEC) == 0); }
    int ends[2];
};

pid_t spawn(std::vector<std::string> words, int input, int output) {
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);

    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    // A group of its own, so that the last resort reaches all that it started and nothing else.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    posix_spawnattr_setpgroup(&attributes, 0);

    pid_t child = -1;
    const int failed =
        ::posix_spawnp(&child, arguments[0], &files, &attributes, arguments.data(), environ);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    REQUIRE(failed == 0);
    return child;
}

// Whether there is something to read, or the end, within the time.
bool readable(int file, int wait_ms) {
    pollfd waiting{file, POLLIN, 0};
    while (true) {
        const int ready = ::poll(&waiting, 1, wait_ms);
        if (ready >= 0 || errno != EINTR) return ready > 0;
    }
}

// More bytes, or false at the end.
bool read_more(int file, std::string& text) {
    char buffer[4096];
    ssize_t got = -1;
    do {
        got = ::read(file, buffer, sizeof buffer);
    } while (got < 0 && errno == EINTR);
    if (got > 0) text.append(buffer, static_cast<std::size_t>(got));
    return got > 0;
}

// False if the other side is gone, without the signal that would end the test program.
bool write_all(int file, std::string_view text) {
    sigset_t broken_pipe;
    sigset_t before;
    sigemptyset(&broken_pipe);
    sigaddset(&broken_pipe, SIGPIPE);
    ::pthread_sigmask(SIG_BLOCK, &broken_pipe, &before);
    while (!text.empty()) {
        const ssize_t written = ::write(file, text.data(), text.size());
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) break;
        text.remove_prefix(static_cast<std::size_t>(written));
    }
    const timespec at_once{};
    if (!text.empty()) ::sigtimedwait(&broken_pipe, nullptr, &at_once);
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return text.empty();
}

}  // namespace

Server::Server(const std::vector<std::string>& words) {
    start(words);
    description_ = read_line(start_ms_max);
    const nlohmann::json said = nlohmann::json::parse(description_, nullptr, false);
    if (said.is_object() && said.contains("endpoint")) {
        endpoint_ = said["endpoint"];
        return;
    }
    stop();
    if (!said.is_object() || !said.contains("missing")) {
        FAIL("the server " << words.front() << " did not start: " << description_);
    }
    const std::string why = said["missing"];
    const char* required = std::getenv("CI");
    if (required != nullptr && *required != '\0') FAIL("a server is missing: " << why);
    WARN("SKIPPED: " << why);
}

Server::~Server() {
    // What fails in a test case leaves by an exception, so the log of a test that failed stays.
    if (runs() && std::uncaught_exceptions() == 0) write_all(orders_, "{\"passed\": true}\n");
    stop();
}

void Server::start(const std::vector<std::string>& words) {
    const Pipe orders;
    const Pipe answers;
    std::vector<std::string> command{"python3", IDXFSCK_TESTS_FOLDER "/servers/start.py"};
    command.insert(command.end(), words.begin(), words.end());
    process_ = spawn(command, orders.ends[0], answers.ends[1]);
    ::close(orders.ends[0]);
    ::close(answers.ends[1]);
    orders_ = orders.ends[1];
    answers_ = answers.ends[0];
}

std::string Server::ask(std::string_view order) {
    REQUIRE(runs());
    REQUIRE(order.find('\n') == std::string_view::npos);
    REQUIRE(write_all(orders_, std::string{order} + "\n"));
    return read_line(answer_ms_max);
}

std::string Server::read_line(int wait_ms) {
    while (unread_.find('\n') == std::string::npos) {
        if (!readable(answers_, wait_ms)) return "it said nothing in time";
        if (!read_more(answers_, unread_)) return "it ended";
    }
    const std::size_t end = unread_.find('\n');
    const std::string line = unread_.substr(0, end);
    unread_.erase(0, end + 1);
    return line;
}

void Server::stop() noexcept {
    if (process_ < 0) return;
    ::close(orders_);
    // It has ended when its standard output has.
    std::string ignored;
    bool ended = false;
    while (!ended && readable(answers_, stop_ms_max)) ended = !read_more(answers_, ignored);
    if (!ended) ::kill(-process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    ::close(answers_);
    process_ = -1;
}

}  // namespace idxfsck::servers
