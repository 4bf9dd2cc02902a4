#include "audit/judge.hpp"

#include <algorithm>
#include <map>

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

// That a container expires does not keep it from taking a member.
bool is_readable(const IndexReading& reading) {
    return std::all_of(reading.damages.begin(), reading.damages.end(), [](const Damaged& damaged) {
        return damaged.damage == Damage::container_expires_early;
    });
}

// Which entries the base row calls for nobody can say: the table would not take them as they are.
bool is_of_other_kind(const BaseReading& calls) {
    return std::any_of(calls.damages.begin(), calls.damages.end(),
                       [](const Damaged& damaged) { return is_of_kind(damaged.damage); });
}

// Why an entry is stale whose base row reads so.
Reason reason_of_stale(const BaseReading& calls) {
    if (!calls.present || calls.row_class == RowClass::expired) return Reason::base_missing;
    if (calls.row_class == RowClass::partial) return Reason::base_partial;
    if (calls.row_class == RowClass::other || calls.derived == Derived::exempt) {
        return Reason::base_exempt;
    }
    return Reason::value_changed;
}

}  // namespace

Judge::Judge(const Programs& programs, const LiveRows& rows)
    : programs_{programs}, rows_{rows}, interpreter_{programs} {}

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
    const CompiledIndex& index = programs_.indexes[suspect.index];
    if (index.current) return judge_older(suspect);
    const store::Row* base = base_row(suspect.index, suspect.row);
    const BaseReading calls = interpreter_.read_base(suspect.index, base);
    const Entry* expected = calls.claim(suspect.entry);
    if (expected == nullptr || !expected->same_copies(suspect.entry)) return settled(suspect);

    const IndexSpec& spec = index.program->spec();
    const Found found_entry = find_entry(suspect.index, suspect.entry);
    Finding finding;
    finding.kind = FindingKind::orphaned_write;
    finding.index = spec.name;
    finding.entry = without_copies(*expected);
    finding.base = interpreter_.seen_base(suspect.index, suspect.row, base);
    finding.index_row =
        interpreter_.seen_index(suspect.index, found_entry.key, found_entry.row);

    const Entry* held = found_entry.held(*expected);
    if (held != nullptr && !held->same_copies(*expected)) {
        return found(suspect, Ruling::finding, divergent(std::move(finding), *expected, *held));
    }
    const bool older = held == nullptr && served_by_older(suspect.index, base);
    if (older && spec.old_versions == OldVersions::accept) {
        return found(suspect, Ruling::legacy, std::move(finding));
    }
    if (older) {
        finding.reason = Reason::older_version;
        return found(suspect, Ruling::finding, std::move(finding));
    }
    if (spec.unique && expected->pointer.empty()) {
        finding.reason = Reason::entry_missing;
        Outcome outcome = found(suspect, Ruling::claim, std::move(finding));
        outcome.entry_there = held != nullptr;
        outcome.rank = rank(suspect.index, base);
        return outcome;
    }
    if (held != nullptr) return settled(suspect);
    if (!accusable(suspect.index, found_entry.row)) {
        return found(suspect, Ruling::expiring, std::move(finding));
    }
    Outcome outcome = judge_orphan(suspect, std::move(finding), found_entry.reading);
    outcome.rank = rank(suspect.index, base);
    return outcome;
}

// The base row derives it under an older version, and it is there. Beside the current one it is
// one too many.
Outcome Judge::judge_older(const Suspect& suspect) {
    const CompiledIndex& index = programs_.indexes[suspect.index];
    const store::Row* base = base_row(suspect.index, suspect.row);
    const BaseReading calls = interpreter_.read_base(suspect.index, base);
    const Entry* expected = calls.claim(suspect.entry);
    const Found found_entry = find_entry(suspect.index, suspect.entry);
    const Entry* held = found_entry.held(suspect.entry);
    if (expected == nullptr || held == nullptr) return settled(suspect);

    Finding finding;
    finding.kind = FindingKind::stale_pointer;
    finding.reason = Reason::redundant;
    finding.index = index.program->spec().name;
    finding.entry = without_copies(*held);
    finding.base = interpreter_.seen_base(suspect.index, suspect.row, base);
    finding.index_row =
        interpreter_.seen_index(suspect.index, found_entry.key, found_entry.row);
    const bool redundant = all_there(*index.current, base);
    return found(suspect, redundant ? Ruling::finding : Ruling::legacy, std::move(finding));
}

// The entry is not there: is its place free, or taken by one that is right, or by a stale one?
Outcome Judge::judge_orphan(const Suspect& suspect, Finding finding, const IndexReading& reading) {
    const IndexSpec& spec = programs_.indexes[suspect.index].program->spec();
    const Entry* holder = holder_of(suspect.index, suspect.entry, reading);
    if (holder == nullptr) {
        // A row that cannot be read takes the place as well: it is a finding of its own.
        const bool free = !finding.index_row->present || is_readable(reading);
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
    Outcome outcome = found(suspect, Ruling::finding, std::move(finding));
    outcome.holder_rank = rank(suspect.index, row);
    return outcome;
}

// Does a base row call for the entry that is there?
Outcome Judge::judge_index(const Suspect& suspect) {
    const IndexSpec& spec = programs_.indexes[suspect.index].program->spec();
    const Found found_entry = find_entry(suspect.index, suspect.entry);
    const Entry* held = found_entry.held(suspect.entry);
    if (held == nullptr || !held->same_copies(suspect.entry)) return settled(suspect);

    Finding finding;
    finding.kind = FindingKind::stale_pointer;
    finding.index = spec.name;
    finding.entry = without_copies(*held);
    finding.index_row =
        interpreter_.seen_index(suspect.index, found_entry.key, found_entry.row);
    if (!accusable(suspect.index, found_entry.row)) {
        return found(suspect, Ruling::expiring, std::move(finding));
    }
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
        if (!expected->same_copies(held)) {
            return found(suspect, Ruling::finding, divergent(std::move(finding), *expected, held));
        }
        // It may stand in any one of several rows, but in one only.
        const auto copy = copy_of(suspect.index, held);
        if (!copy) return settled(suspect);
        finding.reason = Reason::redundant;
        finding.index_row = interpreter_.seen_index(suspect.index, copy->key, copy->row);
        return found(suspect, Ruling::finding, std::move(finding));
    }
    finding.reason = reason_of_stale(calls);
    if (calls.row_class == RowClass::expiring) {
        return found(suspect, Ruling::expiring, std::move(finding));
    }
    const bool unsaid = calls.derived == Derived::uncovered || is_of_other_kind(calls);
    if (calls.row_class == RowClass::real && unsaid) {
        return found(suspect, Ruling::uncovered, std::move(finding));
    }
    if (derived_by_older(suspect.index, base, held)) {
        return found(suspect, Ruling::legacy, std::move(finding));
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
    const bool early = finding.damage == Damage::container_expires_early;
    if (early && !outlived(suspect, *row, reading)) {
        return found(suspect, Ruling::expiring, std::move(finding));
    }
    finding.index_row = interpreter_.seen_index(suspect.index, suspect.row, row);
    finding.entry.key = finding.index_row->key;
    return found(suspect, Ruling::finding, std::move(finding));
}

}  // namespace idxfsck::audit
