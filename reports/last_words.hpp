// reports/last_words.hpp
//
// What the program says where no exception can carry the trouble to the top: memory that runs out
// inside of a library or on one of its threads, and exceptions that nobody catches.
//
// Shape    Memory that cannot be had ends the program at once, with a message, a hint and exit
//          status 8. An exception from there would have to pass through libraries that may keep a
//          lock for ever or end the program without words. Whatever is on disk stays as a kill
//          would leave it, which is safe at every moment.
// Threads  Any: the first one speaks.

#pragma once

namespace idxfsck::reports {

// Allocates nothing when it comes to speak.
void prepare_last_words();

}  // namespace idxfsck::reports
