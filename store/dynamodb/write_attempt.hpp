// store/dynamodb/write_attempt.hpp
//
// One guarded write to DynamoDB: read, judge, send, and again if something moved. For
// dynamodb_store.cpp alone.
//
// Errors   As DynamodbStore.
// Threads  Belongs to one thread.

#pragma once

#include "store/dynamodb/batch_read.hpp"
#include "store/dynamodb/client.hpp"
#include "store/dynamodb/expression.hpp"
#include "store/writer.hpp"

namespace idxfsck::store {

class WriteAttempt {
public:
    // Throws Error for a write that the store may not carry out.
    WriteAttempt(DynamodbClient& client, const GuardedWrite& write);

    WriteOutcome run();

private:
    enum class Sent { done, moved, conflict };

    struct Target {
        RowName name;
        Bytes place;  // table and encoded key: equal for one row
        TableDescription table;
    };

    Target target_of(const Bytes& table, const Key& key) const;
    void check() const;
    [[noreturn]] void refuse_condition() const;
    bool guards_hold(const std::vector<std::optional<Row>>& rows) const;
    Sent send(const std::vector<std::optional<Row>>& rows);
    Sent send_alone(const std::string& operation, const Bytes& body);
    Sent send_transaction(const std::string& operation, const Bytes& body,
                          const std::vector<Bytes>& checks);
    // Sends, and counts what it has cost.
    Reply call(const std::string& operation, Bytes body);
    Sent judge_cancellation(const Fault& fault) const;
    // The name of the operation, and its members.
    std::pair<std::string, Bytes> operation(const std::optional<Row>& seen) const;
    // One for each row that is only guarded.
    std::vector<Bytes> checks() const;
    std::string request_token() const;
    [[noreturn]] void refuse(const std::string& operation, const Fault& fault) const;

    DynamodbClient& client_;
    GuardedWrite write_;  // as the store would hold it
    Target written_;
    std::vector<Target> guarded_;  // one a guard
    bool maybe_done_ = false;      // a request whose answer was lost may have written the row
};

}  // namespace idxfsck::store
