// Promised: every sort of field reads the bytes that other applications write and writes them back
// as they were; bytes that do not fit are no row, and values that a field has no room for are
// refused.
// Method: bytes and values written out by hand, and random bytes.

#include <catch2/catch.hpp>

#include <random>

#include "raw_layouts.hpp"
#include "store/error.hpp"
#include "store/rocksdb/raw_form.hpp"

using namespace idxfsck::store;

namespace {

RawTable table_of(std::vector<RawField> key, std::vector<RawField> value = {}) {
    RawTable table;
    table.name = "t";
    table.key = std::move(key);
    table.value = std::move(value);
    return table;
}

std::optional<Row> decoded(const RawRowForm& form, BytesView key, BytesView value = "") {
    const std::unique_ptr<RowDecoder> decoder = form.read_decoder();
    if (!decoder->decode(key, value)) return std::nullopt;
    return decoded_row(*decoder);
}

struct Example {
    RawField field;
    std::string bytes;  // hexadecimal
    Value value;
};

RawField with(RawField field, const std::function<void(RawField&)>& change) {
    change(field);
    return field;
}

RawField signed_field(std::size_t width, RawSign sign, RawOrder order = RawOrder::big) {
    RawField field = integer_field("f", width);
    field.sign = sign;
    field.order = order;
    return field;
}

RawField little(std::size_t width) { return signed_field(width, RawSign::none, RawOrder::little); }

RawField complement(RawField field) {
    field.complement = true;
    return field;
}

std::vector<Example> number_examples() {
    const RawField kind64 = with(integer_field("f", 4), [](auto& f) { f.kind = Kind::int64; });
    return {
        {integer_field("f", 1), "00", Value::number("0")},
        {integer_field("f", 1), "ff", Value::number("255")},
        {integer_field("f", 2), "0102", Value::number("258")},
        {little(2), "0201", Value::number("258")},
        {integer_field("f", 3), "010000", Value::number("65536")},
        {integer_field("f", 8), "ffffffffffffffff", Value::number("18446744073709551615")},
        {little(8), "0100000000000000", Value::number("1")},
        {kind64, "ffffffff", Value::int64(4294967295)},
        {signed_field(4, RawSign::plain), "ffffffff", Value::number("-1")},
        {signed_field(4, RawSign::plain), "7fffffff", Value::number("2147483647")},
        {signed_field(4, RawSign::flipped), "7fffffff", Value::number("-1")},
        {signed_field(4, RawSign::flipped), "80000001", Value::number("1")},
        {signed_field(8, RawSign::flipped), "0000000000000000",
         Value::number("-9223372036854775808")},
        {signed_field(3, RawSign::plain, RawOrder::little), "feffff", Value::number("-2")},
        {complement(integer_field("f", 4)), "fffffffe", Value::number("1")},
        {complement(integer_field("f", 8)), "fffffe7b17c1d7ff", Value::number("1670343698432")},
        {varint_field("f", RawVarint::leb128), "00", Value::number("0")},
        {varint_field("f", RawVarint::leb128), "ac02", Value::number("300")},
        {varint_field("f", RawVarint::leb128), "ffffffffffffffffff01",
         Value::number("18446744073709551615")},
        {varint_field("f", RawVarint::zigzag), "01", Value::number("-1")},
        {varint_field("f", RawVarint::zigzag), "02", Value::number("1")},
        {varint_field("f", RawVarint::zigzag), "ffffffffffffffffff01",
         Value::number("-9223372036854775808")},
        // The examples of Bitcoin's serialize.h.
        {varint_field("f", RawVarint::bitcoin), "7f", Value::number("127")},
        {varint_field("f", RawVarint::bitcoin), "8000", Value::number("128")},
        {varint_field("f", RawVarint::bitcoin), "80ff7f", Value::number("32895")},
        {varint_field("f", RawVarint::bitcoin), "82fe7f", Value::number("65535")},
        {varint_field("f", RawVarint::bitcoin), "8efefeff00", Value::number("4294967296")},
    };
}

std::vector<Example> text_examples() {
    const auto shown = [](RawForm form) { return rest_field("f", form); };
    const RawField little_length =
        with(sized_field("f", 2), [](auto& f) { f.order = RawOrder::little; });
    return {
        {shown(RawForm::text), "", Value::text("")},
        {shown(RawForm::text), "c3a900", Value::text(of_hex("c3a900"))},
        {shown(RawForm::hex), "00ab", Value::text("00ab")},
        {shown(RawForm::hex_upper), "00ab", Value::text("00AB")},
        {shown(RawForm::base64), "fbff", Value::text("+/8=")},
        {shown(RawForm::base64_url), "fbff", Value::text("-_8")},
        {shown(RawForm::binary), "ff00", Value::binary(of_hex("ff00"))},
        {bytes_field("f", 2, RawForm::text), "6162", Value::text("ab")},
        {bytes_field("f", 16, RawForm::guid), "000102030405060708090a0b0c0d0e0f",
         Value::guid(of_hex("000102030405060708090a0b0c0d0e0f"))},
        {ended_field("f", of_hex("00")), "616200", Value::text("ab")},
        {ended_field("f", "::"), "613a3a", Value::text("a")},
        {sized_field("f", 0), "026162", Value::text("ab")},
        {sized_field("f", 1), "00", Value::text("")},
        {sized_field("f", 4), "000000026162", Value::text("ab")},
        {little_length, "02006162", Value::text("ab")},
        {complement(shown(RawForm::text)), "9e9d", Value::text("ab")},
        {complement(bytes_field("f", 1, RawForm::hex)), "00", Value::text("ff")},
        {shown(RawForm::json), "5b312c226122 5d",
         Value::list({Value::number("1"), Value::text("a")})},
        {shown(RawForm::json), "7b222466223a317d", Value::map({{"$f", Value::number("1")}})},
        {shown(RawForm::typed_json), "7b2224696e743332223a377d", Value::int32(7)},
    };
}

void check(const Example& example) {
    CAPTURE(example.bytes, to_hex(example.value.payload));
    const RawRowForm as_key{table_of({example.field})};
    const RawRowForm as_value{table_of({rest_field("k")}, {example.field})};
    const Bytes bytes = of_hex(example.bytes);
    const std::optional<Row> key = decoded(as_key, bytes);
    REQUIRE(key);
    CHECK(key->key == Key{example.value});
    CHECK(as_key.encode_key(key->key) == bytes);
    const std::optional<Row> value = decoded(as_value, "k", bytes);
    REQUIRE(value);
    CHECK(decode_attributes(value->attributes) ==
          std::vector<NamedValue>{{"f", example.value}});
    CHECK(value->version.empty());
    CHECK(as_value.encode_value(*value) == bytes);
}

bool fits(const RawField& field, const std::string& bytes) {
    return decoded(RawRowForm{table_of({field})}, of_hex(bytes)).has_value();
}

bool has_room(const RawField& field, const Value& value) {
    return RawRowForm{table_of({field})}.encode_key({value}).has_value();
}

Error error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return error;
    }
    return Error{"none"};
}

Row row_of(std::vector<NamedValue> attributes) {
    return {{Value::text("k")}, encode_attributes(std::move(attributes)), {}};
}

}  // namespace

TEST_CASE("numbers of others are read as written out, and written back as they were") {
    for (const Example& example : number_examples()) check(example);
}

TEST_CASE("texts and JSON of others are read as written out, and written back as they were") {
    for (const Example& example : text_examples()) check(example);
}

TEST_CASE("bytes that do not fit a field are no row") {
    CHECK_FALSE(fits(integer_field("f", 4), "000000"));
    CHECK_FALSE(fits(integer_field("f", 4), "0000000000"));
    const RawField varint = varint_field("f", RawVarint::leb128);
    CHECK_FALSE(fits(varint, ""));
    CHECK_FALSE(fits(varint, "80"));
    CHECK_FALSE(fits(varint, "8000"));  // 0 once more, one byte longer
    CHECK_FALSE(fits(varint, "ffffffffffffffffff02"));
    CHECK_FALSE(fits(varint_field("f", RawVarint::bitcoin), "80"));
    CHECK_FALSE(fits(varint_field("f", RawVarint::bitcoin), "ffffffffffffffffffff7f"));
    CHECK_FALSE(fits(rest_field("f"), "ff"));
    CHECK_FALSE(fits(rest_field("f"), "c3"));
    CHECK_FALSE(fits(bytes_field("f", 16, RawForm::guid), "0001"));
    CHECK_FALSE(fits(ended_field("f", of_hex("00")), "6162"));
    CHECK_FALSE(fits(ended_field("f", of_hex("00")), "61620063"));
    CHECK_FALSE(fits(sized_field("f", 0), "0361"));
    CHECK_FALSE(fits(sized_field("f", 0), "ffffffffffffffffff0161"));
    CHECK_FALSE(fits(sized_field("f", 8), "ffffffffffffffff61"));
    CHECK_FALSE(fits(sized_field("f", 0), "016162"));
    CHECK_FALSE(fits(rest_field("f", RawForm::json), ""));
    CHECK_FALSE(fits(rest_field("f", RawForm::json), "7b"));
    // Bytes that would break out of what they are parsed in: 1,"v":2 and 1},{"v":2.
    CHECK_FALSE(fits(rest_field("f", RawForm::json), "312c2276223a32"));
    CHECK_FALSE(fits(rest_field("f", RawForm::json), "312c2277223a32"));
    CHECK_FALSE(fits(rest_field("f", RawForm::json), "317d2c7b2276223a32"));
    const RawRowForm empty{table_of({rest_field("k")})};
    CHECK(decoded(empty, "k", ""));
    CHECK_FALSE(decoded(empty, "k", "x"));
    const RawRowForm marked{table_of({literal_field("u:"), rest_field("k")})};
    CHECK(decoded(marked, "u:1")->key == Key{Value::text("1")});
    CHECK_FALSE(decoded(marked, "v:1"));
}

TEST_CASE("a value that a field has no room for is refused") {
    CHECK_FALSE(has_room(integer_field("f", 1), Value::number("256")));
    CHECK_FALSE(has_room(integer_field("f", 1), Value::number("-1")));
    CHECK_FALSE(has_room(integer_field("f", 1), Value::number("1.5")));
    CHECK_FALSE(has_room(integer_field("f", 1), Value::text("1")));
    CHECK(has_room(integer_field("f", 1), Value::number("1.0")));
    CHECK(has_room(integer_field("f", 1), Value::real(255)));
    CHECK_FALSE(has_room(integer_field("f", 8), Value::number("18446744073709551616")));
    CHECK_FALSE(has_room(signed_field(1, RawSign::plain), Value::int32(128)));
    CHECK(has_room(signed_field(1, RawSign::flipped), Value::int32(-128)));
    CHECK_FALSE(has_room(varint_field("f", RawVarint::leb128), Value::int32(-1)));
    CHECK_FALSE(has_room(bytes_field("f", 2, RawForm::text), Value::text("abc")));
    CHECK_FALSE(has_room(ended_field("f", of_hex("00")), Value::text(Bytes("a\0b", 3))));
    // "a" and the end "aa" would be read as "" and what is left over.
    CHECK_FALSE(has_room(ended_field("f", "aa"), Value::text("a")));
    CHECK_FALSE(has_room(sized_field("f", 1), Value::text(Bytes(256, 'x'))));
    CHECK(has_room(sized_field("f", 1), Value::text(Bytes(255, 'x'))));
    CHECK_FALSE(has_room(rest_field("f"), Value::text("\xff")));
    CHECK_FALSE(has_room(rest_field("f"), Value::number("1")));
    CHECK_FALSE(has_room(rest_field("f", RawForm::hex), Value::text("AB")));
    CHECK_FALSE(has_room(rest_field("f", RawForm::hex_upper), Value::text("ab")));
    CHECK_FALSE(has_room(rest_field("f", RawForm::hex), Value::text("abc")));
    CHECK_FALSE(has_room(rest_field("f", RawForm::base64), Value::text("+/8")));
    CHECK_FALSE(has_room(rest_field("f", RawForm::binary), Value::text("a")));
    CHECK_FALSE(has_room(rest_field("f", RawForm::json), Value::binary("a")));
    CHECK_FALSE(has_room(rest_field("f", RawForm::json), Value::number("007")));
}

TEST_CASE("a row that its layout has no room for is refused with the attribute") {
    const RawRowForm form{table_of({rest_field("k")}, {integer_field("n", 1)})};
    CHECK(form.encode_value(row_of({{"n", Value::int32(7)}})) == "\x07");
    const auto refused = [&](std::vector<NamedValue> attributes) {
        const Row row = row_of(std::move(attributes));
        CHECK(form.as_stored_or_same(row) == row);
        return std::string{error_of([&] { form.encode_value(row); }).what()};
    };
    CHECK(refused({}) ==
          "a row lacks an attribute that its layout needs: table=t attribute=n");
    CHECK(refused({{"n", Value::int32(700)}}) ==
          "the layout of the table has no room for a value: table=t attribute=n");
    CHECK(refused({{"m", Value::null()}, {"n", Value::int32(7)}}) ==
          "the layout of the table has no field for an attribute: table=t attribute=m");
    CHECK_THROWS_AS(form.encode_key({}), Error);
}

TEST_CASE("numbers take the kinds of their fields, as reading them back would give them") {
    const RawRowForm form{table_of({integer_field("k", 2)}, {rest_field("j", RawForm::json)})};
    const Row row{{Value::int32(7)}, encode_attributes({{"j", Value::int64(5)}}), "v"};
    const Row stored{{Value::number("7")}, encode_attributes({{"j", Value::number("5")}}), "v"};
    CHECK(form.as_stored(row) == stored);
    CHECK(form.as_stored(stored) == stored);
}

TEST_CASE("members of a JSON object are attributes beside named fields") {
    const RawRowForm form{table_of({rest_field("id")},
                                   {integer_field("flags", 1), members_field(RawForm::json)})};
    const Bytes value = "\x03{\"age\":4.50,\"tags\":[\"a\",null],\"$ref\":{\"$guid\":\"x\"}}";
    const Row row = *decoded(form, "u1", value);
    const std::vector<NamedValue> expected{
        {"$ref", Value::map({{"$guid", Value::text("x")}})},
        {"age", Value::number("4.50")},
        {"flags", Value::number("3")},
        {"tags", Value::list({Value::text("a"), Value::null()})}};
    CHECK(decode_attributes(row.attributes) == expected);
    Row rewritten = row;
    rewritten.version.clear();
    const Bytes plain =
        "\x03{\"$ref\":{\"$guid\":\"x\"},\"age\":4.50,\"tags\":[\"a\",null]}";
    CHECK(form.encode_value(rewritten) == plain);
    CHECK(decoded(form, "u1", plain)->version.empty());
    // A name of a field, in the key or in the value, cannot be a member's too.
    CHECK_FALSE(decoded(form, "u1", "\x03{\"id\":1}"));
    CHECK_FALSE(decoded(form, "u1", "\x03{\"flags\":1}"));
    CHECK_FALSE(decoded(form, "u1", "\x03{\"a\":1,\"a\":2}"));
    CHECK_FALSE(decoded(form, "u1", "\x03[]"));
}

TEST_CASE("JSON that is spelled in another way is put back as it was") {
    const RawRowForm form{table_of({rest_field("id")}, {members_field(RawForm::json)})};
    const Bytes value = " { \"b\": 1, \"a\": \"\\u0041\" }\n";
    Row row = *decoded(form, "u1", value);
    CHECK(row.version == value);
    CHECK(form.encode_value(row) == value);
    // Not once the row is another one: then it is spelled as this tool does.
    row.set("a", Value::text("B"));
    CHECK(form.encode_value(row) == "{\"a\":\"B\",\"b\":1}");
}

TEST_CASE("complemented and flipped numbers sort as they are meant to") {
    const std::vector<int> ascending{-32768, -256, -1, 0, 1, 255, 32767};
    const RawRowForm form{table_of({signed_field(2, RawSign::flipped)})};
    const RawRowForm newest{table_of({complement(signed_field(2, RawSign::flipped))})};
    for (std::size_t index = 1; index < ascending.size(); ++index) {
        const Key before{Value::int32(ascending[index - 1])};
        const Key after{Value::int32(ascending[index])};
        CHECK(*form.encode_key(before) < *form.encode_key(after));
        CHECK(*newest.encode_key(before) > *newest.encode_key(after));
    }
}

TEST_CASE("random bytes are no row, or are written back as they were") {
    const unsigned seed = std::random_device{}();
    CAPTURE(seed);
    std::mt19937 random{seed};
    std::vector<Example> all = number_examples();
    for (Example& example : text_examples()) all.push_back(std::move(example));
    std::size_t rows = 0;
    for (int round = 0; round < 20'000; ++round) {
        RawField first = all[random() % all.size()].field;
        RawField second = all[random() % all.size()].field;
        second.name = "g";
        const RawRowForm form{table_of({rest_field("k")}, {first, second})};
        Bytes bytes(random() % 24, '\0');
        for (char& byte : bytes) byte = static_cast<char>(random() % 2 ? random() % 4 : random());
        if (random() % 2) bytes = of_hex(all[random() % all.size()].bytes) + bytes;
        const std::optional<Row> row = decoded(form, "k", bytes);
        if (!row) continue;
        ++rows;
        CAPTURE(to_hex(bytes));
        REQUIRE(form.encode_value(*row) == bytes);
    }
    REQUIRE(rows > 100);
}
