#include "audit/spellings.hpp"

#include <array>
#include <charconv>
#include <optional>

#include "store/number.hpp"

namespace idxfsck::audit {

namespace {

bool has_numbers(const store::Key& key) {
    for (const store::Value& part : key) {
        if (store::is_numeric(part.kind)) return true;
    }
    return false;
}

std::optional<store::Value> from_text(const store::Bytes& text, store::Kind kind) {
    const char* const end = text.data() + text.size();
    if (kind == store::Kind::real) {
        double real = 0;
        const auto read = std::from_chars(text.data(), end, real);
        const bool fits = read.ec == std::errc{} && read.ptr == end;
        return fits ? std::optional{store::Value::real(real)} : std::nullopt;
    }
    std::int64_t integer = 0;
    const auto read = std::from_chars(text.data(), end, integer);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    if (kind == store::Kind::int64) return store::Value::int64(integer);
    if (integer != static_cast<std::int32_t>(integer)) return std::nullopt;
    return store::Value::int32(static_cast<std::int32_t>(integer));
}

// The same number as another numeric kind, or nothing if that has no such number: decimals have
// neither NaN nor infinities, reals not every decimal.
std::optional<store::Value> as_kind(const store::Value& value, store::Kind kind) {
    if (!store::is_numeric(value.kind) || value.kind == kind) return value;
    store::Bytes scratch;
    const store::Bytes text{*store::canonical_number(value.view(), scratch)};
    if (kind == store::Kind::number) {
        if (!store::parse_decimal(text, scratch)) return std::nullopt;
        return store::Value::number(text);
    }
    const std::optional<store::Value> other = from_text(text, kind);
    if (!other || store::canonical_number(other->view(), scratch) != text) return std::nullopt;
    return other;
}

constexpr std::array numeric_kinds{store::Kind::number, store::Kind::int64, store::Kind::int32,
                                   store::Kind::real};

}  // namespace

bool can_be_key(const store::Key& key) {
    store::Bytes scratch;
    for (const store::Value& part : key) {
        if (part.kind == store::Kind::absent || store::is_container(part.kind)) return false;
        if (store::is_numeric(part.kind) && !store::canonical_number(part.view(), scratch)) {
            return false;
        }
    }
    return !key.empty();
}

std::vector<store::Key> spellings(const store::Key& key) {
    std::vector<store::Key> result{key};
    if (!has_numbers(key)) return result;
    for (const store::Kind kind : numeric_kinds) {
        store::Key other;
        for (const store::Value& part : key) {
            const auto converted = as_kind(part, kind);
            if (converted) other.push_back(*converted);
        }
        if (other.size() == key.size() && other != key) result.push_back(std::move(other));
    }
    return result;
}

}  // namespace idxfsck::audit
