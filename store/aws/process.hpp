// store/aws/process.hpp
//
// A program that a profile names for fetching credentials.
//
// Shape    Runs under /bin/sh in a process group of its own, with standard input from /dev/null and
//          its standard error left to the user. Nothing that it writes is shown.
// Errors   As ProcessRunner: nothing.
// Source   AWS SDKs and Tools Reference Guide, "Process credential provider".

#pragma once

#include <optional>
#include <string>

#include "store/bytes.hpp"

namespace idxfsck::store {

std::optional<Bytes> run_process(const std::string& command);

}  // namespace idxfsck::store
