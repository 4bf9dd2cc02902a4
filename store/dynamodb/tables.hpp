// store/dynamodb/tables.hpp
//
// The tables of an account and region, described when they are first asked for.
//
// Errors   Throws Error with the fields `store` and `table` where DynamoDB fails, and for a table
//          that is being made or deleted, and (usage) for an index where a table is expected.
// Threads  All calls may run at once.

#pragma once

#include <map>
#include <mutex>

#include "store/dynamodb/api.hpp"
#include "store/dynamodb/table_description.hpp"

namespace idxfsck::store {

class DynamodbTables {
public:
    explicit DynamodbTables(DynamodbApi& api) : api_{api} {}

    // Nothing if there is no such table.
    std::optional<TableDescription> find(BytesView name);
    // Asked for anew, and in any state.
    std::optional<TableDescription> look(BytesView name);
    // Throws Error if there is no such table.
    TableDescription get(BytesView name);
    // Of all tables, in order.
    std::vector<Bytes> names();
    // Whose tables they are, as far as one was described; empty otherwise. A table that is named
    // in full may be somebody else's, and does not say.
    Bytes account();
    // Where tables are looked for, and what it may be that one is not found. Asks nothing.
    std::string missing_hint();
    // Descriptions are asked for anew.
    void forget();

private:
    std::optional<TableDescription> describe(BytesView name);
    Reply ask(BytesView name);
    void refuse_own_index(BytesView name);

    DynamodbApi& api_;
    std::mutex mutex_;
    std::map<Bytes, TableDescription, std::less<>> known_;
};

}  // namespace idxfsck::store
