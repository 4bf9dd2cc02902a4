// audit/language/spec_text.hpp
//
// Places within the text of a spec file: from an offset in a string's value to line and column.

#pragma once

#include <string_view>

#include "audit/spec.hpp"

namespace idxfsck::audit::language {

class SpecText {
public:
    // `text` must outlive this.
    explicit SpecText(std::string_view text) : text_{text} {}

    // The place of byte `offset` of the value of the TOML string that begins, with its quote, at
    // `begin`. Escapes and line breaks are followed. `begin` itself if there is no string there.
    SpecPlace within(SpecPlace begin, std::size_t offset) const;

private:
    std::size_t offset_of(SpecPlace place) const;

    std::string_view text_;
};

}  // namespace idxfsck::audit::language
