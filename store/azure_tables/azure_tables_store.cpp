#include "store/azure_tables/azure_tables_store.hpp"

#include <map>

#include "store/azure_tables/table_batch.hpp"
#include "store/azure_tables/table_write_attempt.hpp"

namespace idxfsck::store {

WriteOutcome AzureTablesStore::write(const GuardedWrite& write) {
    return TableWriteAttempt{client(), write}.run();
}

std::vector<WriteReply> AzureTablesStore::write_all(std::span<const GuardedWrite> writes) {
    std::vector<WriteReply> replies(writes.size());
    std::map<std::optional<Bytes>, TableBatch> batches;
    for (std::size_t place = 0; place < writes.size(); ++place) {
        const GuardedWrite& write = writes[place];
        try {
            const TableWriteAttempt attempt{client(), write};
            batches.try_emplace(batch_of(write.table, write.key), client())
                .first->second.add(attempt, replies[place]);
        } catch (const Error& error) {
            replies[place].error = error.what();
        }
    }
    for (auto& [name, batch] : batches) batch.run();
    return replies;
}

std::optional<Bytes> AzureTablesStore::batch_of(BytesView table, const Key& key) const {
    if (!possible_entity_key(key)) return std::nullopt;
    // No name of a table has a slash in it.
    return Bytes{table} + "/" + key[0].payload;
}

}  // namespace idxfsck::store
