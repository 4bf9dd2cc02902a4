// audit/account.hpp
//
// The sum of an index: what the reconciler says differs equals what the findings account for.
//
// Errors   `ensure` if a suspect was lost. A difference that nothing explains becomes a doubt.

#pragma once

#include "audit/conclude.hpp"
#include "audit/confirm.hpp"

namespace idxfsck::audit {

// Fills the coverage of index `number` of the programs. `steady`: scan and confirmation saw one
// moment.
void account(Coverage& coverage, std::size_t number, const Confirmation& confirmation,
             const Conclusion& conclusion, bool steady);

}  // namespace idxfsck::audit
