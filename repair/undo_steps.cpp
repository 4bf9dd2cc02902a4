#include "repair/undo_steps.hpp"

#include <algorithm>
#include <unordered_map>

namespace idxfsck::repair {

namespace {

// Could the write of this outcome be in the store? A write without an outcome could.
bool may_have_written(Outcome outcome) {
    return outcome == Outcome::applied || outcome == Outcome::ineffective ||
           outcome == Outcome::failed;
}

}  // namespace

std::vector<UndoStep> steps_of(const JournalContents& journal) {
    std::vector<UndoStep> steps;
    std::unordered_map<std::string, std::size_t> open;  // the last step of an operation
    for (std::size_t number = 0; number < journal.records.size(); ++number) {
        if (const auto* intent = std::get_if<Intent>(&journal.records[number])) {
            if (intent->compensation) continue;
            open[intent->operation] = steps.size();
            const std::string name = intent->operation + "@" + std::to_string(number);
            steps.push_back({intent, std::nullopt, name});
            continue;
        }
        const Done& done = std::get<Done>(journal.records[number]);
        const auto step = open.find(done.operation);
        if (done.compensation || step == open.end()) continue;
        steps[step->second].version = done.version;
        if (!may_have_written(done.outcome)) steps[step->second].intent = nullptr;
        open.erase(step);
    }
    const auto not_written = [](const UndoStep& step) { return step.intent == nullptr; };
    steps.erase(std::remove_if(steps.begin(), steps.end(), not_written), steps.end());
    std::reverse(steps.begin(), steps.end());
    return steps;
}

}  // namespace idxfsck::repair
