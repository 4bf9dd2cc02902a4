// repair/undo_steps.hpp
//
// The writes of a journal that an undo has to take back, last one first.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "repair/journal.hpp"

namespace idxfsck::repair {

struct UndoStep {
    const Intent* intent = nullptr;
    // The version of the row as the repair left it, if it is known.
    std::optional<store::Bytes> version;
    // Names this write in the journal of the undo: the operation's id, '@', and the number of the
    // intent among the records.
    std::string name;
};

// Refers to the journal. Left out are writes that a guard refused, and compensations with what they
// took back.
std::vector<UndoStep> steps_of(const JournalContents& journal);

}  // namespace idxfsck::repair
