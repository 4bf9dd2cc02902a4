// Keys as bytes (store/key_codec.hpp). Promised: decode(encode(key)) is the key, numbers in their
// canonical spelling; the order of the bytes is the order of the keys; exactly the bytes that
// encode makes are accepted. Method: components in their order, written out, all pairs compared;
// random keys and decimals against a plain comparison of decimals; every truncation and random
// damage, with the seed printed.

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>

#include "store/error.hpp"
#include "store/key_codec.hpp"
#include "store/number.hpp"

using namespace idxfsck::store;

namespace {

constexpr std::int64_t integer_min = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t integer_max = std::numeric_limits<std::int64_t>::max();
constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<Value> numbers(std::initializer_list<const char*> texts) {
    std::vector<Value> out;
    for (const char* const text : texts) out.push_back(Value::number(text));
    return out;
}

// Components of one kind, in their order.
std::vector<std::vector<Value>> ladders() {
    const Bytes nines(38, '9');
    return {
        {Value::boolean(false), Value::boolean(true)},
        {Value::int32(std::numeric_limits<std::int32_t>::min()), Value::int32(-256),
         Value::int32(-1), Value::int32(0), Value::int32(1), Value::int32(256),
         Value::int32(std::numeric_limits<std::int32_t>::max())},
        {Value::int64(integer_min), Value::int64(integer_min + 1), Value::int64(-1),
         Value::int64(0), Value::int64(1), Value::int64(1LL << 32), Value::int64(integer_max)},
        {Value::date_time(0), Value::date_time(1), Value::date_time(3155378975999999999)},
        {Value::real(-infinity), Value::real(-1e300), Value::real(-1.5), Value::real(-5e-324),
         Value::real(-0.0), Value::real(0.0), Value::real(5e-324), Value::real(1.0),
         Value::real(1.5), Value::real(1e300), Value::real(infinity), Value::real(std::nan(""))},
        numbers({"-1e999999999", "-1e126", "-1e81", "-1e80",
                 "-99999999999999999999999999999999999999", "-1000",
                 "-101", "-100.5", "-100", "-11", "-10", "-9.9", "-1.01", "-1", "-0.5",
                 "-1e-31", "-1e-32", "-1e-130", "0", "1e-999999999", "1e-130", "1e-32", "1e-31",
                 "0.000001", "0.05", "0.5", "0.51", "1", "1.0000000000000000000000000000000000001",
                 "1.01", "9.9", "10", "11", "100", "100.5", "101", "1000", "9223372036854775807",
                 "99999999999999999999999999999999999999", "1e79", "1e80", "1e81", "1e126",
                 "1e999999999"}),
        {Value::text(""), Value::text(Bytes(1, '\0')), Value::text(Bytes(2, '\0')),
         Value::text(Bytes("\0\x01", 2)), Value::text(Bytes("\0\xff", 2)), Value::text("\x01"),
         Value::text("A"), Value::text("a"), Value::text(Bytes("a\0", 2)),
         Value::text(Bytes("a\0b", 3)), Value::text("aa"), Value::text("ab"), Value::text("b"),
         Value::text("\xff"), Value::text("\xff\xff")},
        {Value::binary(""), Value::binary(Bytes(1, '\0')), Value::binary("\x01"),
         Value::binary("\xff")},
        {Value::guid(Bytes(16, '\0')), Value::guid(Bytes(15, '\0') + "\x01"),
         Value::guid(Bytes(16, '\xff'))},
    };
}

std::optional<Key> back(const Key& key) { return decode_key(encode_key(key)); }

void check_decoder_agrees(BytesView encoded, const std::optional<Key>& key) {
    KeyDecoder decoder;
    const auto components = decoder.decode(encoded);
    if (!key) {
        REQUIRE(components.empty());
        return;
    }
    REQUIRE(std::equal(components.begin(), components.end(), key->begin(), key->end(),
                       [](const ValueView& a, const Value& b) { return a == b.view(); }));
}

Value random_component(std::mt19937& random) {
    const std::vector<std::vector<Value>> all = ladders();
    switch (random() % 4) {
        case 0: return Value::null();
        case 1: {
            Bytes text(random() % 20, '\0');
            for (char& byte : text) {
                byte = static_cast<char>(random() % 2 ? random() % 3 : random());
            }
            return random() % 2 ? Value::text(text) : Value::binary(text);
        }
        default: {
            const auto& ladder = all[random() % all.size()];
            return ladder[random() % ladder.size()];
        }
    }
}

Key random_key(std::mt19937& random) {
    Key key;
    for (auto count = 1 + random() % 4; count > 0; --count) key.push_back(random_component(random));
    return key;
}

}  // namespace

TEST_CASE("the order of encodings is the order of keys") {
    for (const std::vector<Value>& ladder : ladders()) {
        for (std::size_t low = 0; low < ladder.size(); ++low) {
            for (std::size_t high = low + 1; high < ladder.size(); ++high) {
                INFO(kind_name(ladder[low].kind) << " " << low << " " << high);
                REQUIRE(encode_key(Key{ladder[low]}) < encode_key(Key{ladder[high]}));
                // What follows does not matter where the first component decides.
                const Key more{ladder[low], Value::text("\xff\xff")};
                REQUIRE(encode_key(more) < encode_key(Key{ladder[high]}));
                const Key less{ladder[high], Value::null()};
                REQUIRE(encode_key(Key{ladder[low]}) < encode_key(less));
            }
        }
    }
}

TEST_CASE("a key that begins another comes before it") {
    const Key one{Value::text("a")};
    const Key two{Value::text("a"), Value::null()};
    REQUIRE(encode_key(one) < encode_key(two));
    REQUIRE(encode_key(two).starts_with(encode_key(one)));
}

TEST_CASE("every component comes back") {
    for (const std::vector<Value>& ladder : ladders()) {
        for (const Value& value : ladder) {
            INFO(kind_name(value.kind) << " " << to_hex(value.payload));
            const std::optional<Key> decoded = back({value, Value::null()});
            REQUIRE(decoded);
            if (value.kind != Kind::number) REQUIRE((*decoded)[0] == value);
            Bytes scratch;
            Bytes scratch_decoded;
            REQUIRE(canonical_number((*decoded)[0], scratch_decoded) ==
                    canonical_number(value, scratch));
            REQUIRE((*decoded)[1] == Value::null());
        }
    }
    REQUIRE(back({Value::null()}) == Key{Value::null()});
}

TEST_CASE("equal numbers are one key, in canonical spelling, and the text is another") {
    const Bytes one = encode_key(Key{Value::number("1")});
    for (const char* const text : {"1.0", "1e0", "10e-1", "0001.000"}) {
        REQUIRE(encode_key(Key{Value::number(text)}) == one);
    }
    REQUIRE(back({Value::number("1.50e3")}) == Key{Value::number("1500")});
    REQUIRE(encode_key(Key{Value::text("1")}) != one);
    REQUIRE(encode_key(Key{Value::int32(1)}) != encode_key(Key{Value::int64(1)}));
}

TEST_CASE("the bytes are those of the format page") {
    REQUIRE(to_hex(encode_key(Key{Value::number("7")})) == "06a14700");
    REQUIRE(to_hex(encode_key(Key{Value::number("-7")})) == "065eb8ff");
    REQUIRE(to_hex(encode_key(Key{Value::number("0")})) == "0680");
    const Key pair{Value::text("u1"), Value::int32(1)};
    REQUIRE(to_hex(encode_key(pair)) == "07753100010380000001");
    REQUIRE(to_hex(encode_key(Key{Value::text(Bytes("a\0", 2))})) == "076100ff0001");
    REQUIRE(to_hex(encode_key(Key{Value::null()})) == "01");
    REQUIRE(to_hex(encode_key(Key{Value::real(-0.0)})) == "057fffffffffffffff");
}

TEST_CASE("what cannot be a key is refused") {
    const std::vector<Value> wrong{
        Value{}, Value::list({}), Value::map({}), Value::set(Kind::text_set, {"a"}),
        Value::number("one"), Value::number(""), Value{Kind::int32, "abc"}, Value{Kind::int64, ""},
        Value{Kind::boolean, "\x02"}, Value{Kind::null, "x"}, Value::guid("short"),
        Value{static_cast<Kind>(99), ""}};
    for (const Value& value : wrong) {
        INFO(kind_name(value.kind));
        REQUIRE_THROWS_AS(encode_key(Key{value}), Error);
    }
}

TEST_CASE("random keys come back, and damage is found or is another key") {
    const unsigned seed = std::random_device{}();
    CAPTURE(seed);
    std::mt19937 random{seed};
    for (int round = 0; round < 3000; ++round) {
        const Bytes encoded = encode_key(random_key(random));
        CAPTURE(to_hex(encoded));
        const std::optional<Key> key = decode_key(encoded);
        REQUIRE(key);
        REQUIRE(encode_key(*key) == encoded);
        check_decoder_agrees(encoded, key);
        Bytes damaged = encoded;
        for (auto count = 1 + random() % 3; count > 0; --count) {
            const std::size_t at = random() % (damaged.size() + 1);
            if (random() % 3 == 0 || at == damaged.size()) {
                damaged.insert(at, 1, static_cast<char>(random()));
            } else {
                damaged[at] = static_cast<char>(random() % 2 ? random() : random() % 17);
            }
        }
        CAPTURE(to_hex(damaged));
        const std::optional<Key> other = decode_key(damaged);
        check_decoder_agrees(damaged, other);
        if (other) REQUIRE(encode_key(*other) == damaged);
    }
}

TEST_CASE("a decoded number can be written and encoded again, at both ends of the exponents") {
    const auto with_exponent = [](std::int64_t exponent) {
        const auto bits = static_cast<std::uint32_t>(exponent) ^ 0x80000000u;
        Bytes encoded{static_cast<char>(Kind::number), exponent < 0 ? '\x81' : '\xf1'};
        for (int shift = 24; shift >= 0; shift -= 8) {
            encoded.push_back(static_cast<char>(bits >> shift));
        }
        return encoded + Bytes{"\x0b\0", 2};
    };
    const Bytes smallest = with_exponent(decimal_exponent_min);
    const Bytes largest = with_exponent(decimal_exponent_max);
    REQUIRE(decode_key(smallest) == Key{Value::number("1e-999999999")});
    REQUIRE(decode_key(largest) == Key{Value::number("1e+999999999")});
    REQUIRE(encode_key(*decode_key(smallest)) == smallest);
    REQUIRE(encode_key(*decode_key(largest)) == largest);
    // These bytes once decoded to a number whose spelling was then refused.
    REQUIRE_FALSE(decode_key(with_exponent(decimal_exponent_min - 1)));
    REQUIRE_FALSE(decode_key(with_exponent(decimal_exponent_max + 1)));
}

TEST_CASE("every truncation of a key is found or is a shorter key") {
    for (const std::vector<Value>& ladder : ladders()) {
        for (const Value& value : ladder) {
            const Bytes encoded = encode_key(Key{value});
            for (std::size_t size = 1; size < encoded.size(); ++size) {
                CAPTURE(to_hex(encoded), size);
                REQUIRE_FALSE(decode_key(BytesView{encoded}.substr(0, size)));
            }
        }
    }
}

TEST_CASE("all short strings over telling bytes: what is accepted is what encode makes") {
    const Bytes alphabet{"\x00\x01\x02\x03\x06\x07\x08\x0a\x0b\x47\x5e\x7f\x80\xa1\xb8\xff", 16};
    std::size_t accepted = 0;
    for (std::size_t size = 1; size <= 5; ++size) {
        for (std::size_t word = 0; word < std::size_t{1} << (4 * size); ++word) {
            Bytes bytes;
            for (std::size_t index = 0; index < size; ++index) {
                bytes.push_back(alphabet[word >> (4 * index) & 15]);
            }
            const std::optional<Key> key = decode_key(bytes);
            if (!key) continue;
            ++accepted;
            if (encode_key(*key) != bytes) FAIL(to_hex(bytes));
        }
    }
    REQUIRE(accepted > 100);
}

TEST_CASE("one decoder serves key after key without mixing them") {
    KeyDecoder decoder;
    const Bytes wide = encode_key(Key{Value::int64(1), Value::number("2"), Value::text("c")});
    REQUIRE(decoder.decode(wide).size() == 3);
    const Bytes narrow = encode_key(Key{Value::int64(9)});
    const auto components = decoder.decode(narrow);
    REQUIRE(components.size() == 1);
    REQUIRE(components[0].as_integer() == 9);
    REQUIRE(decoder.decode("\x03\x01").empty());
    REQUIRE(decoder.decode(wide)[1] == Value::number("2").view());
}
