#include "store/azure_tables/azure_tables_store.hpp"

#include "store/azure_tables/table_write_attempt.hpp"

namespace idxfsck::store {

WriteOutcome AzureTablesStore::write(const GuardedWrite& write) {
    return TableWriteAttempt{client(), write}.run();
}

}  // namespace idxfsck::store
