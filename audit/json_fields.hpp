// audit/json_fields.hpp
//
// Fields of a JSON object that comes from a file: read by name, with one place for what is wrong.
//
// Shape    Each call gives the field's value, or a neutral one if the field is missing or of
//          another type; problem() then says which, and keeps the first. So a reader takes all its
//          fields and asks once. Text that is not UTF-8 is written in the wrapper of store/json.
// Errors   None thrown.
// Threads  Refers to the object, which must outlive it.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "audit/finding.hpp"
#include "store/json/value_json.hpp"

namespace idxfsck::audit {

class JsonFields {
public:
    explicit JsonFields(const store::Json& object);

    // Is the field there, and not null?
    bool has(std::string_view name) const { return find(name) != nullptr; }

    // Required.
    std::string text(std::string_view name);
    std::int64_t integer(std::string_view name);
    std::uint64_t count(std::string_view name);
    double real(std::string_view name);
    bool flag(std::string_view name);
    store::Key key(std::string_view name);
    const store::Json& array(std::string_view name);
    const store::Json& object(std::string_view name);

    // Not required: empty or nothing if the field is not there.
    std::string text_or_empty(std::string_view name);
    std::optional<store::Key> key_if(std::string_view name);
    std::optional<SeenRow> seen_row_if(std::string_view name);
    std::optional<store::Value> value_if(std::string_view name);
    // Lower-case hexadecimal.
    store::Bytes hex_or_empty(std::string_view name);

    // What is wrong: "no field `key`". Empty: nothing so far.
    const std::string& problem() const { return problem_; }
    bool sound() const { return problem_.empty(); }
    // Says what is wrong with a field, unless something was already.
    void complain(std::string_view name, std::string_view what);

private:
    const store::Json* find(std::string_view name) const;
    const store::Json* need(std::string_view name);

    const store::Json& object_;
    std::string problem_;
};

// Text for a field: a string, or a wrapper if it is not UTF-8.
store::Json text_to_json(std::string_view text);

store::Json seen_row_to_json(const SeenRow& row);

// Parses one document; nothing if it is no JSON object. Never throws.
std::optional<store::Json> parse_object(std::string_view text);

}  // namespace idxfsck::audit
