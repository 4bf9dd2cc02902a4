// reports/spec_sentence.hpp
//
// One index in one sentence: which rows have an entry, where, under what, and what it holds.

#pragma once

#include <string>

#include "audit/spec.hpp"

namespace idxfsck::reports {

// "users-by-email: for each row of Users with Email and without DeletedAt, an entry in UsersByEmail
// under lower(Email), pointing to UserId, with a copy of DisplayName; unique". Harmless on a
// terminal.
std::string index_sentence(const audit::Spec& spec, const audit::IndexSpec& index);

// "lower(Email)", "\"USER#\" + UserId": a template as a person would say it.
std::string template_words(const audit::NamedTemplate& named);

// "Ids"; "ids_0 to ids_14" where the members lie in several attributes.
std::string attribute_words(const audit::ContainerSpec& container);

}  // namespace idxfsck::reports
