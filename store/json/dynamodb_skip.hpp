// store/json/dynamodb_skip.hpp
//
// Steps over a container in DynamoDB JSON that nobody wants to see.
//
// Shape    What exports hold: no spaces, no escapes, nothing binary; maps and sets of few members.
// Errors   None: gives null for anything else, whether it is damaged or only unusual. What it steps
//          over, row_parser would read.
// Threads  A plain function.

#pragma once

#include "store/value.hpp"

namespace idxfsck::store {

// `at` is at the bracket or brace behind {"L": or {"M": and so on; the answer is behind its other
// half. `text_end` is the end of the text, which is padded as for a RowParser.
const char* skip_dynamodb_container(Kind kind, const char* at, const char* text_end);

}  // namespace idxfsck::store
