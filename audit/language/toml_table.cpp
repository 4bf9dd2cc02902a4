#include "audit/language/toml_table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "audit/language/nearest.hpp"

namespace idxfsck::audit::language {

namespace {

SpecPlace place_at(const toml::source_region& source) {
    return {source.begin.line, source.begin.column};
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
    std::int64_t count = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, count);
    if (error != std::errc{} || count < 0) return std::nullopt;
    const std::string_view unit{stop, static_cast<std::size_t>(end - stop)};
    std::int64_t unit_ms = 0;
    if (unit == "ms") unit_ms = 1;
    if (unit == "s") unit_ms = 1000;
    if (unit == "m") unit_ms = 60 * 1000;
    if (unit == "h") unit_ms = 60 * 60 * 1000;
    if (unit == "d") unit_ms = 24 * 60 * 60 * 1000;
    // A hundred years: far from where arithmetic on milliseconds would overflow.
    constexpr std::int64_t duration_ms_max = std::int64_t{100} * 366 * 24 * 60 * 60 * 1000;
    if (unit_ms == 0 || count > duration_ms_max / unit_ms) return std::nullopt;
    return std::chrono::milliseconds{count * unit_ms};
}

std::optional<double> parse_percent(std::string_view text) {
    if (!text.ends_with('%')) return std::nullopt;
    text.remove_suffix(1);
    double percent = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, percent);
    if (error != std::errc{} || stop != end) return std::nullopt;
    return percent / 100;
}

}  // namespace

void Reading::complain(SpecPlace place, std::string words, std::string seen, std::string hint) {
    complaints.push_back({place, std::move(words), std::move(seen), std::move(hint)});
}

void Reading::complain(SpecPlace place, const Faults& faults) {
    for (const Fault& fault : faults) {
        complain(text.within(place, fault.offset), fault.text, fault.seen, fault.hint);
    }
}

SpecPlace place_of(const toml::node& node) {
    return place_at(node.source());
}

SpecPlace place_of(const toml::key& key) {
    return place_at(key.source());
}

std::string_view type_name(const toml::node& node) {
    if (node.is_string()) return "a text";
    if (node.is_integer()) return "a whole number";
    if (node.is_floating_point()) return "a number";
    if (node.is_boolean()) return "true or false";
    if (node.is_array()) return "a list";
    return node.is_table() ? "a table" : "a date or time";
}

const toml::node* TableReader::node(std::string_view name) {
    known_.emplace_back(name);
    return table_.get(name);
}

void TableReader::wrong_type(const toml::node& found, std::string_view name,
                             std::string_view wanted) {
    reading_.complain(place_of(found),
                      "`" + std::string{name} + "` is " + std::string{type_name(found)} +
                          " and should be " + std::string{wanted},
                      {}, {});
}

void TableReader::missing(std::string_view name, std::string hint) {
    reading_.complain(place(), what_ + " has no `" + std::string{name} + "`", {}, std::move(hint));
}

const toml::table* TableReader::subtable(std::string_view name) {
    const toml::node* const found = node(name);
    if (found == nullptr) return nullptr;
    if (!found->is_table()) wrong_type(*found, name, "a table");
    return found->as_table();
}

std::optional<PlacedText> TableReader::text(std::string_view name) {
    const toml::node* const found = node(name);
    if (found == nullptr) return std::nullopt;
    if (!found->is_string()) {
        wrong_type(*found, name, "a text");
        return std::nullopt;
    }
    return PlacedText{found->as_string()->get(), place_of(*found)};
}

PlacedText TableReader::needed_text(std::string_view name) {
    if (!has(name)) missing(name);
    std::optional<PlacedText> found = text(name);
    if (!found) return {{}, place()};
    if (found->value.empty()) {
        reading_.complain(found->place, "`" + std::string{name} + "` is empty", {}, {});
    }
    return std::move(*found);
}

std::optional<bool> TableReader::boolean(std::string_view name) {
    const toml::node* const found = node(name);
    if (found == nullptr) return std::nullopt;
    if (!found->is_boolean()) {
        wrong_type(*found, name, "true or false");
        return std::nullopt;
    }
    return found->as_boolean()->get();
}

std::optional<std::uint64_t> TableReader::whole_number(std::string_view name) {
    const toml::node* const found = node(name);
    if (found == nullptr) return std::nullopt;
    if (!found->is_integer() || found->as_integer()->get() < 0) {
        wrong_type(*found, name, "a whole number from 0 on");
        return std::nullopt;
    }
    return static_cast<std::uint64_t>(found->as_integer()->get());
}

std::optional<std::chrono::milliseconds> TableReader::duration(std::string_view name) {
    constexpr std::string_view hint = "a number with a unit (ms, s, m, h, d): \"30s\"";
    const toml::node* const found = node(name);
    if (found == nullptr) return std::nullopt;
    if (!found->is_string()) {
        wrong_type(*found, name, hint);
        return std::nullopt;
    }
    const std::string& text = found->as_string()->get();
    const std::optional<std::chrono::milliseconds> duration = parse_duration(text);
    if (!duration) reading_.complain(place_of(*found), "not a duration", text, std::string{hint});
    return duration;
}

std::optional<double> TableReader::share(std::string_view name) {
    const toml::node* const found = node(name);
    if (found == nullptr) return std::nullopt;
    std::optional<double> share;
    if (found->is_floating_point()) share = found->as_floating_point()->get();
    if (found->is_integer()) share = static_cast<double>(found->as_integer()->get());
    if (found->is_string()) share = parse_percent(found->as_string()->get());
    if (share && *share >= 0 && *share <= 1) return share;
    reading_.complain(place_of(*found), "`" + std::string{name} + "` is no share",
                      found->is_string() ? found->as_string()->get() : std::string{},
                      "a fraction from 0 to 1, or a percentage: \"5%\"");
    return std::nullopt;
}

std::vector<PlacedText> TableReader::texts(std::string_view name) {
    const toml::node* const found = node(name);
    if (found == nullptr) return {};
    if (found->is_string()) return {{found->as_string()->get(), place_of(*found)}};
    if (!found->is_array()) {
        wrong_type(*found, name, "a list of texts");
        return {};
    }
    std::vector<PlacedText> list;
    for (const toml::node& element : *found->as_array()) {
        if (element.is_string()) {
            list.push_back({element.as_string()->get(), place_of(element)});
        } else {
            wrong_type(element, name, "a list of texts");
        }
    }
    return list;
}

std::optional<std::string> TableReader::word(std::string_view name,
                                             std::vector<std::string_view> words) {
    const std::optional<PlacedText> found = text(name);
    if (!found) return std::nullopt;
    if (std::find(words.begin(), words.end(), found->value) != words.end()) return found->value;
    reading_.complain(found->place, "`" + std::string{name} + "` knows no such word",
                      found->value, suggest(found->value, words));
    return std::nullopt;
}

void TableReader::finish() {
    for (const auto& [key, value] : table_) {
        const std::string_view name = key.str();
        if (std::find(known_.begin(), known_.end(), name) != known_.end()) continue;
        std::vector<std::string_view> free;
        for (const std::string_view known : known_) {
            if (!table_.contains(known)) free.push_back(known);
        }
        reading_.complain(place_of(key), "unknown key in " + what_, std::string{name},
                          suggest(name, free));
    }
}

}  // namespace idxfsck::audit::language
