#include "tests/simulation/protocol.hpp"

#include <algorithm>

namespace idxfsck::simulation {

namespace {

std::string value_of(const std::optional<User>& user) { return user ? user->value : ""; }

Model with_entry(Model model, const Slot& slot, const std::string& name) {
    if (model.shape == Shape::pointer) {
        if (const auto holder = model.holder(slot.first)) {
            model.entries.erase({slot.first, *holder});
        }
    }
    model.entries[slot] = model.copies() ? name : "";
    return model;
}

Model without_entry(Model model, const Slot& slot, bool only_own) {
    if (model.shape == Shape::pointer && !only_own) {
        if (const auto holder = model.holder(slot.first)) {
            model.entries.erase({slot.first, *holder});
        }
    }
    model.entries.erase(slot);
    return model;
}

// Users of one act may pass on an entry that has room for one: then it stays.
bool stays(const Act& act, Shape shape, const std::string& value) {
    if (shape != Shape::pointer && shape != Shape::claim) return false;
    return std::any_of(act.wish.begin(), act.wish.end(), [&](const auto& wish) {
        const bool takes = value_of(act.old.at(wish.first)) != value;
        return value_of(wish.second) == value && (takes || shape == Shape::claim);
    });
}

Slot slot_of(Shape shape, const std::string& value, const std::string& id) {
    return {value, shape == Shape::claim ? "" : id};
}

}  // namespace

std::vector<Move> moves_of(const Act& act, Shape shape, Order order) {
    std::vector<Move> moves{{Doing::look, ""}};
    if (order == Order::together) {
        moves.push_back({Doing::all, ""});
        return moves;
    }
    std::vector<Move> bases;
    std::vector<Move> adds;
    std::vector<Move> drops;
    const bool copies = shape == Shape::pointer || shape == Shape::pairs;
    for (const auto& [id, wanted] : act.wish) {
        const auto read = act.old.find(id);
        if (read == act.old.end()) continue;
        const std::optional<User>& old = read->second;
        const std::string from = value_of(old);
        const std::string to = value_of(wanted);
        if (old != wanted) bases.push_back({Doing::base, id});
        if (!to.empty() && to != from) adds.push_back({Doing::add, id});
        const bool renamed = copies && wanted && old && old->name != wanted->name;
        if (!to.empty() && to == from && renamed) adds.push_back({Doing::rename, id});
        if (!from.empty() && to != from && !stays(act, shape, from)) {
            drops.push_back({Doing::drop, id});
        }
    }
    const bool base_first = order == Order::base_first && shape != Shape::claim;
    for (const auto& part : {base_first ? bases : adds, base_first ? adds : bases, drops}) {
        moves.insert(moves.end(), part.begin(), part.end());
    }
    return moves;
}

StepEnd Stepper::run(const Move& move) {
    switch (move.doing) {
        case Doing::look:
            return look();
        case Doing::base:
            return write_base(move.id);
        case Doing::add:
            return add(move.id);
        case Doing::drop:
            return drop(move.id);
        case Doing::rename:
            return rename(move.id);
        case Doing::all:
            break;
    }
    return write_all();
}

StepEnd Stepper::look() {
    act_.old.clear();
    for (const auto& [id, wanted] : act_.wish) {
        const auto user = ground_.model().users.find(id);
        const bool there = user != ground_.model().users.end();
        act_.old[id] = there ? std::optional{user->second} : std::nullopt;
    }
    for (const auto& [id, wanted] : act_.wish) {
        const std::string to = value_of(wanted);
        if (!to.empty() && to != value_of(act_.old[id]) && !is_open(to)) return StepEnd::give_up;
    }
    return StepEnd::on;
}

bool Stepper::had(const std::string& value) const {
    return std::any_of(act_.old.begin(), act_.old.end(),
                       [&](const auto& old) { return value_of(old.second) == value; });
}

bool Stepper::is_open(const std::string& value) const {
    const Model& model = ground_.model();
    if (model.shape == Shape::claim) return !model.holds({value, ""}) || had(value);
    if (model.shape != Shape::pointer || !habits_.careful) return true;
    const auto holder = model.holder(value);
    return !holder || is_ours(*holder);
}

StepEnd Stepper::write_base(const std::string& id) {
    const std::optional<User>& wanted = act_.wish.at(id);
    if (wanted) {
        ground_.put(self(), base_table, user_row(id, *wanted), now_ms_, stamp_ms_);
    } else {
        ground_.erase(self(), base_table, {store::Value::text(id)}, now_ms_, stamp_ms_);
    }
    return StepEnd::on;
}

bool Stepper::reads_list(const Slot& slot) {
    if (ground_.model().shape != Shape::list) return false;
    if (!act_.list) {
        act_.list = ground_.model();
        return true;
    }
    if (!habits_.careful) return false;
    if (index_row(*act_.list, slot) == index_row(ground_.model(), slot)) return false;
    events_.add(Event::compare_failed);
    act_.list = ground_.model();
    return true;
}

StepEnd Stepper::write_index(const Slot& slot, const Model& model) {
    const auto row = index_row(model, slot);
    act_.list.reset();
    if (row) {
        ground_.put(self(), index_table, *row, now_ms_, stamp_ms_);
    } else {
        ground_.erase(self(), index_table, index_key(model.shape, slot), now_ms_, stamp_ms_);
    }
    return StepEnd::on;
}

StepEnd Stepper::add(const std::string& id) {
    const User& wanted = *act_.wish.at(id);
    const Slot slot = slot_of(ground_.model().shape, wanted.value, id);
    if (!is_open(wanted.value)) return StepEnd::give_up;
    if (reads_list(slot)) return StepEnd::again;
    const Model& from = act_.list ? *act_.list : ground_.model();
    return write_index(slot, with_entry(from, slot, wanted.name));
}

StepEnd Stepper::drop(const std::string& id) {
    const Slot slot = slot_of(ground_.model().shape, act_.old.at(id)->value, id);
    if (reads_list(slot)) return StepEnd::again;
    const Model& from = act_.list ? *act_.list : ground_.model();
    return write_index(slot, without_entry(from, slot, habits_.careful));
}

StepEnd Stepper::rename(const std::string& id) {
    const User& wanted = *act_.wish.at(id);
    const Slot slot{wanted.value, id};
    if (habits_.careful && !ground_.model().holds(slot)) return StepEnd::on;
    return write_index(slot, with_entry(ground_.model(), slot, wanted.name));
}

// A transaction: whatever was read must still be so.
StepEnd Stepper::write_all() {
    for (const auto& [id, old] : act_.old) {
        const auto user = ground_.model().users.find(id);
        const bool there = user != ground_.model().users.end();
        if (there != old.has_value() || (there && user->second != *old)) {
            return StepEnd::from_the_start;
        }
    }
    const Shape shape = ground_.model().shape;
    events_.add(Event::together);
    for (const Move& move : moves_of(act_, shape, Order::index_first)) {
        if (move.doing == Doing::look) continue;
        while (true) {
            const StepEnd end = run(move);
            if (end == StepEnd::give_up) return StepEnd::give_up;
            if (end == StepEnd::on) break;
        }
    }
    return StepEnd::on;
}

}  // namespace idxfsck::simulation
