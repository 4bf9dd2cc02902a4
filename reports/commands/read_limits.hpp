// reports/commands/read_limits.hpp
//
// --rate, --rate-file and --budget: what an audit may read of stores that bill it.
//
// Errors   Throws Error (usage) for values that make no sense, and where no store bills its reads.

#pragma once

#include <memory>

#include "audit/spec.hpp"
#include "reports/command.hpp"
#include "store/run_limits.hpp"

namespace idxfsck::reports {

void add_limit_options(std::vector<Option>& options);

// Of the whole run, whatever the spec says of its stores. `streams` is told of a file that says no
// rate, and must outlive the limits.
std::shared_ptr<store::RunLimits> read_limits(const audit::Spec& spec, const Arguments& arguments,
                                              Streams& streams);

}  // namespace idxfsck::reports
