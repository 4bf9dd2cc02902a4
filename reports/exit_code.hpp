// reports/exit_code.hpp
//
// The exit status of the process, worked out in one place from the objects that every report shows.
//
// Shape    Bits, summed: 0 consistent, or made so and verified; 4 drift is left; 8 could not tell;
//          16 usage or spec; 32 stopped by a signal.

#pragma once

#include "audit/coverage.hpp"
#include "repair/outcome.hpp"
#include "store/error.hpp"

namespace idxfsck::reports {

constexpr int exit_consistent = 0;
constexpr int exit_drift = 4;
constexpr int exit_could_not_tell = 8;
constexpr int exit_usage = 16;
constexpr int exit_stopped = 32;

int exit_code(store::Trouble trouble);

// Findings count even where something could not be read: then both bits are set.
int exit_code(const audit::AuditResult& result);

// Of a repair or an undo, also of a dry run: 4 if anything is left or would be done, 8 if the store
// failed, 32 if a signal stopped it.
int exit_code(const repair::RepairResult& result);

}  // namespace idxfsck::reports
