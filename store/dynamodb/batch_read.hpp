// store/dynamodb/batch_read.hpp
//
// Rows by their keys, of one table or several, strongly consistent.
//
// Shape    BatchGetItem of 100 keys, several under way at once. What the service leaves unprocessed
//          is asked for again, with waits. A key that no item of the table can have is absent
//          without asking.
// Errors   Throws Error with `store` and, where known, `table`. An answer with a row that was not
//          asked for is one, as are bytes that are no row.
// Threads  Belongs to one thread.

#pragma once

#include <span>

#include "store/dynamodb/item.hpp"
#include "store/dynamodb/response.hpp"
#include "store/dynamodb/scan_walk.hpp"
#include "store/dynamodb/tables.hpp"

namespace idxfsck::store {

struct RowName {
    Bytes table;
    Key key;
};

// The key as the service takes it; nothing if no item of the table can have it.
std::optional<Key> possible_key(const TableDescription& table, const Key& key);

class BatchRead {
public:
    BatchRead(DynamodbApi& api, DynamodbTables& tables, Capacity& capacity)
        : api_{api}, tables_{tables}, capacity_{capacity} {}

    // One answer for each name, in order.
    std::vector<std::optional<Row>> read(std::span<const RowName> names);

private:
    // A row that is asked for, once, however often it is named.
    struct Wanted {
        Key key;
        std::optional<Row> row;
    };
    using Places = std::map<std::pair<Bytes, Bytes>, Wanted>;  // by table and encoded key
    using Chunk = std::vector<Places::value_type*>;

    const TableDescription& table_of(const Bytes& name);
    const std::vector<Bytes>& names_of(const Bytes& table) const;
    // A request that is under way, and what it will cost.
    struct Flight {
        Chunk chunk;
        DynamodbApi::Pending pending;
        Spending spending;
    };

    // Asks for all; gives back those left unprocessed.
    Chunk ask(const Chunk& all);
    void land(std::vector<Flight>& flights, Chunk& again);
    // Lands what is under way first, if what this costs might go over the budget.
    Spending begin_spending(std::size_t keys, std::vector<Flight>& flights, Chunk& again);
    Bytes request(const Chunk& chunk);
    Reply finish(Flight& flight);
    // Fills in the rows; those left unprocessed go to `again`.
    void take(const Reply& reply, Flight& flight, Chunk& again);
    void take_row(const Bytes& table, BytesView json, ItemReader& items);
    Places::value_type* find(const Bytes& table, BytesView json, ItemReader& items);
    [[noreturn]] void refuse(std::string_view cause) const;

    DynamodbApi& api_;
    DynamodbTables& tables_;
    Capacity& capacity_;
    std::map<Bytes, TableDescription> known_;
    Places wanted_;
};

}  // namespace idxfsck::store
