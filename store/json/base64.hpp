// store/json/base64.hpp
//
// Base64, with either alphabet, with or without padding.
//
// Errors   Decoding accepts exactly what encoding with the same style gives: no line breaks, no
//          missing or surplus padding, no stray bits in the last character. Anything else: nothing.
// Source   RFC 4648, sections 4 (standard) and 5 (url).

#pragma once

#include <optional>

#include "store/bytes.hpp"

namespace idxfsck::store {

struct Base64Style {
    bool url = false;      // '-' and '_' instead of '+' and '/'
    bool padding = true;   // fill up to a multiple of four with '='
};

void append_base64(Bytes& out, BytesView bytes, Base64Style style = {});
Bytes to_base64(BytesView bytes, Base64Style style = {});
std::optional<Bytes> from_base64(BytesView text, Base64Style style = {});

}  // namespace idxfsck::store
