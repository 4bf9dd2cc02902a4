// audit/language/transform_call.hpp
//
// A call of a transform: its arguments checked against what it takes, and made ready to run.

#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "audit/language/ast.hpp"
#include "audit/language/fault.hpp"
#include "audit/language/transforms.hpp"

namespace idxfsck::audit::language {

// What is wrong with the arguments of `call`, whose name takes up `size` bytes; or nothing.
std::optional<Fault> check_arguments(const TransformCall& call, std::size_t size);

struct BoundTransform {
    const TransformInfo* info = nullptr;
    Arguments arguments;
};

// The calls of an operand, ready to run. Their arguments must have been checked.
std::vector<BoundTransform> bind_transforms(std::span<const TransformCall> calls);

// Runs all of `transforms` on `value`. Null and absent values stay as they are, unless a transform
// makes something of them. False: the scratch says why.
bool run_transforms(std::span<const BoundTransform> transforms, Scratch& scratch,
                    store::ValueView& value);

// Finds the one value that the transforms turn into `value`. False if one of them cannot tell.
bool invert_transforms(std::span<const BoundTransform> transforms, Scratch& scratch,
                       store::ValueView& value);

// What the calls give; Gives::same where that depends on what goes in.
Gives result_of(std::span<const TransformCall> calls);

}  // namespace idxfsck::audit::language
