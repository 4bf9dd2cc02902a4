// store/azure_tables/table_batch.hpp
//
// Guarded writes to rows of one partition, in as few requests as may be. For azure_tables_store.cpp
// alone.
//
// Shape    The rows are read, several at once, and each write is judged as by itself. Those that
//          are to be sent go out as one entity group transaction, each with its own condition. One
//          that is refused was not done: the write that the answer names then goes by itself, the
//          others together again, from the reading on; so a few times, then each by itself.
//          Where an answer was lost, the rows are read again, and what is there is ours.
//          What the service may refuse, and emulators may not, is never sent: more operations or
//          bytes than it takes, or a row twice.
// Errors   They are in the replies.
// Threads  Belongs to one thread.
// Source   "Performing entity group transactions", Table service REST API.

#pragma once

#include <deque>

#include "store/azure_tables/table_write_attempt.hpp"

namespace idxfsck::store {

class TableBatch {
public:
    explicit TableBatch(AzureTablesClient& client) : client_{client} {}

    // One more, of the same table and partition as the others. `reply` is filled in by run().
    void add(const TableWriteAttempt& attempt, WriteReply& reply);
    void run();

private:
    struct Member {
        TableWriteAttempt attempt;
        WriteReply* reply;
        bool settled = false;
    };
    // What one request holds.
    struct Load {
        std::vector<Member*> members;
        std::vector<Bytes> parts;
        std::size_t parts_bytes = 0;

        bool take(Member& member, Bytes part);
    };

    Load next_load();
    void send(const Load& load);
    // What the service did not do, and what it says of that.
    void send_again_alone(const Load& load, const std::optional<std::size_t>& failed);
    static void settle(Member& member, WriteOutcome outcome);
    static void fail(Member& member, const Error& error);
    static void run_alone(Member& member);

    AzureTablesClient& client_;
    std::deque<Member> members_;
    std::vector<Member*> open_;  // in order
    int refusals_ = 0;
};

}  // namespace idxfsck::store
