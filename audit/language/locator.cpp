#include "audit/language/locator.hpp"

#include <algorithm>

#include "audit/language/entry_maker.hpp"
#include "audit/language/key_kinds.hpp"
#include "audit/language/member_list.hpp"
#include "audit/language/uses.hpp"

namespace idxfsck::audit::language {

namespace {

using store::Value;
using store::ValueView;

// Every source, elements too, has a slot of its own, by its name.
class SolutionBinder : public Binder {
public:
    SolutionBinder(std::vector<std::string>& names, std::int64_t now_ms)
        : Binder{now_ms}, names_{names} {}

    std::size_t slot(const Operand& operand, std::vector<PathStep>& steps) override {
        steps.clear();
        const std::string name = source_name(operand);
        const auto found = std::find(names_.begin(), names_.end(), name);
        if (found != names_.end()) return static_cast<std::size_t>(found - names_.begin());
        names_.push_back(name);
        return names_.size() - 1;
    }
    bool elements_in_slots() const override { return true; }

private:
    std::vector<std::string>& names_;
};

// What the spec leaves unsaid of the base's key, its table says.
Types types_of(const BaseSpec& base, const store::TableSchema& table) {
    Types types = base.types;
    for (const auto& [name, kind] : known_kinds(table)) {
        types.try_emplace(name, store::kind_name(kind));
    }
    return types;
}

}  // namespace

std::vector<std::string> sources_of(const NamedTemplate& named) {
    std::vector<std::string> sources;
    visit(named, [&](const Operand& operand) {
        if (operand.varies()) sources.push_back(source_name(operand));
    });
    return sources;
}

Locator::Locator(const IndexSpec& index, const BaseSpec& base,
                 const std::vector<NamedTemplate>& key, const store::TableSchema& base_table,
                 std::int64_t now_ms)
    : now_ms_{now_ms},
      types_{types_of(base, base_table)},
      constants_{constants_of(checked_condition(base.rows))},
      base_key_{base_table.key} {
    for (const NamedTemplate& named : key) key_.push_back(read(named));
    for (const NamedTemplate& named : pointer_templates(index)) pointer_.push_back(read(named));
    locate_.resize(base_key_.size());
    for (const NamedTemplate& named : base.locate) {
        const auto found = std::find(base_key_.begin(), base_key_.end(), named.name);
        if (found == base_key_.end()) continue;
        locate_[static_cast<std::size_t>(found - base_key_.begin())] = read(named);
    }
}

Locator::Reading Locator::read(const NamedTemplate& named) {
    SolutionBinder binder{slot_names_, now_ms_};
    Reading reading{{}, BoundValue{named, binder}, sources_of(named)};
    for (const TemplateChoice& choice : named.choices) {
        reading.choices.push_back(
            {checked_template(choice.text), constants_of(checked_condition(choice.when))});
    }
    if (named.otherwise) reading.choices.push_back({checked_template(named.text), {}});
    return reading;
}

std::vector<ValueView> Locator::slots_of(const Solution& solution) const {
    std::vector<ValueView> slots(slot_names_.size());
    for (std::size_t index = 0; index < slots.size(); ++index) {
        const auto found = solution.find(slot_names_[index]);
        if (found != solution.end()) slots[index] = found->second.view();
    }
    return slots;
}

bool Locator::knows(const Reading& reading, const Solution& solution) const {
    return std::all_of(reading.sources.begin(), reading.sources.end(),
                       [&](const std::string& name) { return solution.contains(name); });
}

std::optional<Solution> Locator::explain(const Reading& reading, const Choice& choice,
                                         const ValueView& value, Scratch& scratch,
                                         Solution known) const {
    for (const auto& [name, constant] : choice.constants) {
        const auto [place, added] = known.try_emplace(name, constant);
        if (!added && !same_value(place->second, constant)) return std::nullopt;
    }
    if (!invert_template(choice.parsed, value, types_, scratch, known)) return std::nullopt;
    // Another choice may come first for what was read.
    const bool sure = reading.choices.size() == 1 || !knows(reading, known);
    if (!sure && !gives_back(reading, value, scratch, known)) return std::nullopt;
    return known;
}

bool Locator::gives_back(const Reading& reading, const ValueView& value, Scratch& scratch,
                         const Solution& solution) const {
    const std::vector<ValueView> slots = slots_of(solution);
    ValueView made;
    if (!reading.bound.evaluate({slots, scratch}, made)) return false;
    return made.present() && same_value(made, value);
}

void Locator::solve(const std::vector<Reading>& readings, std::span<const ValueView> values,
                    Scratch& scratch, Solution& solution) const {
    for (std::size_t index = 0; index < readings.size() && index < values.size(); ++index) {
        const Reading& reading = readings[index];
        // With several choices, only one may explain the value.
        std::optional<Solution> found;
        bool several = false;
        for (const Choice& choice : reading.choices) {
            auto more = explain(reading, choice, values[index], scratch, solution);
            if (!more) continue;
            several = several || found.has_value();
            found = std::move(more);
        }
        if (found && !several) solution = std::move(*found);
    }
}

bool Locator::compute(std::size_t component, Scratch& scratch, Solution& solution) const {
    const std::string& name = base_key_[component];
    if (solution.contains(name)) return true;
    const std::optional<Reading>& reading = locate_[component];
    if (!reading || !knows(*reading, solution)) return false;
    const std::vector<ValueView> slots = slots_of(solution);
    ValueView value;
    if (!reading->bound.evaluate({slots, scratch}, value) || !value.present()) return false;
    solution.emplace(name, Value{value});
    return true;
}

bool Locator::agrees(const std::vector<Reading>& readings, std::span<const ValueView> values,
                     Scratch& scratch, const Solution& solution) const {
    for (std::size_t index = 0; index < readings.size() && index < values.size(); ++index) {
        if (!knows(readings[index], solution)) continue;
        if (!gives_back(readings[index], values[index], scratch, solution)) return false;
    }
    return true;
}

std::optional<store::Key> Locator::locate(const EntryView& entry) const {
    Scratch scratch;
    Solution solution;
    solve(pointer_, entry.pointer, scratch, solution);
    // Where the pointer alone tells the row, a key that does not agree is one that went stale.
    std::optional<store::Key> key = conclude(solution, scratch);
    if (!key) {
        solve(key_, entry.key, scratch, solution);
        key = conclude(solution, scratch);
        if (!key || !agrees(key_, entry.key, scratch, solution)) return std::nullopt;
    }
    if (!agrees(pointer_, entry.pointer, scratch, solution)) return std::nullopt;
    return key;
}

std::optional<store::Key> Locator::conclude(Solution& solution, Scratch& scratch) const {
    Solution known = solution;
    // What an entry says outright comes before what the selector says of all rows.
    known.insert(constants_.begin(), constants_.end());
    store::Key key;
    for (std::size_t component = 0; component < base_key_.size(); ++component) {
        if (!compute(component, scratch, known)) return std::nullopt;
        key.push_back(known.at(base_key_[component]));
    }
    solution = std::move(known);
    return key;
}

bool Locator::can_locate() const {
    Solution known = constants_;
    for (const std::vector<Reading>* readings : {&pointer_, &key_}) {
        for (const Reading& reading : *readings) {
            for (const std::string& name : reading.sources) known.try_emplace(name);
        }
    }
    for (std::size_t index = 0; index < base_key_.size(); ++index) {
        const bool solved = known.contains(base_key_[index]);
        if (!solved && (!locate_[index] || !knows(*locate_[index], known))) return false;
    }
    return true;
}

}  // namespace idxfsck::audit::language
