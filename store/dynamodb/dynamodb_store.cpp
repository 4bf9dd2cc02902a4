#include "store/dynamodb/dynamodb_store.hpp"

#include "store/dynamodb/write_attempt.hpp"

namespace idxfsck::store {

WriteOutcome DynamodbStore::write(const GuardedWrite& write) {
    return WriteAttempt{client(), write}.run();
}

}  // namespace idxfsck::store
