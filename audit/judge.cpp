#include "audit/judge.hpp"

#include <map>

#include "audit/slot.hpp"

namespace idxfsck::audit {

namespace {

Outcome settled(const Suspect& suspect) {
    return {suspect.index, Ruling::settled, {}, false, suspect.mark};
}

Outcome found(const Suspect& suspect, Ruling ruling, Finding finding) {
    return {suspect.index, ruling, std::move(finding), false, suspect.mark};
}

// The attributes in which two entries of one claim differ.
std::vector<Difference> differences(const Entry& expected, const Entry& actual) {
    std::map<std::string, Difference> by_name;
    for (const store::NamedValue& copy : expected.copies) by_name[copy.name].expected = copy.value;
    for (const store::NamedValue& copy : actual.copies) by_name[copy.name].actual = copy.value;
    std::vector<Difference> result;
    for (auto& [name, difference] : by_name) {
        Entry left;
        Entry right;
        if (difference.expected) left.copies.push_back({name, *difference.expected});
        if (difference.actual) right.copies.push_back({name, *difference.actual});
        if (left.same_copies(right)) continue;
        difference.attribute = name;
        result.push_back(std::move(difference));
    }
    return result;
}

Finding divergent(Finding finding, const Entry& expected, const Entry& actual) {
    finding.kind = FindingKind::divergent_copy;
    finding.reason = Reason::none;
    finding.differences = differences(expected, actual);
    return finding;
}

Entry without_copies(Entry entry) {
    entry.copies.clear();
    return entry;
}

}  // namespace

Judge::Judge(const Programs& programs, const LiveRows& rows)
    : programs_{programs}, rows_{rows}, interpreter_{programs} {}

const store::Row* Judge::base_row(std::size_t index, const store::Key& key) const {
    return rows_.row(programs_.bases[programs_.indexes[index].base].table, key);
}

const store::Row* Judge::index_row(std::size_t index, const store::Key& key) const {
    return rows_.row(programs_.indexes[index].table, key);
}

void Judge::want(LiveRows& rows, const Suspect& suspect) const {
    const CompiledIndex& index = programs_.indexes[suspect.index];
    const std::size_t base_table = programs_.bases[index.base].table;
    if (suspect.side == Side::base) {
        rows.want(base_table, suspect.row);
        if (!suspect.damaged) rows.want(index.table, suspect.entry.key);
        return;
    }
    rows.want(index.table, suspect.row);
    if (suspect.damaged) return;
    const auto base_key = interpreter_.locate(suspect.index, suspect.entry);
    if (base_key) rows.want(base_table, *base_key);
}

void Judge::want_holder(LiveRows& rows, const Suspect& suspect) {
    if (suspect.side == Side::index || suspect.damaged) return;
    const store::Row* row = index_row(suspect.index, suspect.entry.key);
    const IndexReading reading = interpreter_.read_index(suspect.index, row);
    const Entry* holder = holder_of(suspect.index, suspect.entry, reading);
    if (holder == nullptr) return;
    const auto key = interpreter_.locate(suspect.index, *holder);
    if (key) rows.want(programs_.bases[programs_.indexes[suspect.index].base].table, *key);
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

Outcome Judge::judge(const Suspect& suspect) {
    Outcome outcome;
    if (suspect.side == Side::base) {
        outcome = suspect.damaged ? judge_damaged_base(suspect) : judge_base(suspect);
    } else {
        outcome = suspect.damaged ? judge_damaged_index(suspect) : judge_index(suspect);
    }
    if (outcome.ruling != Ruling::settled) set_id(outcome.finding);
    return outcome;
}

// Is the entry that the base row calls for there?
Outcome Judge::judge_base(const Suspect& suspect) {
    const store::Row* base = base_row(suspect.index, suspect.row);
    const BaseReading calls = interpreter_.read_base(suspect.index, base);
    const Entry* expected = calls.claim(suspect.entry);
    if (expected == nullptr || !expected->same_copies(suspect.entry)) return settled(suspect);

    const IndexSpec& spec = programs_.indexes[suspect.index].program->spec();
    const store::Row* row = index_row(suspect.index, suspect.entry.key);
    const IndexReading reading = interpreter_.read_index(suspect.index, row);
    Finding finding;
    finding.kind = FindingKind::orphaned_write;
    finding.index = spec.name;
    finding.entry = without_copies(*expected);
    finding.base = interpreter_.seen_base(suspect.index, suspect.row, base);
    finding.index_row = interpreter_.seen_index(suspect.index, suspect.entry.key, row);

    const Entry* held = reading.claim(*expected);
    if (held != nullptr && !held->same_copies(*expected)) {
        return found(suspect, Ruling::finding, divergent(std::move(finding), *expected, *held));
    }
    if (spec.unique && expected->pointer.empty()) {
        finding.reason = Reason::entry_missing;
        Outcome outcome = found(suspect, Ruling::claim, std::move(finding));
        outcome.entry_there = held != nullptr;
        return outcome;
    }
    if (held != nullptr) return settled(suspect);
    return judge_orphan(suspect, std::move(finding), reading);
}

// The entry is not there: is its place free, or taken by one that is right, or by a stale one?
Outcome Judge::judge_orphan(const Suspect& suspect, Finding finding, const IndexReading& reading) {
    const IndexSpec& spec = programs_.indexes[suspect.index].program->spec();
    const Entry* holder = holder_of(suspect.index, suspect.entry, reading);
    if (holder == nullptr) {
        // A row that cannot be read takes the place as well: it is a finding of its own.
        const bool free = !finding.index_row->present || reading.damages.empty();
        finding.reason = free ? Reason::entry_missing : Reason::entry_elsewhere;
        return found(suspect, Ruling::finding, std::move(finding));
    }
    finding.reason = Reason::entry_elsewhere;
    const auto key = interpreter_.locate(suspect.index, *holder);
    if (!key) return found(suspect, Ruling::finding, std::move(finding));

    const store::Row* row = base_row(suspect.index, *key);
    finding.holder_row = interpreter_.seen_base(suspect.index, *key, row);
    const BaseReading calls = interpreter_.read_base(suspect.index, row);
    if (calls.claim(*holder) == nullptr) {
        return found(suspect, Ruling::finding, std::move(finding));
    }
    if (spec.lossy) return found(suspect, Ruling::shared, std::move(finding));
    finding.kind = spec.unique ? FindingKind::duplicate_claim : FindingKind::collision;
    finding.reason = Reason::none;
    finding.holder = finding.holder_row->key;
    finding.claimants = {*finding.holder, finding.base->key};
    return found(suspect, Ruling::finding, std::move(finding));
}

// Does a base row call for the entry that is there?
Outcome Judge::judge_index(const Suspect& suspect) {
    const IndexSpec& spec = programs_.indexes[suspect.index].program->spec();
    const store::Row* row = index_row(suspect.index, suspect.row);
    const IndexReading reading = interpreter_.read_index(suspect.index, row);
    const Entry* held = reading.claim(suspect.entry);
    if (held == nullptr || !held->same_copies(suspect.entry)) return settled(suspect);

    Finding finding;
    finding.kind = FindingKind::stale_pointer;
    finding.index = spec.name;
    finding.entry = without_copies(*held);
    finding.index_row = interpreter_.seen_index(suspect.index, suspect.row, row);
    const auto base_key = interpreter_.locate(suspect.index, *held);
    if (base_key) return judge_located(suspect, std::move(finding), *base_key, *held);
    finding.reason = Reason::unclaimed;
    return found(suspect, Ruling::unclaimed, std::move(finding));
}

Outcome Judge::judge_located(const Suspect& suspect, Finding finding, const store::Key& base_key,
                             const Entry& held) {
    const store::Row* base = base_row(suspect.index, base_key);
    const BaseReading calls = interpreter_.read_base(suspect.index, base);
    finding.base = interpreter_.seen_base(suspect.index, base_key, base);
    if (const Entry* expected = calls.claim(held)) {
        if (expected->same_copies(held)) return settled(suspect);
        return found(suspect, Ruling::finding, divergent(std::move(finding), *expected, held));
    }
    if (!calls.present) {
        finding.reason = Reason::base_missing;
    } else if (calls.row_class == RowClass::partial) {
        finding.reason = Reason::base_partial;
    } else if (calls.row_class == RowClass::other || calls.derived == Derived::exempt) {
        finding.reason = Reason::base_exempt;
    } else {
        finding.reason = Reason::value_changed;
    }
    return found(suspect, Ruling::finding, std::move(finding));
}

Outcome Judge::judge_damaged_base(const Suspect& suspect) {
    const store::Row* base = base_row(suspect.index, suspect.row);
    const BaseReading calls = interpreter_.read_base(suspect.index, base);
    if (calls.damages.empty()) return settled(suspect);
    Finding finding;
    finding.kind = FindingKind::unindexable;
    finding.index = programs_.indexes[suspect.index].program->spec().name;
    finding.damage = calls.damages.front().damage;
    finding.attribute = calls.damages.front().attribute;
    finding.base = interpreter_.seen_base(suspect.index, suspect.row, base);
    finding.entry.pointer = finding.base->key;
    return found(suspect, Ruling::finding, std::move(finding));
}

Outcome Judge::judge_damaged_index(const Suspect& suspect) {
    const store::Row* row = index_row(suspect.index, suspect.row);
    const IndexReading reading = interpreter_.read_index(suspect.index, row);
    if (reading.damages.empty()) return settled(suspect);
    Finding finding;
    finding.kind = FindingKind::malformed_entry;
    finding.index = programs_.indexes[suspect.index].program->spec().name;
    finding.damage = reading.damages.front().damage;
    finding.attribute = reading.damages.front().attribute;
    finding.index_row = interpreter_.seen_index(suspect.index, suspect.row, row);
    finding.entry.key = finding.index_row->key;
    return found(suspect, Ruling::finding, std::move(finding));
}

}  // namespace idxfsck::audit
