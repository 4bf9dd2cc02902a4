// store/azure_tables/api.hpp
//
// Calls to a table service: authorised, tried again where that may help, and answered by the whole
// body or by the fault that the service names.
//
// Shape    Tried again, with full jitter until the deadline: 503 ServerBusy, 500 OperationTimedOut
//          and the other 5xx, 408, 429, connections that fail, and answers that the caller cannot
//          read. A token that was refused is fetched anew; a clock that is wrong is put right by
//          the time in the answer.
// Units    Rate and budget are in requests, those that are tried again among them.
// Errors   Throws Error (stopped) as store/run_limits.hpp says. Throws Error, with the fields
//          `store` and `operation`, when the deadline has passed, and for what is wrong with the
//          request's right to be there. What the caller must judge (a condition that failed, a row
//          that is not there) is a Fault, a value. No text holds anything secret: addresses with a
//          signature in them are never shown.
// Threads  All calls may run at once.
// Source   "Authorize with Shared Key", "Table service error codes", Microsoft Learn.

#pragma once

#include <functional>
#include <string>

#include "store/azure/access.hpp"
#include "store/azure/token_chain.hpp"
#include "store/azure/token_claims.hpp"
#include "store/capacity.hpp"
#include "store/error.hpp"
#include "store/http/retry_loop.hpp"
#include "store/http/server_clock.hpp"

namespace idxfsck::store {

struct TableCall {
    Bytes method = "GET";
    Bytes path;   // "/users()", encoded
    Bytes query;  // "$top=1", encoded; empty: none
    std::vector<HttpHeader> headers;
    Bytes body;
    std::string operation;  // for people: "Query Entities"
    Bytes table = {};       // that it is counted for; empty: for none
    ReadKind kind = ReadKind::point;
};

// What the service says no by.
struct TableFault {
    int status = 0;
    bool own = false;  // the service's own words, not those of a gateway
    Bytes code;     // "EntityAlreadyExists"; letters only
    Bytes message;  // the service's words, cut; empty where they are not to be shown
};

struct TableReply {
    HttpResult result;
    std::optional<TableFault> fault;
    // It was sent before, and what came of that is not known: it may have been done then.
    bool maybe_done_before = false;
};

// What is wrong with an answer; empty if nothing is.
using ReplyCheck = std::function<std::string_view(HttpResult&)>;

class TablesApi {
public:
    struct Pending {
        TableCall call;
        Bytes token;  // that it was sent with, of a right by token
        std::future<HttpResult> result;
    };

    TablesApi(AzureAccess access, AzureSurroundings around, RetryLimits limits,
              double requests_a_second);

    // Sends, and goes on at once, unless the rate makes it wait.
    Pending begin(TableCall call);
    // The answer, however often it must be asked for. `check` is asked about answers of status 2xx.
    TableReply finish(Pending pending, const ReplyCheck& check = {});
    TableReply call(TableCall call, const ReplyCheck& check = {}) {
        return finish(begin(std::move(call)), check);
    }

    const AzureAccess& access() const { return access_; }
    // Where the right to ask comes from, for people.
    std::string credentials_source();
    // Of the token, where the right is one; else nothing is known.
    TokenClaims claims();
    Backoff backoff() const { return {limits_, *around_.clock, around_.random}; }
    const Random& random() const { return around_.random; }
    // For the field `store` of errors.
    const std::string& name() const { return access_.url; }
    Capacity& capacity() { return capacity_; }

private:
    void send(Pending& pending);
    void authorize(Pending& pending, HttpRequest& request);
    NextTry judge(const Pending& pending, HttpResult& result, const ReplyCheck& check,
                  TableFault& fault, std::string_view& damage);
    Error stopped_error(const std::string& operation) const;
    Error no_answer_error(const Pending& pending, const HttpResult& result,
                          const TableFault& fault, std::string_view damage, int waits) const;

    const AzureAccess access_;
    const AzureSurroundings around_;
    const RetryLimits limits_;
    Capacity capacity_;
    TokenChain chain_;
    ServerClock clock_;
};

// The value of an Authorization header: SharedKeyLite, over the date and the path as it is sent.
Bytes shared_key_lite(const AzureAccess& access, BytesView date, BytesView path);

// What a failed answer says.
TableFault fault_in(int status, BytesView body, BytesView code_header);

// An Error for a fault that a caller has no use for: what was asked, and what the service said.
Error fault_error(const std::string& text, const std::string& store, const std::string& operation,
                  const TableFault& fault);

}  // namespace idxfsck::store
