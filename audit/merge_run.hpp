// audit/merge_run.hpp
//
// One audit, added up from the sketches of its shares: whoever scanned them, where, when, and in
// whatever order they come.
//
// Reads    The sketches; the rows of suspects, and what else a resumed audit reads: shares are of
//          different moments, so nothing is called a finding before two looks, the settle time
//          apart, have shown the same.
// Needs    Every share once. Sketches of one share count once, not as often as they come: of
//          different contents the one with the fewest gaps is kept, of those the one that ended
//          last, of those the one with the smallest digest.
// Gives    The findings and the coverage of one audit; the coverage says of which shares.
// Errors   Throws Error with the files and what differs: usage if sketches are of other parameters,
//          another spec or store, if shares overlap or if any is missing; could_not_tell if a
//          sketch cannot be read or is damaged.

#pragma once

#include "audit/audit_run.hpp"

namespace idxfsck::audit {

// `options`: threads, memory, spilling, progress and stop; the sketches fix the rest.
AuditResult run_merge(const Spec& spec, const Readers& readers, Clock& clock,
                      const AuditOptions& options, const std::vector<std::string>& sketch_files);

}  // namespace idxfsck::audit
