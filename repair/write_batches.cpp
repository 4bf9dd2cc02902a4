#include "repair/write_batches.hpp"

#include <algorithm>
#include <map>
#include <unordered_set>

namespace idxfsck::repair {

namespace {

// By address.
std::vector<store::Bytes> rows_rested_on(const Attempt& attempt) {
    std::vector<store::Bytes> rows;
    if (attempt.base_row) rows.push_back(attempt.base_row->bytes());
    for (const RowAddress& row : attempt.displaced_rows) rows.push_back(row.bytes());
    for (const RowAddress& row : attempt.newer_rows) rows.push_back(row.bytes());
    return rows;
}

// One that may still grow.
struct OpenBatch {
    std::size_t place = 0;  // among the batches
    std::unordered_set<store::Bytes> written;
    std::unordered_set<store::Bytes> rested_on;

    bool may_hold(const store::Bytes& row, const std::vector<store::Bytes>& rests_on) const {
        return !rested_on.contains(row) &&
               std::none_of(rests_on.begin(), rests_on.end(),
                            [&](const store::Bytes& one) { return written.contains(one); });
    }
};

// What writes of one batch have in common; nothing: they have none.
std::optional<store::Bytes> name_of(const LiveView& view, const Attempt& attempt) {
    const RowAddress& row = attempt.index_row;
    const store::Writer& writer = *view.store(row.store).writer;
    std::optional<store::Bytes> name = writer.batch_of(row.table, row.key);
    if (!name) return name;
    const bool guarded = view.guards_reach_base(attempt.operation->index);
    return row.store + (guarded ? "/g/" : "/u/") + *name;
}

}  // namespace

std::vector<std::vector<std::size_t>> batches_of(const LiveView& view,
                                                 const std::vector<Attempt*>& attempts) {
    std::vector<std::vector<std::size_t>> batches;
    std::map<store::Bytes, OpenBatch> open;  // by name
    for (std::size_t index = 0; index < attempts.size(); ++index) {
        const Attempt& attempt = *attempts[index];
        const std::optional<store::Bytes> name = name_of(view, attempt);
        if (!name) {
            batches.push_back({index});
            continue;
        }
        const store::Bytes row = attempt.index_row.bytes();
        const std::vector<store::Bytes> rests_on = rows_rested_on(attempt);
        auto found = open.find(*name);
        if (found == open.end() || !found->second.may_hold(row, rests_on)) {
            found = open.insert_or_assign(*name, OpenBatch{batches.size(), {}, {}}).first;
            batches.emplace_back();
        }
        batches[found->second.place].push_back(index);
        found->second.written.insert(row);
        found->second.rested_on.insert(rests_on.begin(), rests_on.end());
    }
    return batches;
}

}  // namespace idxfsck::repair
