// store/azure_tables/table_write_attempt.hpp
//
// One guarded write to a table: read, judge, send, and again if something moved. For
// azure_tables_store.cpp and table_batch.cpp alone.
//
// Errors   As AzureTablesStore.
// Threads  Belongs to one thread.

#pragma once

#include "store/azure_tables/client.hpp"
#include "store/writer.hpp"

namespace idxfsck::store {

class TableWriteAttempt {
public:
    // Throws Error for a write that the store may not carry out.
    TableWriteAttempt(AzureTablesClient& client, const GuardedWrite& write);

    WriteOutcome run();

    // What run() is made of, for writes that are sent together.
    const Bytes& table() const { return write_.table; }
    const Key& key() const { return write_.key; }
    // What the write comes to, the row being so; nothing: it is to be sent.
    std::optional<WriteOutcome> judged(const std::optional<Row>& row) const;
    // The request, guarded on the row as it was seen.
    TableCall call(const std::optional<Row>& seen) const;
    // A request whose answer was lost may have written the row: if it is so, it was this one.
    void note_lost_answer() { maybe_done_ = true; }

private:
    bool guards_hold(const std::optional<Row>& row) const;
    void check_version(const Row& seen) const;
    // False if the row moved meanwhile.
    bool send(const std::optional<Row>& seen);
    TableCall insertion() const;
    TableCall replacement(const Row& seen) const;
    TableCall deletion(const Row& seen) const;

    AzureTablesClient& client_;
    const TableSchema schema_;
    GuardedWrite write_;  // as the store would hold it
    bool maybe_done_ = false;  // a request whose answer was lost may have written it
};

}  // namespace idxfsck::store
