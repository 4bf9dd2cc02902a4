// tests/fuzz/input.hpp
//
// Input bytes read as something with structure: choices, numbers, values, keys, lines.
//
// Shape    Everything is taken from the front, so that a longer input only adds. Where the bytes
//          have run out, choices are 0 and texts empty.

#pragma once

#include <vector>

#include "store/row.hpp"

namespace idxfsck::tests {

class Input {
public:
    explicit Input(store::BytesView bytes) : rest_{bytes} {}

    bool empty() const { return rest_.empty(); }
    store::BytesView rest() const { return rest_; }

    std::uint8_t byte();
    std::size_t below(std::size_t limit) { return byte() % limit; }
    std::uint64_t word();
    // A size byte and as many bytes, or what is left.
    store::BytesView piece();
    // Up to the next line end, or all that is left.
    store::BytesView line();

    // A decimal number of up to 20 digits, with point and exponent.
    store::Bytes number_text();
    // Of a kind that can be a key component.
    store::Value key_value();
    store::Key key(std::size_t components);
    // Of any kind with any payload, damaged ones too.
    store::Value any_value();
    std::vector<store::NamedValue> attributes(std::size_t count_max);

private:
    store::BytesView rest_;
};

// The lines of a text, without their ends; a line that is cut counts.
std::vector<store::BytesView> lines_of(store::BytesView text);

}  // namespace idxfsck::tests
