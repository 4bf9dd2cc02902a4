// reports/spec_schema.hpp
//
// A JSON Schema of spec files, for editors: they check as one types, complete names, and show what
// each key means.
//
// Shape    Draft 7. One definition for each table of a spec, made of audit/language/spec_keys.hpp,
//          and one for each kind of value. It holds the structure alone: what stands inside of
//          templates and conditions, and names that refer to others, only `check` can tell.
// Source   https://json-schema.org/draft-07

#pragma once

#include <nlohmann/json.hpp>

namespace idxfsck::reports {

nlohmann::ordered_json spec_schema();

}  // namespace idxfsck::reports
