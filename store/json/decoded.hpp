// store/json/decoded.hpp
//
// What a parser gives for bytes that it does not trust: the value, or why not.

#pragma once

#include <optional>
#include <string_view>
#include <utility>

namespace idxfsck::store {

// `why_not` is a fixed text without data, and empty if there is a value.
template <typename Type>
struct Decoded {
    std::optional<Type> value;
    std::string_view why_not;

    Decoded(Type result) : value{std::move(result)} {}

    static Decoded failed(std::string_view why_not) { return Decoded{why_not}; }

    explicit operator bool() const { return value.has_value(); }
    const Type& operator*() const { return *value; }
    Type& operator*() { return *value; }
    const Type* operator->() const { return &*value; }
    Type* operator->() { return &*value; }

private:
    explicit Decoded(std::string_view reason) : why_not{reason} {}
};

}  // namespace idxfsck::store
