#include <algorithm>
#include <charconv>

#include "audit/language/any_of.hpp"

namespace idxfsck::audit::language {

namespace {

constexpr std::string_view opening = "{@any(";
constexpr std::string_view closing = ")}";
constexpr std::size_t texts_max = 1000;

constexpr std::string_view hint =
    "{@any(10)} for 0 to 9, or {@any('a', 'b')}, at the beginning or the end of a key component "
    "and beside a literal character";

// `10`, or texts in quotes.
std::vector<std::string> arguments_of(std::string_view list, bool& numbers) {
    std::size_t count = 0;
    const char* const end = list.data() + list.size();
    const auto [stop, error] = std::from_chars(list.data(), end, count);
    numbers = error == std::errc{} && stop == end && count <= texts_max;
    std::vector<std::string> texts;
    if (numbers) {
        for (std::size_t number = 0; number < count; ++number) {
            texts.push_back(std::to_string(number));
        }
        return texts;
    }
    while (!list.empty()) {
        const std::size_t first = list.find('\'');
        const std::size_t last = list.find('\'', first + 1);
        const bool quoted = first != list.npos && last != list.npos && last > first + 1;
        if (!quoted || list.substr(0, first).find_first_not_of(" ,") != list.npos) return {};
        texts.emplace_back(list.substr(first + 1, last - first - 1));
        list.remove_prefix(last + 1);
    }
    return texts.size() > texts_max ? std::vector<std::string>{} : texts;
}

AnyOf::Part part_of(std::size_t begin, std::size_t end, std::size_t size) {
    if (begin == 0 && end == size) return AnyOf::Part::whole;
    if (begin == 0) return AnyOf::Part::first;
    return end == size ? AnyOf::Part::last : AnyOf::Part::none;
}

}  // namespace

AnyOf take_any_of(PlacedText& text, Reading& reading) {
    AnyOf any;
    const std::size_t begin = text.value.find(opening);
    if (begin == std::string::npos) return any;
    const std::size_t list = begin + opening.size();
    const std::size_t close = text.value.find(closing, list);
    const std::size_t end = close == std::string::npos ? close : close + closing.size();
    if (close != std::string::npos) {
        any.part = part_of(begin, end, text.value.size());
        any.texts = arguments_of(std::string_view{text.value}.substr(list, close - list),
                                 any.numbers);
    }
    const bool first = any.part == AnyOf::Part::first;
    if (first || any.part == AnyOf::Part::last) {
        any.beside = text.value[first ? end : begin - 1];
        any.numbers = false;
    }
    if (any.texts.size() < 2 || any.part == AnyOf::Part::none || any.beside == '{' ||
        any.beside == '}') {
        reading.complain(reading.text.within(text.place, begin), "this is not one part of several",
                         text.value, std::string{hint});
        any = {};
        text.value.erase(begin, end == std::string::npos ? end : end - begin);
        if (text.value.empty()) text.value = "0";
        return any;
    }
    const std::string stand_in = any.numbers ? "{" + any.texts.front() + "}" : any.texts.front();
    text.value.replace(begin, end - begin, stand_in);
    return any;
}

}  // namespace idxfsck::audit::language
