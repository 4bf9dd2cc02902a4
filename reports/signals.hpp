// reports/signals.hpp
//
// SIGINT and SIGTERM ask for a clean stop, and end all waits; the second one ends the program at
// once.
//
// Threads  stop_requested() may be called from any thread.

#pragma once

namespace idxfsck::reports {

// Also ignores SIGPIPE and SIGXFSZ: a reader that went away, or a limit on the size of files, shows
// as a failed write, which is noticed.
void catch_signals();

bool stop_requested();

}  // namespace idxfsck::reports
