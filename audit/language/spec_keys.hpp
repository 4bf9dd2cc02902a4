// audit/language/spec_keys.hpp
//
// Every key that a spec file may hold: what it takes and what it means, in one place. Editors show
// it through the JSON Schema (reports/spec_schema.hpp); a test holds it against what the reader
// asks for.
//
// Shape    Tables in the order of the manual, keys in the order in which a spec is written. What a
//          key takes is the name of a kind of value that the schema defines (spec_schema.cpp), or
//            "table T"   one table of that name
//            "tables T"  tables by name, as in [base.user]
//            "list T"    a list of tables, as in [[index]]
//            "words …"   one of these words, with | between them
//            "any …"     one of these, with | between them
// Threads  Constant data.

#pragma once

#include <span>
#include <string_view>

namespace idxfsck::audit::language {

struct SpecKey {
    std::string_view name;
    std::string_view takes;
    std::string_view description;  // one sentence or two, for a person in an editor
    bool needed = false;
};

struct SpecTable {
    std::string_view name;
    std::string_view description;
    std::span<const SpecKey> keys;
    // What keys of any other name take; "": there are none.
    std::string_view others = {};
    // For each group one of its keys, with | between them, must be there.
    std::span<const std::string_view> one_of = {};
    // A key that is true or false; where it is true, these must not be there, and where it is not,
    // those must.
    std::string_view flag = {};
    std::span<const std::string_view> refused_with_flag = {};
    std::span<const std::string_view> needed_without_flag = {};
};

std::span<const SpecTable> spec_tables();

}  // namespace idxfsck::audit::language
