// store/dynamodb/api.hpp
//
// Calls to DynamoDB: signed, tried again where that may help, and answered by the whole body or by
// the fault that the service names.
//
// Shape    Tried again, with full jitter until the deadline: throttling, 5xx, connections that
//          fail, bodies that are cut, no JSON, or whose x-amz-crc32 is another. Credentials that
//          have run out are fetched anew; a clock that is wrong is put right by the time in the
//          answer.
// Errors   Throws Error, with the fields `store` and `operation`, when the deadline has passed,
//          when a stop cuts a wait short (stopped), and for what is wrong with the request's right
//          to be there: who may not do what on which table. What the caller must judge (a condition
//          that failed, a table that is not there) is a Fault, a value. No text holds anything
//          secret: messages are shown only for faults whose messages are about tables and
//          permissions.
// Threads  All calls may run at once.
// Source   Amazon DynamoDB Developer Guide, "Programming with DynamoDB" and "Error handling".

#pragma once

#include <memory>
#include <string>

#include "store/aws/credential_chain.hpp"
#include "store/aws/place.hpp"
#include "store/aws/sts.hpp"
#include "store/capacity.hpp"
#include "store/error.hpp"
#include "store/http/retry_loop.hpp"
#include "store/http/server_clock.hpp"

namespace idxfsck::store {

// What the service says no by.
struct Fault {
    int status = 0;
    Bytes code;     // "ResourceNotFoundException"; letters and digits only
    Bytes message;  // the service's words, cut; empty where they are not to be shown
    Bytes body;     // for whoever knows what more stands in it; never shown
};

struct Reply {
    Bytes body;
    std::optional<Fault> fault;
    // It was sent before, and what came of that is not known: it may have been done then.
    bool maybe_done_before = false;
};

class DynamodbApi {
public:
    struct Pending {
        std::string operation;
        Bytes body;
        Credentials signer;
        std::future<HttpResult> result;
        RequestCounts* counts = nullptr;  // where this request is counted; null: nowhere
    };

    DynamodbApi(AwsPlace place, AwsSurroundings around, Profiles profiles,
                RetryLimits limits = {});

    // Sends, and goes on at once. `counts` must outlive the answer.
    Pending begin(const std::string& operation, Bytes body, RequestCounts* counts = nullptr);
    // The answer, however often it must be asked for.
    Reply finish(Pending pending);
    Reply call(const std::string& operation, Bytes body, RequestCounts* counts = nullptr) {
        return finish(begin(operation, std::move(body), counts));
    }

    const AwsPlace& place() const { return place_; }
    // Whose the credentials are that requests are signed with. Throws Error if that is not known.
    Caller caller();
    // Is it AWS, or a stand-in for all of it, that would be asked for the caller?
    bool has_caller() const;
    // Where the credentials came from, for people.
    std::string credentials_source();
    Backoff backoff() const { return {limits_, *around_.clock, around_.random}; }
    const Random& random() const { return around_.random; }
    // For the field `store` of errors.
    const std::string& name() const { return place_.url; }
    // What it means that a wait of backoff() ended because the run is to end.
    Error stopped_error(const std::string& operation) const;

private:
    AwsPlace caller_place() const;
    void send(Pending& pending);
    NextTry judge(const Pending& pending, const HttpResult& result, Fault& fault);
    Error no_answer_error(const Pending& pending, const HttpResult& result, const Fault& fault,
                          int waits) const;

    const AwsPlace place_;
    const AwsSurroundings around_;
    const Profiles profiles_;
    const RetryLimits limits_;
    CredentialChain chain_;
    ServerClock clock_;
};

// An Error for a fault that a caller has no use for: what was asked, and what the service said.
Error fault_error(const std::string& text, const std::string& store, const std::string& operation,
                  const Fault& fault);

}  // namespace idxfsck::store
