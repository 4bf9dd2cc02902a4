#include "store/http/retry_loop.hpp"

namespace idxfsck::store {

bool send_until_answered(const RetrySteps& steps, Backoff waits) {
    bool renewed = false;
    bool lost = false;
    while (true) {
        const NextTry next = steps.take();
        if (next == NextTry::none) return lost;
        const bool at_once = next == NextTry::renewed && !renewed;
        const bool waitable = next == NextTry::later || next == NextTry::slower;
        if (!at_once && !waitable) throw steps.why_not(waits.waits(), false);
        if (waitable && !waits.wait()) throw steps.why_not(waits.waits(), waits.stopped());
        renewed = renewed || at_once;
        lost = lost || next == NextTry::later;
        steps.send();
    }
}

}  // namespace idxfsck::store
