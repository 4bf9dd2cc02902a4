#include "repair/undo_steps.hpp"

#include <algorithm>
#include <unordered_map>
#include <utility>

#include "repair/live_view.hpp"
#include "repair/write_group.hpp"

namespace idxfsck::repair {

namespace {

// Could the write of this outcome be in the store? A write without an outcome could.
bool may_have_written(Outcome outcome) {
    return outcome == Outcome::applied || outcome == Outcome::ineffective ||
           outcome == Outcome::failed;
}

// Of a write in doubt nobody came to know the version. What the repair saw when it wrote the row
// the next time tells whether it was there.
void learn_from_next(const JournalContents& journal, const std::vector<bool>& in_doubt,
                     std::vector<UndoStep>& steps) {
    std::unordered_map<store::Bytes, const Intent*> next_write;  // of a row, by address
    std::size_t place = steps.size();
    for (std::size_t number = journal.records.size(); number-- > 0;) {
        const auto* intent = std::get_if<Intent>(&journal.records[number]);
        if (intent == nullptr) continue;
        const store::Bytes row = RowAddress{intent->store, intent->table, intent->key}.bytes();
        const Intent* next = std::exchange(next_write[row], intent);
        if (intent->compensation || !in_doubt[--place] || next == nullptr) continue;
        if (!same_bytes(next->before, intent->after)) steps[place].intent = nullptr;
        else if (next->before) steps[place].version = next->before->version;
    }
}

}  // namespace

std::vector<UndoStep> steps_of(const JournalContents& journal) {
    std::vector<UndoStep> steps;
    std::vector<bool> in_doubt;
    std::unordered_map<std::string, std::size_t> open;  // the last step of an operation
    for (std::size_t number = 0; number < journal.records.size(); ++number) {
        if (const auto* intent = std::get_if<Intent>(&journal.records[number])) {
            if (intent->compensation) continue;
            open[intent->operation] = steps.size();
            in_doubt.push_back(true);
            const std::string name = intent->operation + "@" + std::to_string(number);
            steps.push_back({intent, std::nullopt, name});
            continue;
        }
        const Done& done = std::get<Done>(journal.records[number]);
        const auto step = open.find(done.operation);
        if (done.compensation || step == open.end()) continue;
        steps[step->second].version = done.version;
        if (!may_have_written(done.outcome)) steps[step->second].intent = nullptr;
        // After a failure the next run looks again, and says what it saw.
        if (done.outcome == Outcome::failed) continue;
        in_doubt[step->second] = false;
        open.erase(step);
    }
    learn_from_next(journal, in_doubt, steps);
    const auto not_written = [](const UndoStep& step) { return step.intent == nullptr; };
    steps.erase(std::remove_if(steps.begin(), steps.end(), not_written), steps.end());
    std::reverse(steps.begin(), steps.end());
    return steps;
}

}  // namespace idxfsck::repair
