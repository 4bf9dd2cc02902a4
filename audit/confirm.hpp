// audit/confirm.hpp
//
// Suspects read again and judged. Where scan and confirmation see one snapshot, one look is enough.
// Elsewhere there are two, the settle time apart: only what is the same in both, rows and verdict,
// becomes a finding, so that a change that is on its way through base and index accuses nobody.
//
// Reads    The rows of suspects, their base rows and entries; for entries that do not tell their
//          base row, the base tables once more.
// Needs    The scan, with its page books.
// Gives    One outcome a suspect. `unclaimed` is no longer among them. Where more of them would go
//          over the memory budget, those that are left stand in `unconfirmed`.
// Errors   Throws Error if a row cannot be read again.

#pragma once

#include <vector>

#include "audit/confirm_context.hpp"
#include "audit/judge.hpp"

namespace idxfsck::audit {

struct Confirmation {
    Outcomes outcomes;
    std::vector<std::uint64_t> suspects;      // one an index: how many were judged, or could not be
    std::vector<std::uint64_t> unverifiable;  // one an index: suspects that could not be judged
    std::vector<std::uint64_t> apart;         // one an index: of these, for want of one moment
    std::vector<std::uint64_t> unconfirmed;   // one an index: for want of memory; not in the above
    std::vector<Gap> gaps;                    // of the second looks
    std::vector<std::uint64_t> pages_reread;  // one a table: for rows that may have moved
};

// `differences`: of each index of the programs. `silenced` ones are left out.
Confirmation confirm(const ConfirmContext& context, const std::vector<Differences>& differences,
                     const std::vector<bool>& silenced);

}  // namespace idxfsck::audit
