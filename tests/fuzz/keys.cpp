// Keys as bytes.
//
// Promised: decode(encode(key)) is the key, numbers in their canonical spelling; the bytes are in
// the order of the keys; bytes that no key encodes to are refused, and never read past their end.
// Method: two keys of the input, compared component by component; then the input as encoded bytes.

#include <bit>
#include <cmath>
#include <cstring>

#include "store/error.hpp"
#include "store/key_codec.hpp"
#include "store/number.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/target.hpp"

namespace idxfsck::tests {

namespace {

using store::BytesView;
using store::Key;
using store::Kind;
using store::Value;

int sign(std::int64_t a, std::int64_t b) { return a < b ? -1 : a > b ? 1 : 0; }

// By the total order of IEEE 754: -NaN, negative, -0, 0, positive, NaN.
int compare_reals(double a, double b) {
    const auto place = [](double real) {
        const auto bits = std::bit_cast<std::int64_t>(real);
        return bits < 0 ? std::int64_t{-1} - (bits & INT64_MAX) : bits;
    };
    return sign(place(a), place(b));
}

int compare_numbers(BytesView a, BytesView b) {
    store::Bytes scratch_a;
    store::Bytes scratch_b;
    const auto left = store::parse_decimal(a, scratch_a);
    const auto right = store::parse_decimal(b, scratch_b);
    const auto rank = [](const store::Decimal& decimal) {
        return decimal.digits.empty() ? 0 : decimal.negative ? -1 : 1;
    };
    if (rank(*left) != rank(*right)) return sign(rank(*left), rank(*right));
    if (rank(*left) == 0) return 0;
    int size = sign(left->exponent, right->exponent);
    if (size == 0) size = sign(left->digits.compare(right->digits), 0);
    return rank(*left) * size;
}

int compare(const Value& a, const Value& b) {
    if (a.kind != b.kind) return sign(static_cast<int>(a.kind), static_cast<int>(b.kind));
    switch (a.kind) {
        case Kind::int32:
        case Kind::int64:
        case Kind::date_time: return sign(a.view().as_integer(), b.view().as_integer());
        case Kind::real: return compare_reals(a.view().as_real(), b.view().as_real());
        case Kind::number: return compare_numbers(a.payload, b.payload);
        default: return sign(a.payload.compare(b.payload), 0);
    }
}

int compare(const Key& a, const Key& b) {
    for (std::size_t place = 0; place < std::min(a.size(), b.size()); ++place) {
        if (const int order = compare(a[place], b[place]); order != 0) return order;
    }
    return sign(static_cast<std::int64_t>(a.size()), static_cast<std::int64_t>(b.size()));
}

void check_decoded(const Key& key, BytesView encoded) {
    const std::optional<Key> decoded = store::decode_key(encoded);
    store::ensure(decoded.has_value(), "an encoded key is decoded");
    store::ensure(compare(*decoded, key) == 0, "a key comes back as it was");
    store::ensure(store::encode_key(std::span<const Value>{*decoded}) == encoded,
                  "a decoded key has the bytes that it was decoded from");
    store::KeyDecoder decoder;
    const auto views = decoder.decode(encoded);
    store::ensure(views.size() == key.size(), "the decoder gives every component");
    for (std::size_t place = 0; place < views.size(); ++place) {
        store::ensure(views[place] == (*decoded)[place].view(), "both ways to decode agree");
    }
}

void check_pair(const Key& a, const Key& b) {
    const store::Bytes encoded_a = store::encode_key(std::span<const Value>{a});
    const store::Bytes encoded_b = store::encode_key(std::span<const Value>{b});
    check_decoded(a, encoded_a);
    check_decoded(b, encoded_b);
    const int order = sign(encoded_a.compare(encoded_b), 0);
    store::ensure(order == compare(a, b), "the order of the bytes is the order of the keys");
}

void check_hostile(BytesView bytes) {
    const std::optional<Key> key = store::decode_key(bytes);
    store::KeyDecoder decoder;
    const auto views = decoder.decode(bytes);
    if (!key) {
        store::ensure(views.empty(), "what is no key is none for the decoder too");
        return;
    }
    store::ensure(store::encode_key(std::span<const Value>{*key}) == bytes,
                  "only the bytes that encoding makes are accepted");
    store::ensure(views.size() == key->size(), "both ways to decode agree");
}

}  // namespace

void fuzz_keys(BytesView bytes) {
    check_hostile(bytes);
    Input input{bytes};
    const std::size_t components = 1 + input.below(3);
    const Key a = input.key(components);
    // Half of the pairs share what they begin with: that is where orders go wrong.
    Key b = a;
    if (input.below(2) == 0) b.clear();
    else b.pop_back();
    for (std::size_t left = input.below(3); left > 0; --left) b.push_back(input.key_value());
    try {
        check_pair(a, b);
    } catch (const store::Error&) {
        // A number whose exponent is out of range is no key.
    }
}

}  // namespace idxfsck::tests
