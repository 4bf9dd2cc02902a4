// audit/language/inversion.hpp
//
// Templates read backwards: from a value to the attributes that it was made of.
//
// Shape    A Solution is what is known of attributes and elements, by their names as templates
//          write them. A template gives its attributes away only if there is exactly one way to
//          take the value apart, and every transform in it can be inverted: a join of two
//          attributes by a separator that occurs in one of them is left alone, as a wrong guess
//          would name a wrong base row.
// Errors   False, with the solution as it was, where the template does not tell.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "audit/language/ast.hpp"
#include "audit/scratch.hpp"
#include "store/value.hpp"

namespace idxfsck::audit::language {

using Solution = std::map<std::string, store::Value>;

// The kinds of attributes that are recovered from text; what is not named is text.
using Types = std::map<std::string, store::Bytes>;

// The name of an operand's source: `profile.email`, `@item`.
std::string source_name(const Operand& operand);

// Adds what `value` tells through `parsed`. False too if it contradicts what is known.
bool invert_template(const Template& parsed, const store::ValueView& value, const Types& types,
                     Scratch& scratch, Solution& solution);

// What the equalities of a condition say that all of its rows share: PartitionKey == 'user'.
Solution constants_of(const Condition& condition);

// Text as a value of the kind of that name, if it is one.
std::optional<store::Value> value_of_kind(store::BytesView text, store::BytesView kind);
// Is it the name of a kind that value_of_kind knows?
bool is_recoverable_kind(store::BytesView kind);

}  // namespace idxfsck::audit::language
