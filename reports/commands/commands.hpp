// reports/commands/commands.hpp
//
// The commands of this folder, one a file.

#pragma once

#include "reports/command.hpp"

namespace idxfsck::reports {

Command check_command();
Command doctor_command();
Command audit_command();
Command merge_command();
Command plan_command();
Command repair_command();
Command undo_command();
Command why_command();
Command report_command();
Command load_command();
Command dump_command();
Command explain_command();

}  // namespace idxfsck::reports
