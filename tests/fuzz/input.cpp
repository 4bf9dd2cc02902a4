#include "tests/fuzz/input.hpp"

#include <array>
#include <cstring>

namespace idxfsck::tests {

using store::Bytes;
using store::BytesView;
using store::Kind;
using store::Value;

std::uint8_t Input::byte() {
    if (rest_.empty()) return 0;
    const auto value = static_cast<std::uint8_t>(rest_[0]);
    rest_.remove_prefix(1);
    return value;
}

std::uint64_t Input::word() {
    std::uint64_t value = 0;
    for (int count = 0; count < 8; ++count) value = value << 8 | byte();
    return value;
}

BytesView Input::piece() {
    const std::size_t size = byte();
    const BytesView piece = rest_.substr(0, size);
    rest_.remove_prefix(piece.size());
    return piece;
}

BytesView Input::line() {
    const BytesView line = rest_.substr(0, rest_.find('\n'));
    rest_.remove_prefix(std::min(rest_.size(), line.size() + 1));
    return line;
}

Bytes Input::number_text() {
    const std::uint8_t form = byte();
    Bytes text = (form & 1) != 0 ? "-" : "";
    for (std::size_t left = 1 + below(20); left > 0; --left) {
        text.push_back(static_cast<char>('0' + below(10)));
    }
    if ((form & 2) != 0) {
        text.push_back('.');
        for (std::size_t left = 1 + below(20); left > 0; --left) {
            text.push_back(static_cast<char>('0' + below(10)));
        }
    }
    if ((form & 4) != 0) {
        text.append((form & 8) != 0 ? "e" : "E-");
        const std::uint64_t exponent = (form & 16) != 0 ? word() % 1'000'000'000 : below(150);
        text.append(std::to_string(exponent));
    }
    return text;
}

Value Input::key_value() {
    switch (below(10)) {
        case 0: return Value::null();
        case 1: return Value::boolean((byte() & 1) != 0);
        case 2: return Value::int32(static_cast<std::int32_t>(word()));
        case 3: return Value::int64(static_cast<std::int64_t>(word()));
        case 4: {
            const std::uint64_t bits = word();
            double real = 0;
            std::memcpy(&real, &bits, sizeof real);
            return Value::real(real);
        }
        case 5: return Value::number(number_text());
        case 6: return Value::text(Bytes{piece()});
        case 7: return Value::binary(Bytes{piece()});
        case 8: return Value::date_time(static_cast<std::int64_t>(word()));
        default: {
            Bytes sixteen{rest_.substr(0, 16)};
            rest_.remove_prefix(sixteen.size());
            sixteen.resize(16, '\0');
            return Value::guid(std::move(sixteen));
        }
    }
}

store::Key Input::key(std::size_t components) {
    store::Key key;
    while (key.size() < components) key.push_back(key_value());
    return key;
}

Value Input::any_value() {
    constexpr std::size_t kinds = static_cast<std::size_t>(Kind::binary_set);
    const auto kind = static_cast<Kind>(1 + below(kinds));
    return {kind, Bytes{piece()}};
}

std::vector<store::NamedValue> Input::attributes(std::size_t count_max) {
    std::vector<store::NamedValue> all;
    for (std::size_t left = below(count_max + 1); left > 0; --left) {
        Bytes name{piece()};
        all.push_back({std::move(name), (byte() & 1) != 0 ? any_value() : key_value()});
    }
    return all;
}

std::vector<BytesView> lines_of(BytesView text) {
    std::vector<BytesView> lines;
    Input input{text};
    while (!input.empty()) lines.push_back(input.line());
    return lines;
}

}  // namespace idxfsck::tests
