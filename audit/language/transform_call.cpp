#include "audit/language/transform_call.hpp"

#include <charconv>

namespace idxfsck::audit::language {

namespace {

struct Pattern {
    std::size_t count_min = 0;
    std::size_t count_max = 0;
    bool repeats = false;

    explicit Pattern(std::string_view letters) {
        for (const char letter : letters) {
            if (letter == '*') {
                repeats = true;
            } else {
                ++count_max;
                if (letter >= 'a' && letter <= 'z') ++count_min;
            }
        }
    }
};

bool wants_number(std::string_view letters, std::size_t index) {
    const bool repeats = !letters.empty() && letters.back() == '*';
    const std::size_t known = letters.size() - (repeats ? 1 : 0);
    const char letter = letters[index < known ? index : known - 1];
    return letter == 'n' || letter == 'N';
}

std::optional<std::int64_t> whole_number(std::string_view text) {
    std::int64_t number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return number;
}

Arguments arguments_of(const TransformCall& call) {
    Arguments arguments;
    for (const Argument& argument : call.arguments) {
        arguments.texts.push_back(argument.text);
        arguments.numbers.push_back(whole_number(argument.text).value_or(0));
    }
    return arguments;
}

std::string usage(const TransformInfo& info) {
    return "write " + std::string{info.name} + std::string{info.arguments};
}

}  // namespace

std::optional<Fault> check_arguments(const TransformCall& call, std::size_t size) {
    const TransformInfo& info = *call.info;
    const Pattern pattern{info.pattern};
    const std::size_t count = call.arguments.size();
    if (count < pattern.count_min || (count > pattern.count_max && !pattern.repeats)) {
        return Fault{call.offset, "wrong number of arguments", std::string{info.name}, usage(info)};
    }
    for (std::size_t index = 0; index < count; ++index) {
        const Argument& argument = call.arguments[index];
        if (wants_number(info.pattern, index) && !whole_number(argument.text)) {
            return Fault{argument.offset, "expected a whole number", argument.text, usage(info)};
        }
    }
    if (info.check == nullptr) return std::nullopt;
    const std::string wrong = info.check(arguments_of(call));
    if (wrong.empty()) return std::nullopt;
    const std::size_t offset = count > 0 ? call.arguments[0].offset : call.offset + size;
    return Fault{offset, wrong, count > 0 ? call.arguments[0].text : "", usage(info)};
}

std::vector<BoundTransform> bind_transforms(std::span<const TransformCall> calls) {
    std::vector<BoundTransform> bound;
    for (const TransformCall& call : calls) bound.push_back({call.info, arguments_of(call)});
    return bound;
}

bool run_transforms(std::span<const BoundTransform> transforms, Scratch& scratch,
                    store::ValueView& value) {
    for (const BoundTransform& transform : transforms) {
        const TransformInfo& info = *transform.info;
        const bool missing = value.kind == store::Kind::absent || value.kind == store::Kind::null;
        if (missing && info.takes != Takes::missing) continue;
        if (!missing && !make_fit(info.takes, scratch, value)) return false;
        if (!info.apply(transform.arguments, scratch, value)) return false;
    }
    return true;
}

bool invert_transforms(std::span<const BoundTransform> transforms, Scratch& scratch,
                       store::ValueView& value) {
    for (std::size_t index = transforms.size(); index-- > 0;) {
        const BoundTransform& transform = transforms[index];
        if (transform.info->invert == nullptr) return false;
        if (!transform.info->invert(transform.arguments, scratch, value)) return false;
    }
    return true;
}

Gives result_of(std::span<const TransformCall> calls) {
    Gives gives = Gives::same;
    for (const TransformCall& call : calls) {
        if (call.info->gives != Gives::same) gives = call.info->gives;
    }
    return gives;
}

}  // namespace idxfsck::audit::language
