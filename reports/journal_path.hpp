// reports/journal_path.hpp
//
// Which journal a repair writes: the one of its plan, or a new one. A journal is what `undo` goes
// by, so one of another plan is never continued and never overwritten.

#pragma once

#include <string>

namespace idxfsck::reports {

// FOLDER/journal.ndjson, or journal-2.ndjson and so on: the first that belongs to the plan or to
// none.
std::string journal_path(const std::string& folder, const std::string& plan_digest);

// The journal that a command line names: the file itself, or the only one in a folder. Throws Error
// (usage) if there is none, or more than one.
std::string find_journal(const std::string& path);

// Where the undo of a journal keeps its own: journal.undo.ndjson beside journal.ndjson.
std::string undo_path(const std::string& journal);

}  // namespace idxfsck::reports
