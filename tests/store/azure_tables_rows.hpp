// tests/store/azure_tables_rows.hpp
//
// The rows of a partition, played: they answer single requests and batches as the service does.

#pragma once

#include <regex>
#include <sstream>

#include <catch2/catch.hpp>

#include "azure_tables_world.hpp"

namespace idxfsck::store {

// The answer to a batch, of these answers to its operations.
inline HttpResult batch_answer(const Bytes& parts) {
    return answer_of(202,
                     "--batchresponse_x\r\nContent-Type: multipart/mixed; "
                     "boundary=changesetresponse_x\r\n\r\n" +
                         parts + "--changesetresponse_x--\r\n--batchresponse_x--\r\n",
                     {{"content-type", "multipart/mixed; boundary=batchresponse_x"}});
}

inline const Bytes operation_done =
    "--changesetresponse_x\r\nContent-Type: application/http\r\n\r\n"
    "HTTP/1.1 204 No Content\r\nETag: W/\"x\"\r\n\r\n\r\n";

// One that says why nothing was done.
inline HttpResult batch_refusal(int status, const Bytes& code, const Bytes& message) {
    return batch_answer("--changesetresponse_x\r\nContent-Type: application/http\r\n"
                        "Content-Transfer-Encoding: binary\r\n\r\nHTTP/1.1 " +
                        std::to_string(status) +
                        " Words\r\nContent-Type: application/json\r\n\r\n" +
                        table_fault(status, code, message).body + "\r\n");
}

// A partition that answers as the service does, batches too.
class Rows {
public:
    struct Stored {
        int number = 0;
        int version = 0;
    };

    HttpResult answer(const HttpRequest& request) {
        if (AzureTablesWorld::looks(request)) return page_of({});
        if (request.url.ends_with("/$batch")) return batch(request);
        const Operation one{request.method, request.url, match_in(request.headers), request.body};
        if (request.method == "GET") return look(one);
        if (request.method != "GET") ++singles;
        const int status = apply(rows, one);
        return status < 300 ? answer_of(status, "") : table_fault(status, code_of(status));
    }

    void set(const Bytes& row, int number) { rows[row] = {number, ++versions_}; }

    std::map<Bytes, Stored> rows;
    std::function<void(Rows&)> before_batch;
    int lose_replies = 0;                // of batches
    std::vector<HttpResult> instead;     // of doing a batch
    std::vector<std::size_t> batches;    // so many operations each
    std::vector<std::size_t> sizes;      // of their bodies
    int singles = 0;                     // writes by themselves

private:
    struct Operation {
        Bytes method;
        Bytes url;
        Bytes match;
        Bytes body;

        Bytes row() const {
            const std::regex pattern{method == "POST" ? "\"RowKey\":\"([^\"]*)\""
                                                      : "RowKey=%27([^%]*)%27"};
            std::smatch found;
            REQUIRE(std::regex_search(method == "POST" ? body : url, found, pattern));
            return found[1];
        }
    };

    static Bytes match_in(const std::vector<HttpHeader>& headers) {
        for (const HttpHeader& header : headers) {
            if (header.name == "If-Match") return header.value;
        }
        return {};
    }

    static Bytes tag(const Stored& stored) {
        return "W/\"" + std::to_string(stored.version) + "\"";
    }

    static Bytes code_of(int status) {
        return status == 404   ? "ResourceNotFound"
               : status == 409 ? "EntityAlreadyExists"
                               : "UpdateConditionNotSatisfied";
    }

    HttpResult look(const Operation& one) const {
        const auto found = rows.find(one.row());
        if (found == rows.end()) return table_fault(404, "ResourceNotFound");
        HttpResult out = answer_of(200, entity_json("p", found->first, found->second.number));
        out.headers.push_back({"etag", tag(found->second)});
        return out;
    }

    int apply(std::map<Bytes, Stored>& in, const Operation& one) {
        const Bytes row = one.row();
        const auto found = in.find(row);
        const bool insert = one.method == "POST";
        if (insert && found != in.end()) return 409;
        if (!insert && found == in.end()) return 404;
        if (!insert && one.match != tag(found->second)) return 412;
        if (one.method == "DELETE") in.erase(found);
        else in[row] = {std::stoi(one.body.substr(one.body.find("\"n\":") + 4)), ++versions_};
        return 204;
    }

    static std::vector<Operation> operations_in(const Bytes& body) {
        const Bytes head = "Content-Transfer-Encoding: binary\r\n\r\n";
        std::vector<Operation> out;
        for (std::size_t at = body.find(head); at != Bytes::npos; at = body.find(head, at + 1)) {
            std::istringstream lines{body.substr(at + head.size())};
            Operation& one = out.emplace_back();
            lines >> one.method >> one.url;
            for (Bytes line; std::getline(lines, line) && !line.starts_with("--");) {
                if (line.starts_with("If-Match: ")) one.match = line.substr(10, line.size() - 11);
                if (line.starts_with("{")) one.body = line;
            }
        }
        return out;
    }

    HttpResult batch(const HttpRequest& request) {
        const std::vector<Operation> operations = operations_in(request.body);
        batches.push_back(operations.size());
        sizes.push_back(request.body.size());
        if (before_batch) before_batch(*this);
        if (!instead.empty()) {
            const HttpResult said = instead.front();
            instead.erase(instead.begin());
            return said;
        }
        std::map<Bytes, Stored> after = rows;
        Bytes parts;
        for (std::size_t place = 0; place < operations.size(); ++place) {
            parts += operation_done;
            const int status = apply(after, operations[place]);
            if (status < 300) continue;
            return batch_refusal(status, code_of(status), std::to_string(place) + ":words");
        }
        rows = after;
        if (lose_replies > 0) {
            --lose_replies;
            return failure_of("the answer was lost");
        }
        return batch_answer(parts);
    }

    int versions_ = 7;
};

}  // namespace idxfsck::store
