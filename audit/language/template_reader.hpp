// audit/language/template_reader.hpp
//
// Templates, conditions and paths as they stand in a spec file: parsed once for what is wrong with
// them, and kept as written.

#pragma once

#include "audit/language/ast.hpp"
#include "audit/language/toml_table.hpp"

namespace idxfsck::audit::language {

// Parses and complains; nothing if it does not parse.
std::optional<Template> read_template(const PlacedText& text, Reading& reading);
std::optional<Condition> read_condition(const PlacedText& text, Reading& reading);

// A condition under `name`, and where it stands; "" if there is none or it makes no sense.
std::string condition_at(TableReader& table, std::string_view name, SpecPlace& place);

// Names of attributes: paths if `nested`, else names as they are.
std::vector<std::string> attribute_names(TableReader& table, std::string_view name, bool nested);

// `{ Name = template, … }`. Each template is a text; a whole number, number, true or false (a
// literal); a list of choices { when, use }; or a table { template, absent, null, empty }.
// Templates that make no sense are left out.
std::vector<NamedTemplate> named_templates(TableReader& table, std::string_view name,
                                           const MissingPolicy& missing);
std::optional<NamedTemplate> named_template(const toml::key& key, const toml::node& value,
                                            const MissingPolicy& missing, Reading& reading);

// `{ absent = …, null = …, empty = … }` over `missing`.
MissingPolicy missing_policy(TableReader& table, MissingPolicy missing);

}  // namespace idxfsck::audit::language
