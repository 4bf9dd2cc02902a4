// Several writes as one request of the table service, and its answer: byte for byte.

#include <catch2/catch.hpp>

#include "azure_tables_rows.hpp"
#include "store/azure_tables/batch_text.hpp"

using namespace idxfsck::store;

TEST_CASE("a batch is one changeset of requests as each would be by itself") {
    const TableCall insertion{"POST", "/users", {}, {{"Content-Type", "application/json"}},
                              "{\"PartitionKey\":\"p\"}", "Insert Entity"};
    const TableCall deletion{"DELETE", "/users(PartitionKey=%27p%27,RowKey=%27r%27)", {},
                             {{"If-Match", "W/\"7\""}}, {}, "Delete Entity"};
    const std::vector<Bytes> parts{batch_part(insertion, "https://shop.example"),
                                   batch_part(deletion, "https://shop.example")};
    const TableCall call = batch_call(parts);
    REQUIRE(call.method == "POST");
    REQUIRE(call.path == "/$batch");
    const Bytes type = call.headers.at(1).value;
    const Bytes prefix = "multipart/mixed; boundary=batch_";
    REQUIRE(type.starts_with(prefix));
    const Bytes name = type.substr(prefix.size());
    REQUIRE(call.body == "--batch_" + name + "\r\n"
                         "Content-Type: multipart/mixed; boundary=changeset_" + name + "\r\n"
                         "\r\n"
                         "--changeset_" + name + "\r\n"
                         "Content-Type: application/http\r\n"
                         "Content-Transfer-Encoding: binary\r\n"
                         "\r\n"
                         "POST https://shop.example/users HTTP/1.1\r\n"
                         "Content-Type: application/json\r\n"
                         "DataServiceVersion: 3.0;\r\n"
                         "\r\n"
                         "{\"PartitionKey\":\"p\"}\r\n"
                         "--changeset_" + name + "\r\n"
                         "Content-Type: application/http\r\n"
                         "Content-Transfer-Encoding: binary\r\n"
                         "\r\n"
                         "DELETE https://shop.example/users(PartitionKey=%27p%27,RowKey=%27r%27) "
                         "HTTP/1.1\r\n"
                         "If-Match: W/\"7\"\r\n"
                         "DataServiceVersion: 3.0;\r\n"
                         "\r\n"
                         "\r\n"
                         "--changeset_" + name + "--\r\n"
                         "--batch_" + name + "--\r\n");
    REQUIRE(batch_bytes(2, parts[0].size() + parts[1].size()) == call.body.size());
    REQUIRE(batch_bytes(0, 0) == batch_call({}).body.size());
    // The name is made of what is between: rows cannot hold it.
    REQUIRE(batch_call({parts[0]}).headers.at(1).value != type);
}

TEST_CASE("the answer to a batch says that all was done, or which operation was the reason") {
    const Bytes& done = operation_done;
    BatchAnswer answer;
    REQUIRE(read_batch_answer(batch_answer(done + done), 2, answer).empty());
    REQUIRE(answer == BatchAnswer{true, std::nullopt});
    const std::vector<std::pair<Bytes, std::optional<std::size_t>>> messages{
        {"0:words", 0},          {"1:words", 1},           {"2:words", std::nullopt},
        {"words", std::nullopt}, {":words", std::nullopt}, {"-1:words", std::nullopt},
        {"1 of 2:words", std::nullopt}};
    for (const auto& [message, failed] : messages) {
        CAPTURE(message);
        REQUIRE(read_batch_answer(batch_refusal(412, "Code", message), 2, answer).empty());
        REQUIRE(answer == BatchAnswer{false, failed});
    }
    // Without a changeset, with a quoted boundary and bare line ends.
    HttpResult bare = batch_refusal(409, "Code", "1:words");
    bare.body = std::regex_replace(bare.body, std::regex{"\r"}, "");
    bare.headers[0].value = "multipart/mixed; boundary=\"batchresponse_x\"; charset=utf-8";
    REQUIRE(read_batch_answer(bare, 2, answer).empty());
    REQUIRE(answer == BatchAnswer{false, 1});
    bare.body = "--batchresponse_x\nContent-Type: application/http\n\nHTTP/1.1 400 Words\n\n"
                "no JSON\n--batchresponse_x--";
    REQUIRE(read_batch_answer(bare, 2, answer).empty());
    REQUIRE(answer == BatchAnswer{false, std::nullopt});
}

TEST_CASE("an answer to a batch that is cut, or no answer to it, is asked for again") {
    const Bytes& done = operation_done;
    BatchAnswer answer;
    const HttpResult whole = batch_answer(done + done);
    for (std::size_t size = 0; size + 2 < whole.body.size(); ++size) {
        HttpResult cut = whole;
        cut.body.resize(size);
        CAPTURE(size);
        REQUIRE_FALSE(read_batch_answer(cut, 2, answer).empty());
    }
    REQUIRE_FALSE(read_batch_answer(whole, 3, answer).empty());
    REQUIRE_FALSE(read_batch_answer(whole, 1, answer).empty());
    REQUIRE_FALSE(read_batch_answer(batch_answer(""), 2, answer).empty());
    const HttpResult nothing = batch_answer("--changesetresponse_x\r\n\r\nnothing\r\n");
    REQUIRE_FALSE(read_batch_answer(nothing, 1, answer).empty());
    REQUIRE_FALSE(read_batch_answer(answer_of(202, whole.body), 2, answer).empty());
    for (const int status : {500, 503, 429, 408}) {
        const HttpResult busy = batch_refusal(status, "ServerBusy", "0:words");
        REQUIRE_FALSE(read_batch_answer(busy, 2, answer).empty());
    }
    REQUIRE(answer == BatchAnswer{});
}
