// reports/doctor_expiry.hpp
//
// Where a table deletes rows by itself, and the spec says when they expire: do the two agree?

#pragma once

#include <string>
#include <vector>

#include "audit/spec.hpp"
#include "reports/doctor.hpp"

namespace idxfsck::reports {

// A sentence for each base and index of the table whose `expires` is not what the table does. None
// where the store deletes nothing, or could not be asked.
std::vector<std::string> expiry_notes(const audit::Spec& spec, const DoctorTable& table);

}  // namespace idxfsck::reports
