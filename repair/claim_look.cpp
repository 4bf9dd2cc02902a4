#include "repair/claim_look.hpp"

#include "repair/unclaimed_scan.hpp"

namespace idxfsck::repair {

std::optional<bool> ClaimLook::unclaimed(const Operation& operation) {
    if (!deletes(operation.kind) || operation.base) return std::nullopt;
    if (looked_at_.insert(operation.index).second) look(operation.index);
    const auto found = unclaimed_.find(operation.id);
    return found == unclaimed_.end() ? std::nullopt : std::optional{found->second};
}

void ClaimLook::look(const std::string& index) {
    std::vector<const Operation*> asking;
    std::vector<audit::Entry> entries;
    for (std::size_t place = 0; place < plan_.operations.size(); ++place) {
        const Operation& operation = plan_.operations[place];
        const bool asks = operation.index == index && deletes(operation.kind) && !operation.base &&
                          results_[place].outcome == Outcome::not_run;
        if (!asks) continue;
        asking.push_back(&operation);
        entries.push_back(operation.entry);
    }
    const std::optional<std::vector<bool>> answers =
        still_unclaimed_ ? still_unclaimed_(index, entries)
                         : scan_unclaimed(view_, index, entries);
    if (!answers || answers->size() != asking.size()) return;
    for (std::size_t place = 0; place < asking.size(); ++place) {
        unclaimed_[asking[place]->id] = (*answers)[place];
    }
}

}  // namespace idxfsck::repair
