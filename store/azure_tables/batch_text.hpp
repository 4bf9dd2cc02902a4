// store/azure_tables/batch_text.hpp
//
// Several writes to rows of one partition as one request, and what the service answers: an entity
// group transaction, which is done as a whole or not at all.
//
// Shape    multipart/mixed with one changeset; each part is a request as it would be by itself. The
//          boundaries are made of a digest of the parts, so no row can hold them.
//          The answer has a part for each operation if all were done. Otherwise it has one, for
//          the operation that failed, with its place before the message: "1:The specified…".
// Errors   An answer that makes no sense is a reason, a value.
// Threads  Plain functions.
// Source   "Performing entity group transactions", Table service REST API.

#pragma once

#include "store/azure_tables/api.hpp"

namespace idxfsck::store {

constexpr std::size_t batch_operations_max = 100;
constexpr std::size_t batch_bytes_max = 4 << 20;

// A request as a part of a batch. `account_url` is where the account's paths begin.
Bytes batch_part(const TableCall& call, BytesView account_url);

// The size of the body of a batch.
std::size_t batch_bytes(std::size_t parts, std::size_t parts_bytes);

TableCall batch_call(const std::vector<Bytes>& parts);

struct BatchAnswer {
    bool done = false;  // all of it; otherwise none
    // The operation that was the reason, if the answer says which.
    std::optional<std::size_t> failed;

    friend bool operator==(const BatchAnswer&, const BatchAnswer&) = default;
};

// What is wrong with the answer to so many operations, or that another try may help; empty if `out`
// holds what it says.
std::string_view read_batch_answer(const HttpResult& result, std::size_t operations,
                                   BatchAnswer& out);

}  // namespace idxfsck::store
