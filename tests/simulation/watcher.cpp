#include "tests/simulation/watcher.hpp"

#include <algorithm>

#include "repair/journal.hpp"
#include "tests/audit/world.hpp"

namespace idxfsck::simulation {

namespace {

std::string word(const Slot& slot) {
    return slot.first + " -> " + (slot.second.empty() ? "(claim)" : slot.second);
}

std::string bytes_of(const std::optional<store::Row>& row) {
    return row ? "row " + row->attributes : "";
}

// Slots whose entry a change put, took out or gave another copy.
std::set<Slot> touched(const Change& change) {
    std::set<Slot> slots;
    for (const auto* models : {&change.old_model->entries, &change.model->entries}) {
        for (const auto& [slot, name] : *models) {
            const auto before = change.old_model->entries.find(slot);
            const auto after = change.model->entries.find(slot);
            const bool same = before != change.old_model->entries.end() &&
                              after != change.model->entries.end() &&
                              before->second == after->second;
            if (!same) slots.insert(slot);
        }
    }
    return slots;
}

// Does the journal speak of a write that would leave the row as it was before this change?
bool intends(const std::string& text, const Change& change) {
    const auto journal = repair::read_journal(text);
    if (!journal) return false;
    for (const auto& record : journal->records) {
        const auto* intent = std::get_if<repair::Intent>(&record);
        if (intent != nullptr && name_of(intent->table, intent->key) == change.row &&
            bytes_of(intent->after) == bytes_of(change.before)) {
            return true;
        }
    }
    return false;
}

RowName base_name(const std::string& id) { return name_of(base_table, {store::Value::text(id)}); }

// The base rows that a slot rests on.
std::vector<std::string> base_ids(const Model& model, const Slot& slot) {
    if (model.shape != Shape::claim) return {slot.second};
    std::vector<std::string> ids;
    for (const auto& [id, user] : model.users) ids.push_back(id);
    return ids;
}

}  // namespace

Watcher::Watcher(Ground& ground, Promises promises, Events& events)
    : ground_{ground}, promises_{promises}, events_{events} {
    for (const Slot& slot : ground.model().slots()) {
        if (!ground.model().agrees(slot)) differences_[slot] = std::nullopt;
    }
}

void Watcher::complain(int claim, const std::string& text) {
    if (!breach_) breach_ = Breach{claim, text};
}

void Watcher::saw(const Change& change) {
    excuse_ = false;
    authors_[change.row].emplace_back(change.number, change.author);
    if (change.author.is_tool()) {
        const WatchedTool& tool = tools_.at(change.author.party);
        if (change.row.first == base_table) complain(4, "a base row was written by the tool");
        if (tool.phase == Phase::audit) complain(4, "an audit wrote");
        if (tool.phase == Phase::undo) see_undo(change, tool);
        if (tool.phase == Phase::repair) see_repair(change, tool);
    }
    close_windows(change);
    note_causes(change);
    note_agreement(*change.model);
}

void Watcher::note_causes(const Change& change) {
    std::set<Slot> slots = change.model->slots();
    for (const auto& [slot, cause] : differences_) slots.insert(slot);
    for (const Slot& slot : slots) {
        if (change.model->agrees(slot)) differences_.erase(slot);
        else differences_.try_emplace(slot, Cause{change.author, excuse_});
    }
}

void Watcher::see_repair(const Change& change, const WatchedTool& tool) {
    if (takes_back(change, tool)) {
        events_.add(Event::compensation);
        excuse_ = true;
        const std::set<Slot> slots = touched(change);
        std::erase_if(windows_, [&](const Window& one) { return slots.contains(one.slot); });
        return;
    }
    for (const Slot& slot : touched(change)) {
        if (!change.model->agrees(slot)) wrote_wrongly(change, tool, slot);
        else if (!change.model->holds(slot)) check_moved_row(change, tool, slot);
    }
}

// The entry does not agree with the base rows at the moment of its commit.
void Watcher::wrote_wrongly(const Change& change, const WatchedTool& tool, const Slot& slot) {
    const bool takes_out = !change.model->holds(slot);
    if (change.model->shape == Shape::claim && takes_out) {
        excuse_ = !promises_.prompt || !promises_.versions;
        if (!excuse_) complain(4, "a claim was deleted that a base row calls for: " + word(slot));
        return;
    }
    if (promises_.guards_reach_base) {
        return complain(takes_out ? 4 : 3, "a write does not agree with the base rows as it "
                                           "commits: " + word(slot));
    }
    if (!base_moved(*change.model, slot, *tool.store)) {
        return complain(3, "a write does not agree with the base rows, which did not move since "
                           "they were looked at: " + word(slot));
    }
    events_.add(Event::window);
    excuse_ = true;  // as long as the window is closed
    windows_.push_back({change.author.party, slot});
}

bool Watcher::base_moved(const Model& model, const Slot& slot, const ToolStore& store) const {
    const auto moved_row = [&](const RowName& name) {
        const auto look = store.last_look(name);
        return look && ground_.last_application_change(name) > *look;
    };
    if (model.shape != Shape::claim) return moved_row(base_name(slot.second));
    const auto rows = ground_.changed_rows(base_table);
    return std::any_of(rows.begin(), rows.end(), moved_row);
}

// The last intent of the row is one that takes back.
bool Watcher::takes_back(const Change& change, const WatchedTool& tool) const {
    if (promises_.guards_reach_base) return false;
    const auto journal = repair::read_journal(tool.journal());
    if (!journal) return false;
    const repair::Intent* last = nullptr;
    for (const auto& record : journal->records) {
        const auto* intent = std::get_if<repair::Intent>(&record);
        if (intent != nullptr && name_of(intent->table, intent->key) == change.row) last = intent;
    }
    return last != nullptr && last->compensation &&
           bytes_of(last->after) == bytes_of(change.after);
}

// Adds before deletes: nothing that the application did since the plan excuses a missing entry.
void Watcher::check_moved_row(const Change& change, const WatchedTool& tool, const Slot& slot) {
    const Model& model = *change.model;
    if (model.shape == Shape::claim || promises_.last_write_wins) return;
    const auto user = model.users.find(slot.second);
    if (user == model.users.end() || user->second.value.empty()) return;
    const Slot wanted{user->second.value, slot.second};
    const RowName row = name_of(index_table, index_key(model.shape, wanted));
    if (ground_.last_application_change(base_name(slot.second)) > tool.planned_at) return;
    if (ground_.last_application_change(row) > tool.planned_at || model.holds(wanted)) return;
    // Of a key that changes hands, the old holder waits for nothing (SAFETY.md).
    const bool changes_hands = change.after && model.shape == Shape::pointer;
    if (changes_hands) return;
    complain(4, "the old entry of a base row went before its new one came: " + word(slot));
}

void Watcher::see_undo(const Change& change, const WatchedTool& tool) {
    excuse_ = true;
    events_.add(Event::undone);
    if (change.previous && change.previous->party == change.author.party) return;
    // A write that may or may not have happened left the row so, for all that anyone can tell.
    const bool as_left = intends(tool.journal(), change);
    const bool versioned = promises_.versions && change.before;
    // A version that another's identical write gave the row before the repair read it back.
    const auto seen = tool.seen_versions.find(change.row);
    const bool taken_for_ours = versioned && seen != tool.seen_versions.end() &&
                                seen->second == change.before->version;
    if (as_left && (!versioned || taken_for_ours || intends(tool.undo_journal(), change))) return;
    complain(5, "an undo wrote over a row that was written since");
}

void Watcher::close_windows(const Change& change) {
    std::erase_if(windows_, [&](const Window& window) {
        const RowName row = name_of(index_table, index_key(change.model->shape, window.slot));
        const bool others = row == change.row && change.author.party != window.party;
        return others || change.model->agrees(window.slot);
    });
}

void Watcher::end_repair(Party party, bool clean) {
    if (!clean) return;
    for (const Window& window : windows_) {
        if (window.party != party) continue;
        // The base row moved once more after the second look: the application's own step.
        if (base_moved(ground_.model(), window.slot, *tools_.at(party).store)) continue;
        complain(3, "a write around which the base row moved was left: " + word(window.slot));
    }
    std::erase_if(windows_, [&](const Window& window) { return window.party == party; });
}

void Watcher::begin_audit() {
    auditing_ = true;
    agreed_.clear();
    derived_.clear();
    const Model& model = ground_.model();
    for (const auto& [slot, name] : model.entries) {
        if (!model.agrees(slot)) continue;
        for (const std::string& id : base_ids(model, slot)) {
            if (model.derives(id, slot.first)) agreed_.insert({slot, id});
        }
    }
    note_agreement(model);
}

void Watcher::note_agreement(const Model& model) {
    if (!auditing_) return;
    std::erase_if(agreed_, [&](const auto& one) {
        return !model.agrees(one.first) || !model.derives(one.second, one.first.first);
    });
    for (const auto& [id, user] : model.users) derived_.insert({user.value, id});
}

void Watcher::end_audit(const audit::AuditResult& result) {
    auditing_ = false;
    for (const audit::Finding& finding : result.findings) check_finding(finding);
}

void Watcher::check_finding(const audit::Finding& finding) {
    if (finding.entry.key.empty()) return complain(1, "a row was accused of damage");
    const std::string value = finding.entry.key.front().payload;
    for (const store::Key& claimant : finding.claimants) {
        if (!derived_.contains({value, claimant.front().payload})) {
            complain(1, "a claimant never derived the key: " + tests::word(finding));
        }
    }
    if (!finding.claimants.empty()) return;
    std::string id = finding.entry.pointer.empty() ? "" : finding.entry.pointer[0].payload;
    if (finding.entry.key.size() > 1) id = finding.entry.key[1].payload;
    for (const auto& [slot, base] : agreed_) {
        const bool is_claim = ground_.model().shape == Shape::claim;
        const bool same_base = is_claim ? !finding.base || finding.base->key[0].payload == base
                                        : id == base;
        if (slot.first == value && same_base) {
            complain(1, "accused although it agreed throughout: " + tests::word(finding));
        }
    }
}

void Watcher::check_causes(const std::vector<Act>& acts) {
    if (promises_.last_write_wins) return;
    for (const auto& [slot, cause] : differences_) {
        if (!cause || cause->excused || is_excused(slot, *cause, acts)) continue;
        const char* who =
            cause->author.is_tool() ? "the tool: " : "an act that nothing disturbed: ";
        complain(3, "a difference is left that nobody caused but " + (who + word(slot)));
    }
}

bool Watcher::is_excused(const Slot& slot, const Cause& cause,
                         const std::vector<Act>& acts) const {
    if (cause.author.is_tool()) return false;
    const Act& act = acts.at(cause.author.act);
    if (act.ending != Ending::done || !promises_.careful) return true;
    const Model& model = ground_.model();
    if (model.shape == Shape::claim) {
        // Others had claimed the same value without an entry before: its own conflict.
        for (const std::string& id : model.claimants(slot.first)) {
            if (!act.wish.contains(id)) return true;
        }
    }
    std::vector<RowName> rows{name_of(index_table, index_key(model.shape, slot))};
    for (const std::string& id : base_ids(model, slot)) rows.push_back(base_name(id));
    for (const RowName& row : rows) {
        const auto authors = authors_.find(row);
        if (authors == authors_.end()) continue;
        for (const auto& [number, author] : authors->second) {
            const bool own = !author.is_tool() && author.act == act.number;
            if (!own && number > act.first_change && number <= act.last_change) return true;
        }
    }
    return false;
}

}  // namespace idxfsck::simulation
