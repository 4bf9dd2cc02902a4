// audit/language/spec_reader.hpp
//
// The tables of a spec file, one function a kind of table, and the checks that look at several.

#pragma once

#include "audit/language/template_reader.hpp"

namespace idxfsck::audit::language {

StoreSpec read_store(std::string name, TableReader table);
BaseSpec read_base(std::string name, TableReader table);
// An index, and behind it its older key versions.
std::vector<IndexSpec> read_index(TableReader table);
// The parts of an index that say when it counts, what it is worth and what may be done about it.
void read_rules(TableReader& table, IndexSpec& index);
std::vector<IndexSpec> read_versions(TableReader& table, const IndexSpec& index);
// Key, pointer, copies and constants of an older version; what it does not say stays.
void read_version_entry(TableReader& table, IndexSpec& version);
ExpirySpec read_expiry(TableReader& owner, bool of_index);
ContainerSpec read_container(TableReader& index);
LimitsSpec read_limits(TableReader table);

// Settles what one table alone cannot know (pointers that lie in the key), and complains about
// names that lead nowhere, doubled names, contradictions, and indexes that cannot be told apart.
void settle_spec(Spec& spec, Reading& reading);
void check_names(const Spec& spec, Reading& reading);
void check_index(const IndexSpec& index, const BaseSpec& base, Reading& reading);
// What an index inside the base row cannot have.
void check_inside(const IndexSpec& index, Reading& reading);
// Also notes which older versions can only be tried in order.
void check_shared_tables(Spec& spec, Reading& reading);

}  // namespace idxfsck::audit::language
