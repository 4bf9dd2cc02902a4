#include <algorithm>

#include "audit/judge.hpp"
#include "audit/slot.hpp"

namespace idxfsck::audit {

const store::Row* Judge::base_row(std::size_t index, const store::Key& key) const {
    return rows_.row(programs_.bases[programs_.indexes[index].base].table, key);
}

const store::Row* Judge::index_row(std::size_t index, const store::Key& key) const {
    return rows_.row(programs_.indexes[index].table, key);
}

Judge::Found Judge::find_entry(std::size_t index, const Entry& entry) {
    Found first;
    for (store::Key& key : programs_.indexes[index].program->rows_of(EntryLoan{entry}.view())) {
        const store::Row* const row = index_row(index, key);
        Found found{std::move(key), row, interpreter_.read_index(index, row)};
        if (found.held(entry) != nullptr) return found;
        if (first.key.empty()) first = std::move(found);
    }
    return first;
}

std::optional<Judge::Found> Judge::copy_of(std::size_t index, const Entry& entry) {
    std::optional<Found> last;
    std::size_t count = 0;
    for (store::Key& key : programs_.indexes[index].program->rows_of(EntryLoan{entry}.view())) {
        const store::Row* const row = index_row(index, key);
        Found found{std::move(key), row, interpreter_.read_index(index, row)};
        if (found.held(entry) == nullptr) continue;
        last = std::move(found);
        ++count;
    }
    return count > 1 ? std::move(last) : std::nullopt;
}

void Judge::want_entry(LiveRows& rows, std::size_t index, const Entry& entry) const {
    const CompiledIndex& compiled = programs_.indexes[index];
    for (const store::Key& key : compiled.program->rows_of(EntryLoan{entry}.view())) {
        rows.want(compiled.table, key);
    }
}

void Judge::want(LiveRows& rows, const Suspect& suspect) const {
    const CompiledIndex& index = programs_.indexes[suspect.index];
    const std::size_t base_table = programs_.bases[index.base].table;
    if (suspect.side == Side::base) {
        rows.want(base_table, suspect.row);
        if (!suspect.damaged) want_entry(rows, suspect.index, suspect.entry);
        return;
    }
    if (suspect.damaged) return rows.want(index.table, suspect.row);
    want_entry(rows, suspect.index, suspect.entry);
    const auto base_key = interpreter_.locate(suspect.index, suspect.entry);
    if (base_key) rows.want(base_table, *base_key);
}

void Judge::want_version(LiveRows& rows, std::size_t version, const store::Row* base) {
    for (const Entry& entry : interpreter_.read_base(version, base).entries) {
        want_entry(rows, version, entry);
    }
}

void Judge::want_holder(LiveRows& rows, const Suspect& suspect) {
    if (suspect.side == Side::index && suspect.damaged) return want_members(rows, suspect);
    if (suspect.side == Side::index || suspect.damaged) return;
    const CompiledIndex& index = programs_.indexes[suspect.index];
    const store::Row* const base = base_row(suspect.index, suspect.row);
    if (index.current) return want_version(rows, *index.current, base);
    for (const std::size_t version : index.versions) want_version(rows, version, base);
    const IndexReading reading = find_entry(suspect.index, suspect.entry).reading;
    const Entry* holder = holder_of(suspect.index, suspect.entry, reading);
    if (holder == nullptr) return;
    const auto key = interpreter_.locate(suspect.index, *holder);
    if (key) rows.want(programs_.bases[index.base].table, *key);
}

void Judge::want_members(LiveRows& rows, const Suspect& suspect) {
    const CompiledIndex& index = programs_.indexes[suspect.index];
    if (!index.program->spec().expires.given()) return;
    const store::Row* const row = index_row(suspect.index, suspect.row);
    for (const Entry& entry : interpreter_.read_index(suspect.index, row).entries) {
        const auto key = interpreter_.locate(suspect.index, entry);
        if (key) rows.want(programs_.bases[index.base].table, *key);
    }
}

bool Judge::outlived(const Suspect& suspect, const store::Row& container,
                     const IndexReading& reading) {
    return std::any_of(reading.entries.begin(), reading.entries.end(), [&](const Entry& entry) {
        const auto key = interpreter_.locate(suspect.index, entry);
        const store::Row* const base = key ? base_row(suspect.index, *key) : nullptr;
        const BaseReading calls = interpreter_.read_base(suspect.index, base);
        return calls.claim(entry) != nullptr &&
               interpreter_.expires_before(suspect.index, container, *base);
    });
}

bool Judge::served_by_older(std::size_t index, const store::Row* base) {
    const std::vector<std::size_t>& versions = programs_.indexes[index].versions;
    return std::any_of(versions.begin(), versions.end(), [&](std::size_t version) {
        return !interpreter_.read_base(version, base).entries.empty() && all_there(version, base);
    });
}

bool Judge::all_there(std::size_t index, const store::Row* base) {
    const BaseReading calls = interpreter_.read_base(index, base);
    return std::all_of(calls.entries.begin(), calls.entries.end(), [&](const Entry& entry) {
        return find_entry(index, entry).held(entry) != nullptr;
    });
}

bool Judge::derived_by_older(std::size_t index, const store::Row* base, const Entry& held) {
    const std::vector<std::size_t>& versions = programs_.indexes[index].versions;
    return std::any_of(versions.begin(), versions.end(), [&](std::size_t version) {
        const IndexSpec& spec = programs_.indexes[version].program->spec();
        return spec.tried_in_order && interpreter_.read_base(version, base).claim(held) != nullptr;
    });
}

bool Judge::accusable(std::size_t index, const store::Row* row) {
    return row == nullptr || interpreter_.accusable(index, *row);
}

const Entry* Judge::holder_of(std::size_t index, const Entry& entry,
                              const IndexReading& reading) const {
    const IndexSpec& spec = programs_.indexes[index].program->spec();
    const store::Bytes slot = slot_of(spec, entry);
    for (const Entry& held : reading.entries) {
        if (!held.same_claim(entry) && slot_of(spec, held) == slot) return &held;
    }
    return nullptr;
}

store::Value Judge::rank(std::size_t index, const store::Row* base) const {
    return base == nullptr ? store::Value{} : programs_.indexes[index].program->rank_of(*base);
}

}  // namespace idxfsck::audit
