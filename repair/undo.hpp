// repair/undo.hpp
//
// Plays a journal backwards: every row that a repair changed becomes what it was, byte for byte,
// unless someone wrote it since.
//
// Shape    One result for each intent of the journal, last one first. `applied`: the row is back as
//          it was. `already`: it was so. `superseded`: the row is no longer what the repair left,
//          so it is kept. `would_apply` without options.apply.
// Errors   As run_repair. check_undo throws Error (refused) if the stores are not those of the
//          journal.
// Threads  Everything happens on the caller's thread.

#pragma once

#include "repair/executor.hpp"
#include "repair/journal.hpp"

namespace idxfsck::repair {

struct UndoOptions {
    bool apply = false;
    std::size_t group_max = 64;
    std::function<void(std::uint64_t operations)> pace;
    std::function<bool()> stop_requested;
    std::function<void(const OperationResult&)> progress;
};

void check_undo(const JournalContents& journal, const audit::Readers& readers, bool other_store);

// The header of the journal of an undo of `journal`.
JournalHeader undo_header(const JournalContents& journal, std::int64_t now_ms,
                          const std::string& tool_version);

// `undo_journal` may be null if not options.apply.
RepairResult run_undo(const JournalContents& journal, const Stores& stores, Journal* undo_journal,
                      const UndoOptions& options);

}  // namespace idxfsck::repair
