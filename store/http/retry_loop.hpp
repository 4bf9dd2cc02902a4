// store/http/retry_loop.hpp
//
// A request that was sent, sent again until it is answered: the order of tries, which all services
// share. What an answer means is each service's own.
//
// Shape    After a wait, until the deadline; at once, and only once, where what the request was
//          refused for has been renewed.
// Errors   Whatever `why_not` gives when there is no use in another try.
// Threads  Belongs to one thread.

#pragma once

#include <functional>

#include "store/error.hpp"
#include "store/http/backoff.hpp"

namespace idxfsck::store {

// What an answer calls for.
enum class NextTry {
    none,      // it is the answer
    later,     // after a wait; what was asked for may have been done
    slower,    // after a wait; whoever says so has not done it
    renewed,   // at once: the credentials, or the clock, are others now
    hopeless,
};

struct RetrySteps {
    // Waits for the answer to what was sent last, and judges it.
    std::function<NextTry()> take;
    // Sends the same once more.
    std::function<void()> send;
    // Why there is no answer: the last one as it was judged, after so many waits, or the end of the
    // run.
    std::function<Error(int waits, bool stopped)> why_not;
};

// True if it was sent before, and what came of that is not known: it may have been done then.
bool send_until_answered(const RetrySteps& steps, Backoff waits);

}  // namespace idxfsck::store
