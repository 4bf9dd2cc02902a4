// audit/language/joins.hpp
//
// Can two rows with different attributes get one key, because a template joins the attributes
// without a boundary that can be told? `{first}.{last}` makes one
// text of "a.b" and "c", and of "a" and "b.c".
//
// Shape    A boundary can be told if what stands before it has a fixed width, or cannot hold every
//          character of the separator; seen from the left end or from the right. What the
//          attributes hold is not known here, so a join that is named may yet be harmless.

#pragma once

#include <optional>
#include <string>

#include "audit/language/ast.hpp"

namespace idxfsck::audit::language {

struct BlurredJoin {
    std::string left;   // names of the attributes on both sides
    std::string right;
    std::string separator;

    friend bool operator==(const BlurredJoin&, const BlurredJoin&) = default;
};

// The first boundary that cannot be told; nothing if the template is injective as a join.
std::optional<BlurredJoin> blurred_join(const Template& parsed);

}  // namespace idxfsck::audit::language
