#include "loopback_server.hpp"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

namespace idxfsck::store {

namespace {

// Head and body of one request; false at the end of the connection.
bool read_request(int connection, std::string& buffer, std::string& request) {
    while (true) {
        const std::size_t head = buffer.find("\r\n\r\n");
        if (head != std::string::npos) {
            const std::size_t at = buffer.find("Content-Length: ");
            const std::size_t body = at < head ? std::stoul(buffer.substr(at + 16)) : 0;
            if (buffer.size() >= head + 4 + body) {
                request = buffer.substr(0, head + 4 + body);
                buffer.erase(0, head + 4 + body);
                return true;
            }
        }
        char bytes[4096];
        const ssize_t size = ::recv(connection, bytes, sizeof bytes, 0);
        if (size <= 0) return false;
        buffer.append(bytes, static_cast<std::size_t>(size));
    }
}

}  // namespace

LoopbackServer::LoopbackServer(std::vector<Answer> script) : script_{std::move(script)} {
    listener_ = ::socket(AF_INET, SOCK_STREAM, 0);
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address;
    auto* const generic = reinterpret_cast<sockaddr*>(&address);
    if (listener_ < 0 || ::bind(listener_, generic, size) != 0 || ::listen(listener_, 16) != 0 ||
        ::getsockname(listener_, generic, &size) != 0) {
        std::abort();
    }
    port_ = ntohs(address.sin_port);
    thread_ = std::thread{[this] { run(); }};
}

LoopbackServer::~LoopbackServer() {
    ::shutdown(listener_, SHUT_RDWR);
    thread_.join();
    ::close(listener_);
}

std::vector<std::string> LoopbackServer::requests() const {
    const std::lock_guard lock{mutex_};
    return requests_;
}

std::size_t LoopbackServer::connections() const {
    const std::lock_guard lock{mutex_};
    return connections_;
}

void LoopbackServer::run() {
    while (true) {
        const int connection = ::accept(listener_, nullptr, nullptr);
        if (connection < 0) return;
        serve(connection);
        ::close(connection);
    }
}

void LoopbackServer::serve(int connection) {
    {
        const std::lock_guard lock{mutex_};
        ++connections_;
    }
    std::string buffer;
    std::string request;
    while (read_request(connection, buffer, request)) {
        {
            const std::lock_guard lock{mutex_};
            requests_.push_back(request);
        }
        if (next_ >= script_.size()) return;
        const Answer& answer = script_[next_++];
        ::send(connection, answer.bytes.data(), answer.bytes.size(), MSG_NOSIGNAL);
        if (answer.hang_up || next_ >= script_.size()) return;
    }
}

std::string http_answer(int status, const std::string& body, const std::string& headers) {
    return "HTTP/1.1 " + std::to_string(status) + " Status\r\nContent-Length: " +
           std::to_string(body.size()) + "\r\n" + headers + "\r\n" + body;
}

}  // namespace idxfsck::store
