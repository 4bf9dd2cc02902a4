#include "row_words.hpp"

#include <algorithm>

namespace idxfsck::tests {

namespace {

using audit::Finding;
using audit::FindingKind;
using audit::Reason;

audit::Programs compile(const Play& play) {
    const std::map<std::string, audit::StoreFacts> facts{
        {"main", {schemas_of(play.spec()), play.key_limits(), {}}}};
    return audit::compile(play.spec(), facts, {}, play.now_ms());
}

bool is_conflict(const Finding& finding) {
    return finding.kind == FindingKind::duplicate_claim || finding.kind == FindingKind::collision;
}

std::string stale_word(Reason reason) {
    switch (reason) {
        case Reason::base_missing: return "stale_missing_base";
        case Reason::base_partial: return "stale_partial_row";
        case Reason::value_changed: return "stale_value_changed";
        case Reason::base_exempt: return "stale_exempt_row";
        case Reason::unclaimed: return "stale_unclaimed";
        case Reason::redundant: return "redundant_legacy";
        default: return "stale";
    }
}

std::string damage_word(audit::Damage damage) {
    switch (damage) {
        case audit::Damage::container_empty: return "empty_container";
        case audit::Damage::container_full: return "container_full";
        case audit::Damage::container_expires_early: return "container_expires_early";
        default: return "malformed";
    }
}

// The word for the base row with this key, or "".
std::string base_word(const Finding& finding, const store::Key& key) {
    const bool about = finding.base && finding.base->key == key;
    if (finding.kind == FindingKind::orphaned_write && about) {
        return finding.reason == Reason::older_version ? "ok_legacy" : "orphan";
    }
    if (finding.kind == FindingKind::unindexable && about) return "unindexable";
    if (!is_conflict(finding)) return "";
    const bool claims = std::find(finding.claimants.begin(), finding.claimants.end(), key) !=
                        finding.claimants.end();
    const bool rightly = finding.holder == key && finding.winner.value_or(key) == key;
    if (!claims || rightly) return "";
    return std::string{audit::kind_name(finding.kind)};
}

// The word for the entry, or "".
std::string index_word(const Finding& finding, const audit::Entry& entry) {
    if (finding.kind == FindingKind::stale_pointer && finding.entry.same_claim(entry)) {
        return stale_word(finding.reason);
    }
    if (finding.kind == FindingKind::divergent_copy && finding.entry.same_claim(entry)) {
        return "projection_mismatch";
    }
    const bool lost = finding.winner && finding.holder && finding.winner != finding.holder;
    return lost && finding.entry.same_key(entry) ? "wrong_winner" : "";
}

}  // namespace

RowJudge::RowJudge(const Play& play, const audit::AuditResult& result)
    : play_{play}, result_{result}, programs_{compile(play)}, interpreter_{programs_} {
    for (std::size_t index = 0; index < programs_.indexes.size(); ++index) {
        for (const auto& typed : play.base_rows()) {
            if (!typed || !lies_in(index, *typed, true)) continue;
            const auto reading = interpreter_.read_base(index, &typed->row);
            if (reading.row_class != audit::RowClass::real) continue;
            for (const audit::Entry& entry : reading.entries) derived_.push_back({index, entry});
        }
        const bool inside = play.spec().indexes[index].inside;
        for (const auto& typed : inside ? play.base_rows() : play.index_rows()) {
            if (!typed || !lies_in(index, *typed, false)) continue;
            const auto reading = interpreter_.read_index(index, &typed->row);
            for (const audit::Entry& entry : reading.entries) held_.push_back({index, entry});
        }
    }
}

bool RowJudge::lies_in(std::size_t index, const TypedRow& row, bool base) const {
    const audit::BaseSpec* const of = play_.spec().base(spec_of(index).of);
    const bool in_base = base || spec_of(index).inside;
    return row.table == (in_base ? of->table : spec_of(index).table);
}

RowWords RowJudge::base_row(const TypedRow& row) {
    RowWords words;
    for (std::size_t index = 0; index < programs_.indexes.size(); ++index) {
        const bool current = spec_of(index).version_of.empty();
        if (current && lies_in(index, row, true)) note_base(index, row, words);
    }
    // Right under one index says more than left out by another, and wrong more than right.
    if (words.size() > 1) words.erase("exempt");
    if (words.size() > 1) words.erase("ok");
    return words;
}

void RowJudge::note_base(std::size_t index, const TypedRow& row, RowWords& words) {
    bool silent = true;
    for (const Finding& finding : result_.findings) {
        if (play_.spec().index(finding.index)->family() != spec_of(index).name) continue;
        const std::string word = base_word(finding, row.row.key);
        if (word.empty()) continue;
        words.insert(spec_of(index).inside ? "derived_attribute_mismatch" : word);
        silent = false;
    }
    if (silent) note_silence(index, row, words);
}

void RowJudge::note_silence(std::size_t index, const TypedRow& row, RowWords& words) {
    const auto reading = interpreter_.read_base(index, &row.row);
    if (reading.row_class == audit::RowClass::other) return;
    if (reading.row_class == audit::RowClass::partial) {
        words.insert("partial_row");
    } else if (reading.derived == audit::Derived::uncovered) {
        words.insert("uncovered");
    } else if (reading.entries.empty()) {
        words.insert("exempt");
    }
    for (const audit::Entry& entry : reading.entries) {
        const std::string word = held_word(index, entry);
        words.insert(word == "unsettled" && held_by_version(index, row) ? "ok_legacy" : word);
    }
}

// Is there an entry of the row under an older key version, as loaded?
bool RowJudge::held_by_version(std::size_t index, const TypedRow& row) {
    for (const std::size_t version : programs_.indexes[index].versions) {
        for (const audit::Entry& entry : interpreter_.read_base(version, &row.row).entries) {
            if (held_word(version, entry) == "ok") return true;
        }
    }
    return false;
}

// Is the entry that a base row calls for there, as loaded?
std::string RowJudge::held_word(std::size_t index, const audit::Entry& entry) const {
    bool taken = false;
    for (const Derived& one : held_) {
        if (one.index != index) continue;
        if (one.entry.same_claim(entry)) return "ok";
        taken = taken || one.entry.same_key(entry);
    }
    return taken && spec_of(index).lossy ? "shared" : "unsettled";
}

RowWords RowJudge::index_row(const TypedRow& row) {
    RowWords words;
    bool owned = false;
    for (std::size_t index = 0; index < programs_.indexes.size(); ++index) {
        if (!lies_in(index, row, false)) continue;
        const auto reading = interpreter_.read_index(index, &row.row);
        owned = owned || reading.owned;
        for (const Finding& finding : result_.findings) {
            const bool here = finding.index == spec_of(index).name && finding.index_row &&
                              finding.index_row->key == row.row.key;
            if (here && finding.kind == FindingKind::malformed_entry) {
                words.insert(damage_word(finding.damage));
            }
        }
        if (spec_of(index).container.kind != audit::ContainerKind::none) continue;
        for (const audit::Entry& entry : reading.entries) words.insert(entry_word(index, entry));
    }
    if (!owned) words.insert("foreign");
    return words;
}

std::map<std::string, std::string> RowJudge::members(const TypedRow& row) {
    std::map<std::string, std::string> words;
    for (std::size_t index = 0; index < programs_.indexes.size(); ++index) {
        if (!lies_in(index, row, false)) continue;
        if (spec_of(index).container.kind == audit::ContainerKind::none) continue;
        for (const audit::Entry& entry : interpreter_.read_index(index, &row.row).entries) {
            words[entry.pointer.front().payload] = entry_word(index, entry);
        }
    }
    return words;
}

std::string RowJudge::entry_word(std::size_t index, const audit::Entry& entry) const {
    for (const Finding& finding : result_.findings) {
        if (finding.index != spec_of(index).name) continue;
        const std::string word = index_word(finding, entry);
        if (!word.empty()) return word;
    }
    const std::string right = spec_of(index).version_of.empty() ? "ok" : "ok_legacy";
    for (const Derived& one : derived_) {
        if (one.index == index && one.entry.same_claim(entry)) return right;
    }
    return "unsettled";
}

}  // namespace idxfsck::tests
