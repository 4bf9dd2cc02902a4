#include "repair/outcome.hpp"

#include <algorithm>
#include <array>

namespace idxfsck::repair {

namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, outcome_count> names{
    "applied", "already", "superseded", "ineffective", "held",
    "skipped", "manual",  "failed",     "would_apply", "not_run",
};

static_assert(names.size() == static_cast<std::size_t>(Outcome::not_run) + 1);

}  // namespace

std::string_view outcome_name(Outcome outcome) {
    return names.at(static_cast<std::size_t>(outcome));
}

std::optional<Outcome> outcome_of(std::string_view name) {
    for (std::size_t index = 0; index < names.size(); ++index) {
        if (names[index] == name) return static_cast<Outcome>(index);
    }
    return std::nullopt;
}

std::uint64_t RepairResult::count(Outcome outcome) const {
    const auto same = [&](const OperationResult& result) { return result.outcome == outcome; };
    return static_cast<std::uint64_t>(std::count_if(operations.begin(), operations.end(), same));
}

bool RepairResult::anything_left() const {
    const auto done = [](const OperationResult& result) {
        return result.outcome == Outcome::applied || result.outcome == Outcome::already;
    };
    return !std::all_of(operations.begin(), operations.end(), done);
}

}  // namespace idxfsck::repair
