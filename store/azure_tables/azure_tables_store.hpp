// store/azure_tables/azure_tables_store.hpp
//
// The tables of an Azure account, for guarded writes.
//
// Shape    The row is read and judged; then it is inserted, which fails if there is one, or
//          replaced or deleted with the ETag that was read, never with `*`. A condition that fails
//          sends everything back to the reading. A replaced row keeps no attribute that was not
//          written. Writes of one partition that are handed over together share requests.
// Errors   As the contract. A row that a table cannot hold is refused with the attribute and why.
// Threads  As the contract.
// Source   "Insert Entity", "Update Entity", "Delete Entity", "Performing entity group
//          transactions", Table service REST API.

#pragma once

#include "store/azure_tables/client.hpp"
#include "store/store.hpp"

namespace idxfsck::store {

class AzureTablesStore : public ClientReading<Store, AzureTablesClient> {
public:
    using ClientReading<Store, AzureTablesClient>::ClientReading;

    WriteOutcome write(const GuardedWrite& write) override;
    std::vector<WriteReply> write_all(std::span<const GuardedWrite> writes) override;
    // The rows of a partition.
    std::optional<Bytes> batch_of(BytesView table, const Key& key) const override;
    // What is acknowledged is durable.
    void sync() override {}
};

}  // namespace idxfsck::store
