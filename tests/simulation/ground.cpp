#include "tests/simulation/ground.hpp"

#include <algorithm>
#include <utility>

#include "store/expectation.hpp"
#include "store/key_codec.hpp"

namespace idxfsck::simulation {

RowName name_of(const std::string& table, const store::Key& key) {
    return {table, store::encode_key(key)};
}

Ground::Ground(Shape shape, store::Capabilities capabilities, bool last_write_wins)
    : last_write_wins_{last_write_wins}, memory_{std::move(capabilities)} {
    create_tables(memory_, shape);
    model_.shape = shape;
}

std::optional<store::Row> Ground::row(const std::string& table, const store::Key& key) const {
    // Not read(): that would look at the snapshot of the tool.
    for (store::Row& row : memory_.rows(table)) {
        if (row.key == key) return std::move(row);
    }
    return std::nullopt;
}

bool Ground::shadowed(Author author, const RowName& row, std::int64_t stamp_ms) {
    if (!last_write_wins_) return false;
    Trail& trail = trails_[row];
    if (stamp_ms < trail.stamp_ms) {
        if (on_shadowed) on_shadowed(author);
        return true;
    }
    trail.stamp_ms = stamp_ms;
    return false;
}

void Ground::put(Author author, const std::string& table, const store::Row& row,
                 std::int64_t now_ms, std::int64_t stamp_ms) {
    const RowName name = name_of(table, row.key);
    if (shadowed(author, name, stamp_ms)) return;
    auto before = this->row(table, row.key);
    memory_.put(table, row);
    note(author, name, std::move(before), this->row(table, row.key), now_ms, stamp_ms);
}

void Ground::erase(Author author, const std::string& table, const store::Key& key,
                   std::int64_t now_ms, std::int64_t stamp_ms) {
    const RowName name = name_of(table, key);
    if (shadowed(author, name, stamp_ms)) return;
    auto before = row(table, key);
    if (!before) return;
    memory_.erase(table, key);
    note(author, name, std::move(before), std::nullopt, now_ms, stamp_ms);
}

store::WriteOutcome Ground::write(Author author, const store::GuardedWrite& write,
                                  std::int64_t now_ms) {
    const RowName name = name_of(write.table, write.key);
    auto before = row(write.table, write.key);
    const auto schema = memory_.table(write.table);
    if (store::judge(write, before, *schema) == store::WriteOutcome::applied &&
        shadowed(author, name, now_ms)) {
        return store::WriteOutcome::applied;
    }
    const store::WriteOutcome outcome = memory_.write(write);
    if (outcome == store::WriteOutcome::applied) {
        note(author, name, std::move(before), row(write.table, write.key), now_ms, now_ms);
    }
    return outcome;
}

void Ground::note(Author author, const RowName& name, std::optional<store::Row> before,
                  std::optional<store::Row> after, std::int64_t now_ms, std::int64_t stamp_ms) {
    Trail& trail = trails_[name];
    if (trail.past.empty()) trail.past.push_back({0, before});
    trail.past.push_back({now_ms, after});
    const auto previous = trail.last == 0 ? std::nullopt : std::optional{trail.author};
    trail.last = ++number_;
    if (!author.is_tool()) trail.last_application = number_;
    trail.author = author;
    trail.stamp_ms = std::max(trail.stamp_ms, stamp_ms);
    const Model old_model = std::exchange(model_, model_of(memory_, model_.shape));
    if (!on_change) return;
    on_change({number_, now_ms, author, previous, name, std::move(before), std::move(after),
               &old_model, &model_});
}

std::uint64_t Ground::last_change(const RowName& row) const {
    const auto trail = trails_.find(row);
    return trail == trails_.end() ? 0 : trail->second.last;
}

std::uint64_t Ground::last_application_change(const RowName& row) const {
    const auto trail = trails_.find(row);
    return trail == trails_.end() ? 0 : trail->second.last_application;
}

const std::vector<Ground::Past>* Ground::past(const RowName& row) const {
    const auto trail = trails_.find(row);
    return trail == trails_.end() || trail->second.past.empty() ? nullptr : &trail->second.past;
}

std::vector<RowName> Ground::changed_rows(const std::string& table) const {
    std::vector<RowName> rows;
    for (const auto& [name, trail] : trails_) {
        if (name.first == table && !trail.past.empty()) rows.push_back(name);
    }
    return rows;
}

}  // namespace idxfsck::simulation
