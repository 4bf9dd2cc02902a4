#include "audit/account.hpp"

#include <algorithm>

#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

// About what a suspect takes until its finding is in a report.
constexpr std::uint64_t confirmed_kilobytes = 6;

void doubt(Coverage& coverage, const IndexCoverage& index, std::string text, std::string hint) {
    coverage.doubts.push_back({"index " + index.index, std::move(text), std::move(hint)});
}

}  // namespace

void account(Coverage& coverage, std::size_t number, const Confirmation& confirmation,
             const Conclusion& conclusion, bool steady) {
    IndexCoverage& index = coverage.indexes[number];
    const std::uint64_t unconfirmed = confirmation.unconfirmed[number];
    index.suspects = confirmation.suspects[number] + unconfirmed;
    index.settled = conclusion.settled[number];
    index.shared = conclusion.shared[number];
    index.legacy = conclusion.legacy[number];
    index.uncovered = conclusion.uncovered[number];
    index.expiring = conclusion.expiring[number];
    index.moves = conclusion.moves[number];
    index.unverifiable = confirmation.unverifiable[number] + unconfirmed;
    index.findings = static_cast<std::uint64_t>(
        std::count_if(conclusion.findings.begin(), conclusion.findings.end(),
                      [&](const Finding& finding) { return finding.index == index.index; }));
    const std::uint64_t excused = index.shared + index.legacy + index.uncovered + index.expiring;
    const std::uint64_t sum =
        index.settled + excused + conclusion.accounted[number] + index.unverifiable;
    store::ensure(sum == index.suspects, "every suspect is accounted for");

    if (unconfirmed > 0) {
        doubt(coverage, index,
              std::to_string(unconfirmed) + " more entries differ, but looking at them again would "
              "go over the memory that is allowed",
              "mend what is found and audit again, or allow about " +
                  std::to_string(index.suspects * confirmed_kilobytes / 1024 + 64) +
                  "M with --memory");
    }
    const std::uint64_t apart = confirmation.apart[number];
    if (apart > 0) {
        doubt(coverage, index,
              std::to_string(apart) + " differences may come from what was written between the "
              "times of its base and its index table",
              "export both at one time (--export-time), or name the live store: `live`");
    }
    if (confirmation.unverifiable[number] > apart) {
        doubt(coverage, index,
              std::to_string(confirmation.unverifiable[number] - apart) +
                  " suspects could not be judged",
              "a table was not read completely; see the gaps");
    }
    // Under a snapshot nothing moves: a difference that confirmation cannot see is not settled but
    // unexplained, and the answer must not be "consistent".
    if (steady && index.settled > 0) {
        doubt(coverage, index,
              std::to_string(index.settled) + " differences could not be explained",
              "look at an entry of it with `why`, and report this");
    }
}

}  // namespace idxfsck::audit
