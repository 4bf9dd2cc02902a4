#include "dynalite.hpp"

#include <catch2/catch.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace idxfsck::store {

namespace {

constexpr int start_tries_max = 1'000;
constexpr int try_ms = 10;

std::string folder() { return IDXFSCK_BUILD_FOLDER "/dynalite"; }
std::string program() { return folder() + "/node_modules/dynalite/cli.js"; }

// Whether it is there, whole. Tests run beside each other: one brings it, the others wait.
bool bring() {
    const std::string done = folder() + "/complete";
    if (std::filesystem::exists(done)) return true;
    const std::string install = "test -e complete || { npm install --no-audit --no-fund --silent "
                                "--save-exact dynalite@4.0.0 >/dev/null 2>&1 && touch complete; }";
    const std::string command = "mkdir -p '" + folder() + "' && cd '" + folder() +
                                "' && flock lock sh -c '" + install + "'";
    return std::system(command.c_str()) == 0 && std::filesystem::exists(done);
}

sockaddr_in address_of(int port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    return address;
}

int free_port() {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address = address_of(0);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    REQUIRE(::bind(socket, generic, size) == 0);
    REQUIRE(::getsockname(socket, generic, &size) == 0);
    ::close(socket);
    return ntohs(address.sin_port);
}

bool answers(int port) {
    const int socket = ::socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in address = address_of(port);
    const int code = ::connect(socket, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    ::close(socket);
    return code == 0;
}

}  // namespace

Dynalite::Dynalite() {
    if (!bring()) {
        WARN("SKIPPED: dynalite cannot be had: it needs npm and the npm registry");
        return;
    }
    const int port = free_port();
    std::string words[] = {"node", program(), "--host", "127.0.0.1", "--port",
                           std::to_string(port), "--createTableMs", "0", "--deleteTableMs", "0",
                           "--updateTableMs", "0"};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", 1, 0);
    REQUIRE(::posix_spawnp(&process_, "node", &files, nullptr, arguments.data(), environ) == 0);
    posix_spawn_file_actions_destroy(&files);
    for (int tries = 0; tries < start_tries_max && !answers(port); ++tries) {
        ::poll(nullptr, 0, try_ms);
    }
    REQUIRE(answers(port));
    endpoint_ = "http://127.0.0.1:" + std::to_string(port);
}

Dynalite::~Dynalite() {
    if (process_ < 0) return;
    ::kill(process_, SIGTERM);
    ::waitpid(process_, nullptr, 0);
}

}  // namespace idxfsck::store
