// Plans on disk.
//
// Promised: a file that is no plan is refused; a plan that was read is written as a plan that is
// the same. Method: the input as a file; then the input as the lines of a plan, with the trailer
// that belongs to them, or no fuzzer would ever come past the digest.

#include "repair/plan_json.hpp"
#include "store/digest.hpp"
#include "store/error.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/target.hpp"

namespace idxfsck::tests {

namespace {

void check_plan(store::BytesView text) {
    try {
        const repair::Plan plan = repair::read_plan(text);
        store::ensure(repair::read_plan(repair::write_plan(plan)) == plan,
                      "a plan comes back as it was");
    } catch (const store::Error&) {
        // Why it is none.
    }
}

}  // namespace

void fuzz_plan(store::BytesView input) {
    check_plan(input);
    std::string text{input};
    if (!text.empty() && text.back() != '\n') text.push_back('\n');
    const std::string digest = store::digest(text);
    check_plan(text + "{\"digest\":\"" + digest + "\"}\n");
}

}  // namespace idxfsck::tests
