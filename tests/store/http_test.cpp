// The HTTP client: what goes over the wire, and what it makes of every kind of answer.
//
// Method: a server on this machine with a script. The expected signature is worked out here from
// the published steps of Signature Version 4, with OpenSSL's HMAC.

#include <catch2/catch.hpp>

#include <openssl/hmac.h>
#include <openssl/sha.h>

#include "loopback_server.hpp"
#include "scripted_world.hpp"
#include "store/http/address.hpp"
#include "store/http/backoff.hpp"
#include "store/http/curl_transport.hpp"

using namespace idxfsck::store;

namespace {

HttpResult ask(Transport& transport, HttpRequest request) {
    return transport.start(std::move(request)).get();
}

HttpRequest request_to(const LoopbackServer& server) {
    HttpRequest request;
    request.url = server.url() + "/";
    request.total_ms_max = 5000;
    return request;
}

Bytes hmac(BytesView key, BytesView text) {
    unsigned char out[SHA256_DIGEST_LENGTH];
    unsigned size = sizeof out;
    HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
         reinterpret_cast<const unsigned char*>(text.data()), text.size(), out, &size);
    return {reinterpret_cast<const char*>(out), size};
}

Bytes sha256_hex(BytesView text) {
    unsigned char out[SHA256_DIGEST_LENGTH];
    SHA256(reinterpret_cast<const unsigned char*>(text.data()), text.size(), out);
    return to_hex({reinterpret_cast<const char*>(out), sizeof out});
}

// The value of a header of a request, as it was sent.
std::string sent(const std::string& request, const std::string& name) {
    const std::size_t at = request.find("\r\n" + name + ": ");
    if (at == std::string::npos) return {};
    const std::size_t begin = at + name.size() + 4;
    return request.substr(begin, request.find("\r\n", begin) - begin);
}

}  // namespace

TEST_CASE("a request arrives as it is, and connections are used again") {
    LoopbackServer server{{{http_answer(200, "one", "X-Thing:  a b \r\n"), false},
                           {http_answer(404, "two"), false}, {http_answer(200, ""), false}}};
    CurlTransport transport;
    HttpRequest request = request_to(server);
    request.headers = {{"X-Amz-Target", "Thing.Do"}, {"X-Split", "a\r\nX-Other: b"}};
    request.body = Bytes("{\"a\":\0}", 7);
    HttpResult result = ask(transport, request);
    REQUIRE(result.failure.empty());
    REQUIRE(result.status == 200);
    REQUIRE(result.body == "one");
    REQUIRE(result.header("x-thing") == "a b");
    REQUIRE(result.header("x-other").empty());
    result = ask(transport, request);
    REQUIRE(result.status == 404);
    REQUIRE(result.body == "two");
    request.method = "PUT";
    REQUIRE(ask(transport, request).status == 200);
    const std::vector<std::string> requests = server.requests();
    REQUIRE(requests.size() == 3);
    REQUIRE(requests[0].starts_with("POST / HTTP/1.1\r\n"));
    REQUIRE(requests[2].starts_with("PUT / HTTP/1.1\r\n"));
    REQUIRE(requests[0].ends_with(request.body));
    REQUIRE(sent(requests[0], "X-Amz-Target") == "Thing.Do");
    // A value with a line end in it would be two headers: it is left out.
    REQUIRE(requests[0].find("X-Other") == std::string::npos);
    REQUIRE(server.connections() == 1);
}

TEST_CASE("a signature is that of the published steps, at the time that the request gives") {
    LoopbackServer server{{{http_answer(200, ""), false}}};
    CurlTransport transport;
    HttpRequest request = request_to(server);
    request.headers = {{"Content-Type", "application/x-amz-json-1.0"},
                       {"X-Amz-Target", "DynamoDB_20120810.ListTables"}};
    request.body = "{\"Limit\":1}";
    request.signing = Signing{"eu-west-1", "dynamodb", "AKIDEXAMPLE", "wJalrXUtnFEMI:K7MDENG",
                              "token/of+session==", 1'440'938'160'000};
    REQUIRE(ask(transport, request).status == 200);
    const std::string seen = server.requests().at(0);
    REQUIRE(sent(seen, "X-Amz-Date") == "20150830T123600Z");
    const Bytes host = server.url().substr(7);
    const Bytes names = "content-type;host;x-amz-date;x-amz-security-token;x-amz-target";
    const Bytes canonical = "POST\n/\n\ncontent-type:application/x-amz-json-1.0\nhost:" + host +
                            "\nx-amz-date:20150830T123600Z\nx-amz-security-token:token/of+session=="
                            "\nx-amz-target:DynamoDB_20120810.ListTables\n\n" + names + "\n" +
                            sha256_hex(request.body);
    const Bytes scope = "20150830/eu-west-1/dynamodb/aws4_request";
    const Bytes to_sign =
        "AWS4-HMAC-SHA256\n20150830T123600Z\n" + scope + "\n" + sha256_hex(canonical);
    Bytes key = hmac("AWS4wJalrXUtnFEMI:K7MDENG", "20150830");
    for (const BytesView part : {"eu-west-1", "dynamodb", "aws4_request"}) key = hmac(key, part);
    REQUIRE(sent(seen, "Authorization") ==
            "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/" + scope + ", SignedHeaders=" + names +
                ", Signature=" + to_hex(hmac(key, to_sign)));
    REQUIRE(seen.find("wJalr") == std::string::npos);
}

TEST_CASE("an answer that is cut, too large or no HTTP is a failure, never a short body") {
    const std::string whole = http_answer(200, std::string(1000, 'x'));
    LoopbackServer server{{{whole.substr(0, whole.size() - 1), true},
                           {whole, true},
                           {"HTTP/1.1 200 OK\r\nX: " + std::string(100'000, 'y') + "\r\n", true},
                           {"", true},
                           {"what?\r\n\r\n", true},
                           {whole, true}}};
    CurlTransport transport;
    HttpRequest request = request_to(server);
    request.response_bytes_max = 999;
    HttpResult cut = ask(transport, request);
    REQUIRE_FALSE(cut.failure.empty());
    REQUIRE(cut.body.empty());
    for (const bool helps : {false, false, true, true}) {
        const HttpResult result = ask(transport, request);
        CAPTURE(result.failure);
        REQUIRE_FALSE(result.failure.empty());
        REQUIRE(result.status == 0);
        REQUIRE(result.body.empty());
        REQUIRE(result.may_help == helps);
    }
    request.response_bytes_max = 1000;
    REQUIRE(ask(transport, request).body.size() == 1000);
}

// The request may have been done: a write that is sent again by itself looks like somebody else's.
TEST_CASE("a request that got no answer on a used connection is not sent again behind one's back") {
    LoopbackServer server{{{http_answer(200, "one"), false},
                           {"", true},
                           {http_answer(200, "three"), false}}};
    CurlTransport transport;
    const HttpRequest request = request_to(server);
    REQUIRE(ask(transport, request).body == "one");
    const HttpResult lost = ask(transport, request);
    REQUIRE(lost.failure == "the server closed the connection without an answer");
    REQUIRE(lost.may_help);
    REQUIRE(server.requests().size() == 2);
    REQUIRE(ask(transport, request).body == "three");
}

TEST_CASE("many requests are in flight at once, and each gets its own answer") {
    std::vector<LoopbackServer::Answer> script(40);
    for (std::size_t index = 0; index < script.size(); ++index) {
        script[index].bytes = http_answer(200, std::to_string(index));
    }
    LoopbackServer server{script};
    CurlTransport transport;
    std::vector<std::future<HttpResult>> futures;
    for (std::size_t index = 0; index < script.size(); ++index) {
        futures.push_back(transport.start(request_to(server)));
    }
    std::vector<int> seen;
    // The server serves one connection at a time and then the next: some find it closed.
    for (auto& future : futures) {
        const HttpResult result = future.get();
        if (result.failure.empty()) seen.push_back(std::stoi(result.body));
    }
    std::sort(seen.begin(), seen.end());
    REQUIRE(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
    REQUIRE_FALSE(seen.empty());
}

TEST_CASE("a transport that goes fails what is under way") {
    LoopbackServer server{{}};
    auto transport = std::make_unique<CurlTransport>();
    HttpRequest request = request_to(server);
    auto future = transport->start(request);
    transport.reset();
    REQUIRE_FALSE(future.get().failure.empty());
}

TEST_CASE("plain HTTP goes to this machine only, and to metadata where it may") {
    struct Example {
        const char* url;
        bool loopback;
        bool metadata;
    };
    for (const Example& example : std::initializer_list<Example>{
             {"http://127.0.0.1:8000/", true, true},
             {"http://127.8.9.1", true, true},
             {"http://localhost:4567", true, true},
             {"http://LOCALHOST:4567", true, true},
             {"http://[::1]:4567", true, true},
             {"http://169.254.169.254/latest", false, true},
             {"http://169.254.170.2/v2", false, true},
             {"http://[fd00:ec2::254]/latest", false, true},
             {"http://169.254.169.253/", false, false},
             {"http://127.0.0.1.example.org/", false, false},
             {"http://127.example.org/", false, false},
             {"http://localhost.example.org/", false, false},
             {"http://dynamodb.eu-west-1.amazonaws.com/", false, false},
             {"https://dynamodb.eu-west-1.amazonaws.com/", true, true},
         }) {
        CAPTURE(example.url);
        const std::optional<HttpAddress> address = parse_address(example.url);
        REQUIRE(address);
        REQUIRE(may_send(*address, PlainHttp::loopback) == example.loopback);
        REQUIRE(may_send(*address, PlainHttp::metadata) == example.metadata);
    }
    for (const char* const url : {"", "/x", "ftp://localhost/", "file:///etc/passwd", "localhost",
                                  "http://user:word@localhost/", "http://"}) {
        CAPTURE(url);
        REQUIRE_FALSE(parse_address(url));
    }
    REQUIRE(parse_address("http://[::1]:4567/a?b")->text() == "http://[::1]:4567");
    CurlTransport transport;
    HttpRequest request;
    request.url = "http://192.0.2.1/";
    const HttpResult result = ask(transport, request);
    REQUIRE(result.failure.find("https") != Bytes::npos);
    REQUIRE_FALSE(result.may_help);
}

TEST_CASE("a stop ends waits that are under way, and all later ones") {
    const std::unique_ptr<Clock> clock = make_system_clock();
    const std::int64_t begin_ms = clock->steady_ms();
    std::vector<std::thread> sleepers;
    for (int number = 0; number < 3; ++number) {
        sleepers.emplace_back([&] { clock->sleep_ms(600'000); });
    }
    clock->stop();
    for (std::thread& sleeper : sleepers) sleeper.join();
    clock->sleep_ms(600'000);
    REQUIRE(clock->stopped());
    REQUIRE(clock->steady_ms() - begin_ms < 60'000);
    REQUIRE_FALSE(system_clock().stopped());
}

TEST_CASE("nobody waits for another try once the run is to end") {
    ScriptedClock clock;
    const Random random = [] { return 0.5; };
    Backoff backoff{{100, 1000, 4000}, clock, random};
    clock.while_asleep = [&] { clock.stop(); };
    REQUIRE_FALSE(backoff.wait());
    REQUIRE_FALSE(backoff.wait());
    REQUIRE(clock.slept.size() == 1);
    REQUIRE(backoff.stopped());
}

TEST_CASE("waits grow with full jitter and end at the deadline") {
    ScriptedClock clock;
    double chance = 0.5;
    const Random random = [&] { return chance; };
    Backoff backoff{{100, 1000, 4000}, clock, random};
    while (backoff.wait()) {}
    REQUIRE(clock.slept ==
            std::vector<std::int64_t>{50, 100, 200, 400, 500, 500, 500, 500, 500, 500});
    REQUIRE(backoff.left_ms() == 250);
    // A wait of no length is a wait: the deadline still comes, by the time that requests take.
    chance = 0.0;
    clock.now_ms += 249;
    REQUIRE(backoff.wait());
    clock.now_ms += 1;
    REQUIRE_FALSE(backoff.wait());
    REQUIRE(backoff.left_ms() == 1);
}
