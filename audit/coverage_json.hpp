// audit/coverage_json.hpp
//
// Coverage to and from the `coverage` object of audit.json.

#pragma once

#include "audit/coverage.hpp"
#include "audit/json_fields.hpp"

namespace idxfsck::audit {

store::Json coverage_to_json(const Coverage& coverage);

// Complains to `fields`, of whose field `coverage` it reads, if something does not fit.
Coverage read_coverage(JsonFields& fields);

}  // namespace idxfsck::audit
