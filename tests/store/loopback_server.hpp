// tests/store/loopback_server.hpp
//
// A server on this machine that says what a test wrote down, byte for byte, whatever it is asked.
//
// Shape    One connection at a time. Each request gets the next answer of the script; with none
//          left, and after an answer that ends with `hang_up`, the connection is closed.

#pragma once

#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace idxfsck::store {

class LoopbackServer {
public:
    struct Answer {
        std::string bytes;
        bool hang_up = false;
    };

    explicit LoopbackServer(std::vector<Answer> script);
    ~LoopbackServer();
    LoopbackServer(const LoopbackServer&) = delete;
    LoopbackServer& operator=(const LoopbackServer&) = delete;

    std::string url() const { return "http://127.0.0.1:" + std::to_string(port_); }
    // What came, in order: head and body.
    std::vector<std::string> requests() const;
    std::size_t connections() const;

private:
    void run();
    void serve(int connection);

    std::vector<Answer> script_;
    std::size_t next_ = 0;
    int listener_ = -1;
    int port_ = 0;
    mutable std::mutex mutex_;
    std::vector<std::string> requests_;
    std::size_t connections_ = 0;
    std::thread thread_;
};

// An answer with its length: a head of the status, and the body.
std::string http_answer(int status, const std::string& body, const std::string& headers = {});

}  // namespace idxfsck::store
