// tests/servers/server.hpp
//
// A real server for a test: started on a free port of loopback, gone with the object.
//
//     const servers::Server dynalite{"dynalite"};
//     if (!dynalite.runs()) return;  // has said why
//     use(dynalite.endpoint());
//
// The server is a child that ends with its standard input, so it outlives neither this object nor
// a test program that dies. Its log stays in build/servers/logs if the test failed.
//
// Errors   A server that is here but does not start fails the test case. One that cannot be had
//          here is a warning that begins with "SKIPPED: ", and with CI set a failure.
// Threads  Each object belongs to one thread; several servers may run at once.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

namespace idxfsck::servers {

class Server {
public:
    // Starts tests/servers/start.py with these words and waits until the server answers:
    // Server{"dynalite"}, Server{"dynalite", "--path", folder}.
    template <typename... Words>
    explicit Server(std::string_view name, const Words&... words)
        : Server{std::vector<std::string>{std::string{name}, std::string{words}...}} {}
    explicit Server(const std::vector<std::string>& words);
    ~Server();
    Server(const Server&) = delete;
    Server& operator=(const Server&) = delete;

    // Whether it runs. False only where it cannot be had, which has then been said.
    bool runs() const { return !endpoint_.empty(); }

    // http://127.0.0.1:PORT, without a slash at the end.
    const std::string& endpoint() const { return endpoint_; }

    // The whole first line of JSON that it said of itself.
    const std::string& description() const { return description_; }

    // Gives an order, a JSON object on one line, and returns the answer, one line of JSON.
    // The orders stand in README.md.
    std::string ask(std::string_view order);

private:
    void start(const std::vector<std::string>& words);
    std::string read_line(int wait_ms);
    void stop() noexcept;

    pid_t process_ = -1;
    int orders_ = -1;
    int answers_ = -1;
    std::string unread_;
    std::string endpoint_;
    std::string description_;
};

}  // namespace idxfsck::servers
