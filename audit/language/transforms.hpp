// audit/language/transforms.hpp
//
// The named transforms of templates and conditions: one table that the parser, the programs, the
// inversion and the manual share.
//
// Shape    A transform takes one value and its arguments and gives one value. Null and absent pass
//          through every transform but `default`. What a transform takes is made fit before it
//          runs: numbers, booleans, guids and times become text where text is taken.
// Errors   A value that cannot be taken sets the damage of the scratch, and the row is unindexable.
// Threads  Constant data, pure functions.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "audit/scratch.hpp"
#include "store/value.hpp"

namespace idxfsck::audit::language {

// `missing` takes every value, null and absent too.
enum class Takes { any, text, bytes, number, time, missing };
enum class Gives { same, text, binary, number, list, time };

// The arguments of a call: each as text, and as a number where it is one.
struct Arguments {
    std::vector<std::string> texts;
    std::vector<std::int64_t> numbers;

    std::size_t size() const { return texts.size(); }
};

// What is known of the text that a transform gives: it lets a join be taken apart.
struct Alphabet {
    bool (*holds)(char) = nullptr;  // nothing: may hold any byte
    std::size_t width = 0;          // 0: any length
};

struct TransformInfo {
    std::string_view name;
    std::string_view arguments;    // as the manual shows them: "('old', 'new')"
    std::string_view description;  // one sentence, for the manual
    Takes takes = Takes::text;
    Gives gives = Gives::text;
    // One letter an argument: t text or word, n whole number; upper case: may be left out; a star
    // at the end repeats the last.
    std::string_view pattern;
    // Replaces `value`. False: the scratch says why.
    bool (*apply)(const Arguments&, Scratch&, store::ValueView& value) = nullptr;
    // The one value that apply turns into `value`, or false. Nothing: there may be several, so an
    // entry cannot be read back through it.
    bool (*invert)(const Arguments&, Scratch&, store::ValueView& value) = nullptr;
    // Says what is wrong with the arguments, or "".
    std::string (*check)(const Arguments&) = nullptr;
    Alphabet (*alphabet)(const Arguments&) = nullptr;
};

// All transforms, in the order of the manual.
std::span<const TransformInfo> transforms();

// The transform of that name, or nothing.
const TransformInfo* find_transform(std::string_view name);

std::vector<std::string_view> transform_names();

// The families, each in its own file; transforms() joins them.
std::span<const TransformInfo> text_transforms();
std::span<const TransformInfo> code_transforms();
std::span<const TransformInfo> digest_transforms();
std::span<const TransformInfo> number_transforms();
std::span<const TransformInfo> time_transforms();
std::span<const TransformInfo> part_transforms();

// Sets the damage and returns false.
bool refuse(Scratch& scratch, Damage damage);

// Makes a scalar text: numbers in their canonical spelling, booleans true and false, guids and
// times in their usual form. False for null, absent, binary and containers.
bool to_text(Scratch& scratch, store::ValueView& value);

// A time of so many ticks, see store/value.hpp.
store::ValueView time_view(Scratch& scratch, std::int64_t ticks);

// Makes `value` what `takes` says, or refuses.
bool make_fit(Takes takes, Scratch& scratch, store::ValueView& value);

inline store::ValueView text_view(store::BytesView bytes) {
    return {store::Kind::text, bytes};
}

// Replaces `value` by a text; true, so that an apply can end with it.
inline bool give_text(store::ValueView& value, store::BytesView bytes) {
    value = text_view(bytes);
    return true;
}

}  // namespace idxfsck::audit::language
