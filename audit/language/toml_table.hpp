// audit/language/toml_table.hpp
//
// Reads the keys of one TOML table, and complains about those of the wrong type and those that
// nobody asked for.
//
// Shape    Every getter notes the name that it was asked for; finish() complains about the rest,
//          with the nearest of the names.
// Errors   Complaints, gathered. A getter gives nothing for a key that is missing or wrong.

#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

#include "audit/language/fault.hpp"
#include "audit/language/spec_text.hpp"
#include "audit/spec_toml.hpp"

namespace idxfsck::audit::language {

// Everything that reading one file gathers.
struct Reading {
    SpecText text;
    std::vector<Complaint> complaints;

    void complain(SpecPlace place, std::string words, std::string seen, std::string hint);
    // Faults of a template or condition that stands in a string at `place`.
    void complain(SpecPlace place, const Faults& faults);
};

struct PlacedText {
    std::string value;
    SpecPlace place;
};

SpecPlace place_of(const toml::node& node);
SpecPlace place_of(const toml::key& key);

// "a text", "a list", for messages.
std::string_view type_name(const toml::node& node);

class TableReader {
public:
    // `what` names the table in messages: "index users-by-email".
    TableReader(const toml::table& table, std::string what, Reading& reading)
        : table_{table}, what_{std::move(what)}, reading_{reading} {}

    SpecPlace place() const { return place_of(table_); }
    const std::string& what() const { return what_; }
    Reading& reading() const { return reading_; }
    const toml::table& table() const { return table_; }

    bool has(std::string_view name) const { return table_.contains(name); }
    // The node, whatever its type; null if it is not there.
    const toml::node* node(std::string_view name);
    const toml::table* subtable(std::string_view name);
    std::optional<PlacedText> text(std::string_view name);
    // The same, and a complaint if it is not there or empty.
    PlacedText needed_text(std::string_view name);
    std::optional<bool> boolean(std::string_view name);
    std::optional<std::uint64_t> whole_number(std::string_view name);
    std::optional<std::chrono::milliseconds> duration(std::string_view name);
    // A fraction, as 0.05 or "5%".
    std::optional<double> share(std::string_view name);
    // A list of texts. A single text counts as a list of one.
    std::vector<PlacedText> texts(std::string_view name);
    // One of `words`.
    std::optional<std::string> word(std::string_view name, std::vector<std::string_view> words);

    void missing(std::string_view name, std::string hint = {});
    void wrong_type(const toml::node& found, std::string_view name, std::string_view wanted);
    // Complains about keys that no getter was asked for.
    void finish();

private:
    const toml::table& table_;
    std::string what_;
    Reading& reading_;
    std::vector<std::string> known_;
};

}  // namespace idxfsck::audit::language
