#include "store/azure_tables/table_write_attempt.hpp"

#include <algorithm>

#include "store/azure_tables/odata_text.hpp"
#include "store/azure_tables/row_read.hpp"
#include "store/expectation.hpp"
#include "store/http/url_text.hpp"
#include "store/key_range.hpp"

namespace idxfsck::store {

namespace {

// Codes that say: the row is not as it was read.
bool has_moved(const TableFault& fault) {
    return fault.status == 412 || is_absent_row(fault) ||
           (fault.status == 409 && fault.code == "EntityAlreadyExists");
}

[[noreturn]] void refuse_row(const GuardedWrite& write, const HeldRow& held) {
    Error error{"a table cannot hold this row"};
    error.with("table", write.table).with("key", readable_key(write.key));
    if (!held.attribute.empty()) error.with("attribute", held.attribute);
    throw error.with("cause", held.why_not);
}

}  // namespace

TableWriteAttempt::TableWriteAttempt(AzureTablesClient& client, const GuardedWrite& write)
    : client_{client}, schema_{client.get(write.table)}, write_{write} {
    check_write(write, schema_, client.capabilities().guard);
    for (const Guard& guard : write.guards) static_cast<void>(client.get(guard.table));
    check_key(client.capabilities().key_limits, schema_, write.key);
    if (!possible_entity_key(write.key)) {
        throw Error{"the store refuses this key"}
            .with("table", write.table)
            .with("key", readable_key(write.key))
            .hint("PartitionKey and RowKey are text");
    }
    if (!write_.after) return;
    HeldRow held = held_row(*write_.after);
    if (!held.row) refuse_row(write, held);
    write_.after = std::move(held.row);
}

WriteOutcome TableWriteAttempt::run() {
    Backoff waits = client_.api().backoff();
    while (true) {
        const std::optional<Row> row =
            read_rows(client_.api(), write_.table, {&write_.key, 1}).front();
        if (const std::optional<WriteOutcome> outcome = judged(row)) return *outcome;
        if (send(row)) return WriteOutcome::applied;
        // Whoever moved the row was faster; as many as there are may be so, one after the other.
        if (!waits.wait()) {
            throw Error{"the row changes all the time"}
                .with("store", client_.api().name())
                .with("table", write_.table)
                .with("key", readable_key(write_.key));
        }
    }
}

std::optional<WriteOutcome> TableWriteAttempt::judged(const std::optional<Row>& row) const {
    const WriteOutcome outcome = judge(write_, row, schema_);
    // What it holds to be there already, a journal does not take back: this was ours, and if
    // somebody else wrote the same bytes meanwhile, nothing tells the two apart.
    if (outcome == WriteOutcome::already && maybe_done_) return WriteOutcome::applied;
    if (!guards_hold(row)) return WriteOutcome::superseded;
    if (outcome != WriteOutcome::applied) return outcome;
    return std::nullopt;
}

// They are all on the written row: no other is within reach.
bool TableWriteAttempt::guards_hold(const std::optional<Row>& row) const {
    return std::all_of(write_.guards.begin(), write_.guards.end(), [&](const Guard& guard) {
        return meets(guard.expected, row, schema_);
    });
}

// Without a version nothing would guard the write: an empty If-Match, or `*`, holds for every row.
// One with the end of a line in it would be another header, or another write of a batch.
void TableWriteAttempt::check_version(const Row& seen) const {
    const auto plain = [](char c) { return c >= 0x20 && c < 0x7f; };
    const bool usable = !seen.version.empty() && seen.version != "*" &&
                        std::all_of(seen.version.begin(), seen.version.end(), plain);
    if (usable) return;
    throw Error{"the table service gives a row without a version"}
        .with("store", client_.api().name())
        .with("table", write_.table)
        .with("key", readable_key(write_.key));
}

TableCall TableWriteAttempt::call(const std::optional<Row>& seen) const {
    if (!seen) return insertion();
    check_version(*seen);
    return write_.after ? replacement(*seen) : deletion(*seen);
}

bool TableWriteAttempt::send(const std::optional<Row>& seen) {
    TableCall request = call(seen);
    const std::string operation = request.operation;
    const TableReply reply = client_.api().call(std::move(request));
    if (!reply.fault) return true;
    maybe_done_ = maybe_done_ || reply.maybe_done_before;
    if (has_moved(*reply.fault)) return false;
    throw fault_error("the table service refuses this write", client_.api().name(), operation,
                      *reply.fault)
        .with("table", write_.table)
        .with("key", readable_key(write_.key));
}

TableCall TableWriteAttempt::insertion() const {
    return {"POST",
            "/" + url_encoded(write_.table),
            {},
            {{"Accept", "application/json;odata=minimalmetadata"},
             {"Content-Type", "application/json"},
             {"Prefer", "return-no-content"}},
            entity_text(*write_.after),
            "Insert Entity"};
}

TableCall TableWriteAttempt::replacement(const Row& seen) const {
    return {"PUT",
            entity_path(write_.table, write_.key[0].payload, write_.key[1].payload),
            {},
            {{"Accept", "application/json;odata=minimalmetadata"},
             {"Content-Type", "application/json"},
             {"If-Match", seen.version}},
            entity_text(*write_.after),
            "Update Entity"};
}

TableCall TableWriteAttempt::deletion(const Row& seen) const {
    return {"DELETE",
            entity_path(write_.table, write_.key[0].payload, write_.key[1].payload),
            {},
            {{"Accept", "application/json;odata=minimalmetadata"}, {"If-Match", seen.version}},
            {},
            "Delete Entity"};
}

}  // namespace idxfsck::store
