// store/dynamodb/dynamodb_store.hpp
//
// A DynamoDB account in a region, for guarded writes.
//
// Shape    The rows that a write rests on are read, consistently, and judged; then the write goes
//          out with a condition on all that was seen of the row, and in a transaction with a check
//          for each guard on another row. A condition that fails sends everything back
//          to the reading; a conflict of transactions too, after a wait. A row that is there is
//          changed by an update of what differs, so that nothing is lost that was not seen.
// Errors   As the contract. A row of more attributes than a condition can name, and more than 99
//          rows to guard by, are refused.
// Threads  As the contract.
// Source   Amazon DynamoDB API Reference, PutItem, UpdateItem, DeleteItem, TransactWriteItems.

#pragma once

#include "store/dynamodb/batch_read.hpp"
#include "store/dynamodb/client.hpp"
#include "store/store.hpp"

namespace idxfsck::store {

class DynamodbStore : public ClientReading<Store, DynamodbClient> {
public:
    DynamodbStore(const DynamodbSettings& settings, const AwsSurroundings& around)
        : ClientReading<Store, DynamodbClient>{settings, around} {
        client().settle_guard();
    }

    WriteOutcome write(const GuardedWrite& write) override;
    // What is acknowledged is durable.
    void sync() override {}
};

}  // namespace idxfsck::store
