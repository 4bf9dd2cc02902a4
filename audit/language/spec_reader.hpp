// audit/language/spec_reader.hpp
//
// The tables of a spec file, one function a kind of table, and the checks that look at several.

#pragma once

#include "audit/language/template_reader.hpp"

namespace idxfsck::audit::language {

StoreSpec read_store(std::string name, TableReader table);
BaseSpec read_base(std::string name, TableReader table);
IndexSpec read_index(TableReader table);
ContainerSpec read_container(TableReader& index);
LimitsSpec read_limits(TableReader table);

// Settles what one table alone cannot know (pointers that lie in the key), and complains about
// names that lead nowhere, doubled names, contradictions, and indexes that cannot be told apart.
void settle_spec(Spec& spec, Reading& reading);
void check_names(const Spec& spec, Reading& reading);
void check_index(const IndexSpec& index, const BaseSpec& base, Reading& reading);
void check_shared_tables(const Spec& spec, Reading& reading);

}  // namespace idxfsck::audit::language
