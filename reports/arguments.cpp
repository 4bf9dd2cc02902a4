#include "reports/arguments.hpp"

#include <algorithm>
#include <charconv>

#include <boost/program_options.hpp>

#include "audit/language/nearest.hpp"
#include "reports/command.hpp"
#include "reports/time_text.hpp"

namespace idxfsck::reports {

namespace {

namespace po = boost::program_options;
using Values = std::vector<std::string>;

// Boost's name for the words without a name.
constexpr const char* positional_words = "positional words";

po::options_description described(const Command& command) {
    po::options_description all;
    all.add_options()(positional_words, po::value<Values>());
    all.add_options()("color", po::value<Values>());
    for (const Option& option : command.options) {
        const std::string name{option.name};
        auto* values = po::value<Values>();
        if (option.value.empty()) values->zero_tokens();
        all.add_options()(name.c_str(), values);
    }
    return all;
}

std::vector<std::string_view> option_names(const Command& command) {
    std::vector<std::string_view> names{"color", "help"};
    for (const Option& option : command.options) names.push_back(option.name);
    return names;
}

store::Error unknown_option(const Command& command, std::string seen) {
    seen.erase(0, seen.find_first_not_of('-'));
    const std::string_view near = audit::language::nearest(seen, option_names(command));
    store::Error error{"unknown option", store::Trouble::usage};
    error.with("option", "--" + seen);
    if (!near.empty()) error.hint("did you mean `--" + std::string{near} + "`?");
    return error;
}

store::Error usage(const char* text, std::string_view name) {
    return store::Error{text, store::Trouble::usage}.with("option", "--" + std::string{name});
}

// Boost says what is wrong in its own types and words; ours are the same for every mistake.
po::parsed_options parsed(const Command& command, const std::vector<std::string>& words) {
    namespace style = po::command_line_style;
    using syntax = po::invalid_command_line_syntax;
    const po::options_description options = described(command);
    po::positional_options_description positionals;
    positionals.add(positional_words, -1);
    try {
        return po::command_line_parser{words}
            .options(options)
            .positional(positionals)
            .style(style::allow_long | style::long_allow_adjacent | style::long_allow_next)
            .run();
    } catch (const po::unknown_option& unknown) {
        throw unknown_option(command, unknown.get_option_name());
    } catch (const syntax& wrong) {
        std::string name = wrong.get_option_name();
        name.erase(0, name.find_first_not_of('-'));
        const bool extra = wrong.kind() == syntax::extra_parameter;
        if (extra) throw usage("this option takes no value", name);
        throw usage("this option needs a value", name);
    } catch (const po::error& other) {
        throw store::Error{"cannot read the command line", store::Trouble::usage}.with(
            "cause", other.what());
    }
}

bool repeatable(const Command& command, std::string_view name) {
    for (const Option& option : command.options) {
        if (option.name == name) return option.repeatable;
    }
    return false;
}

// Deals the words without a name out to the positionals, in order.
std::map<std::string, Values, std::less<>> dealt(const Command& command, const Values& words) {
    std::map<std::string, Values, std::less<>> values;
    std::size_t next = 0;
    for (const Positional& positional : command.positionals) {
        const std::size_t end = positional.repeatable ? words.size()
                                                      : std::min(next + 1, words.size());
        if (next == end && positional.required) {
            throw store::Error{"an argument is missing", store::Trouble::usage}.with(
                "argument", positional.name);
        }
        for (; next < end; ++next) values[std::string{positional.name}].push_back(words[next]);
    }
    if (next == words.size()) return values;
    throw store::Error{"an argument too many", store::Trouble::usage}.with("argument", words[next]);
}

store::Error not_a(const char* text, std::string_view name, std::string_view value) {
    return usage(text, name).with("value", value);
}

std::uint64_t number_of(std::string_view name, std::string_view text, const char* complaint) {
    std::uint64_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    if (text.empty() || read.ec != std::errc{} || read.ptr != text.data() + text.size()) {
        throw not_a(complaint, name, text);
    }
    return number;
}

}  // namespace

Arguments Arguments::parse(const Command& command, const std::vector<std::string>& words) {
    Values plain;
    Arguments arguments;
    std::map<std::string, Values, std::less<>> named;
    for (const po::option& option : parsed(command, words).options) {
        if (option.position_key >= 0 || option.string_key == positional_words) {
            plain.insert(plain.end(), option.value.begin(), option.value.end());
            continue;
        }
        Values& values = named[option.string_key];
        if (!values.empty() && !repeatable(command, option.string_key)) {
            throw usage("this option is given twice", option.string_key);
        }
        values.push_back(option.value.empty() ? std::string{} : option.value.front());
    }
    arguments.values_ = dealt(command, plain);
    arguments.values_.merge(named);
    return arguments;
}

bool Arguments::has(std::string_view name) const {
    return values_.find(name) != values_.end();
}

std::optional<std::string> Arguments::text(std::string_view name) const {
    const auto found = values_.find(name);
    if (found == values_.end()) return std::nullopt;
    return found->second.front();
}

std::string Arguments::text(std::string_view name, std::string_view otherwise) const {
    return text(name).value_or(std::string{otherwise});
}

std::vector<std::string> Arguments::list(std::string_view name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? Values{} : found->second;
}

std::optional<std::uint64_t> Arguments::count(std::string_view name) const {
    const std::optional<std::string> value = text(name);
    if (!value) return std::nullopt;
    return number_of(name, *value, "this option takes a whole number");
}

std::optional<std::uint64_t> Arguments::size_bytes(std::string_view name) const {
    constexpr std::string_view units = "KMGT";
    constexpr const char* complaint = "this option takes a size such as 512M or 2G";
    const std::optional<std::string> value = text(name);
    if (!value) return std::nullopt;
    std::string_view digits = *value;
    const std::size_t unit = digits.empty() ? units.npos : units.find(digits.back());
    if (unit == units.npos) return number_of(name, digits, complaint);
    digits.remove_suffix(1);
    const std::uint64_t number = number_of(name, digits, complaint);
    const auto shift = static_cast<unsigned>(10 * (unit + 1));
    if (number > (UINT64_MAX >> shift)) throw not_a(complaint, name, *value);
    return number << shift;
}

std::optional<std::int64_t> Arguments::time_ms(std::string_view name) const {
    const std::optional<std::string> value = text(name);
    if (!value) return std::nullopt;
    const std::optional<std::int64_t> time = parse_time(*value);
    if (!time) throw not_a("this option takes a time such as 2026-11-29T22:12:00Z", name, *value);
    return time;
}

std::optional<std::string> Arguments::choice(std::string_view name,
                                             const std::vector<std::string_view>& words) const {
    const std::optional<std::string> value = text(name);
    if (!value) return std::nullopt;
    if (std::find(words.begin(), words.end(), *value) != words.end()) return value;
    throw bad_choice(name, *value, words);
}

store::Error bad_choice(std::string_view name, std::string_view value,
                        const std::vector<std::string_view>& words) {
    return not_a("this option does not take that value", name, value)
        .hint(audit::language::suggest(value, words));
}

}  // namespace idxfsck::reports
