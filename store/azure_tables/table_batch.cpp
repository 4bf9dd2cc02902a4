#include "store/azure_tables/table_batch.hpp"

#include <algorithm>
#include <set>

#include "store/azure_tables/batch_text.hpp"
#include "store/azure_tables/row_read.hpp"

namespace idxfsck::store {

namespace {

// Between the reading and the request rows seldom move.
constexpr int refusals_max = 4;

}  // namespace

bool TableBatch::Load::take(Member& member, Bytes part) {
    const std::size_t bytes = parts_bytes + part.size();
    if (batch_bytes(parts.size() + 1, bytes) > batch_bytes_max) return false;
    parts_bytes = bytes;
    parts.push_back(std::move(part));
    members.push_back(&member);
    return true;
}

void TableBatch::add(const TableWriteAttempt& attempt, WriteReply& reply) {
    open_.push_back(&members_.emplace_back(Member{attempt, &reply, false}));
}

void TableBatch::run() {
    while (open_.size() > 1 && refusals_ < refusals_max) {
        const Load load = next_load();
        if (load.members.size() == 1) run_alone(*load.members.front());
        if (load.members.size() > 1) send(load);
        std::erase_if(open_, [](const Member* member) { return member->settled; });
    }
    for (Member* const member : open_) run_alone(*member);
}

// Reads the rows of the next writes, settles those that need no request, and takes as many of the
// others as one request may hold. At least one is settled or taken.
TableBatch::Load TableBatch::next_load() {
    const std::size_t count = std::min(open_.size(), batch_operations_max);
    std::vector<Key> keys;
    for (std::size_t place = 0; place < count; ++place) keys.push_back(open_[place]->attempt.key());
    std::vector<std::optional<Row>> rows;
    try {
        rows = read_rows(client_.api(), open_.front()->attempt.table(), keys);
    } catch (const Error&) {
        // One row may be at fault: the others have a right to their write.
        for (std::size_t place = 0; place < count; ++place) run_alone(*open_[place]);
        return {};
    }
    Load load;
    std::set<Bytes> seen;
    for (std::size_t place = 0; place < count; ++place) {
        Member& member = *open_[place];
        // Of two writes to one row the second is judged by what the first left.
        if (!seen.insert(keys[place][1].payload).second) continue;
        try {
            if (const auto outcome = member.attempt.judged(rows[place])) {
                settle(member, *outcome);
                continue;
            }
            const TableCall call = member.attempt.call(rows[place]);
            Bytes part = batch_part(call, client_.api().access().url);
            if (load.take(member, std::move(part))) continue;
            if (load.members.empty()) run_alone(member);
            break;
        } catch (const Error& error) {
            fail(member, error);
        }
    }
    return load;
}

void TableBatch::send(const Load& load) {
    BatchAnswer answer;
    TableReply reply;
    try {
        reply = client_.api().call(batch_call(load.parts), [&](HttpResult& result) {
            return read_batch_answer(result, load.parts.size(), answer);
        });
    } catch (const Error& error) {
        for (Member* const member : load.members) fail(*member, error);
        return;
    }
    if (!reply.fault && answer.done) {
        for (Member* const member : load.members) settle(*member, WriteOutcome::applied);
        return;
    }
    ++refusals_;
    if (reply.maybe_done_before) {
        for (Member* const member : load.members) member->attempt.note_lost_answer();
    }
    send_again_alone(load, reply.fault ? std::nullopt : answer.failed);
}

void TableBatch::send_again_alone(const Load& load, const std::optional<std::size_t>& failed) {
    // Where no write is named it may be any of them, or that they are together.
    for (std::size_t place = 0; place < load.members.size(); ++place) {
        if (!failed || *failed == place) run_alone(*load.members[place]);
    }
}

void TableBatch::settle(Member& member, WriteOutcome outcome) {
    member.reply->outcome = outcome;
    member.settled = true;
}

void TableBatch::fail(Member& member, const Error& error) {
    member.reply->error = error.what();
    member.settled = true;
}

void TableBatch::run_alone(Member& member) {
    try {
        settle(member, member.attempt.run());
    } catch (const Error& error) {
        fail(member, error);
    }
}

}  // namespace idxfsck::store
