// A server that a test starts answers, does as it is told, and is gone with its object.

#include "server.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <optional>
#include <string>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

using idxfsck::servers::Server;

namespace {

// A connection to the port of the endpoint, or less than zero where nobody listens.
int connect_to(const std::string& endpoint) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(
        static_cast<std::uint16_t>(std::stoul(endpoint.substr(endpoint.rfind(':') + 1))));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int file = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    REQUIRE(file >= 0);
    if (::connect(file, reinterpret_cast<sockaddr*>(&address), sizeof address) == 0) return file;
    ::close(file);
    return -1;
}

std::string answer_to(const std::string& endpoint, const std::string& request) {
    const int file = connect_to(endpoint);
    REQUIRE(file >= 0);
    REQUIRE(::send(file, request.data(), request.size(), MSG_NOSIGNAL) ==
            static_cast<ssize_t>(request.size()));
    std::string answer;
    char buffer[4096];
    for (ssize_t got = 0; (got = ::recv(file, buffer, sizeof buffer, 0)) > 0;) {
        answer.append(buffer, static_cast<std::size_t>(got));
    }
    ::close(file);
    return answer;
}

}  // namespace

TEST_CASE("dynalite answers at the endpoint that it is said to have, and is gone afterwards") {
    std::string endpoint;
    {
        const Server server{"dynalite"};
        if (!server.runs()) return;
        endpoint = server.endpoint();
        CHECK(endpoint.rfind("http://127.0.0.1:", 0) == 0);
        const std::string answer =
            answer_to(endpoint, "GET / HTTP/1.0\r\nHost: dynamodb.test\r\n\r\n");
        CHECK(answer.find("200 OK") != std::string::npos);
        CHECK(answer.find("healthy") != std::string::npos);
    }
    CHECK(connect_to(endpoint) < 0);
}

TEST_CASE("two servers at once have ports and lives of their own") {
    std::optional<Server> first;
    first.emplace("dynalite");
    if (!first->runs()) return;
    const Server second{"dynalite"};
    CHECK(first->endpoint() != second.endpoint());
    const std::string gone = first->endpoint();
    first.reset();
    CHECK(connect_to(gone) < 0);
    const int file = connect_to(second.endpoint());
    CHECK(file >= 0);
    ::close(file);
}

TEST_CASE("an order that a server does not know is answered, and does not end it") {
    Server server{"dynalite"};
    if (!server.runs()) return;
    CHECK(nlohmann::json::parse(server.ask(R"({"dance": true})")).contains("error"));
    CHECK(nlohmann::json::parse(server.ask(R"({"passed": true})"))["passed"] == true);
}

TEST_CASE("a fault that was ordered befalls the request that it is for, and is counted") {
    Server server{"dynalite", "--proxy"};
    if (!server.runs()) return;
    const std::string request =
        "GET / HTTP/1.1\r\nHost: dynamodb.test\r\nConnection: close\r\n\r\n";
    const auto status = [&] { return answer_to(server.endpoint(), request).substr(0, 12); };
    server.ask(R"({"plan": {"faults": [{"fault": "unavailable", "at": [2]}, {"fault": "cut"}]}})");
    CHECK(status() == "HTTP/1.1 200");
    CHECK(status() == "HTTP/1.1 503");
    CHECK(status() == "HTTP/1.1 200");
    const nlohmann::json counts = nlohmann::json::parse(server.ask(R"({"counts": true})"));
    CHECK(counts["requests"]["GET"] == 3);
    CHECK(counts["faults"] == nlohmann::json{{"cut", 2}, {"unavailable", 1}});
}
