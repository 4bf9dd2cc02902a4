// The keys under which a row with numbers in its key may lie.
//
// Promised: every spelling is a key of a store, and the same number; a number that another kind
// cannot hold exactly is not looked for there. Method: numbers at the edges of each kind.

#include <cmath>
#include <limits>

#include <catch2/catch.hpp>

#include "audit/spellings.hpp"
#include "store/key_codec.hpp"

using namespace idxfsck;
using store::Kind;
using store::Value;

namespace {

std::vector<Kind> kinds_of(const Value& value) {
    std::vector<Kind> kinds;
    store::Bytes scratch;
    const store::Bytes text{*store::canonical_number(value.view(), scratch)};
    for (const store::Key& key : audit::spellings({value})) {
        REQUIRE_NOTHROW(store::encode_key(std::span<const Value>{key}));
        CHECK(store::canonical_number(key.at(0).view(), scratch) == text);
        kinds.push_back(key.at(0).kind);
    }
    return kinds;
}

using Kinds = std::vector<Kind>;

}  // namespace

TEST_CASE("a number is looked for in every kind that holds it exactly") {
    CHECK(kinds_of(Value::number("7")) ==
          Kinds{Kind::number, Kind::int64, Kind::int32, Kind::real});
    CHECK(kinds_of(Value::int32(-1)) ==
          Kinds{Kind::int32, Kind::number, Kind::int64, Kind::real});
    CHECK(kinds_of(Value::number("2147483648")) == Kinds{Kind::number, Kind::int64, Kind::real});
    CHECK(kinds_of(Value::number("0.5")) == Kinds{Kind::number, Kind::real});
    CHECK(kinds_of(Value::real(0.1)) == Kinds{Kind::real, Kind::number});
}

TEST_CASE("a number that a real would round is not looked for as one") {
    CHECK(kinds_of(Value::number("0.10000000000000000001")) == Kinds{Kind::number});
    CHECK(kinds_of(Value::number("9007199254740993")) == Kinds{Kind::number, Kind::int64});
    CHECK(kinds_of(Value::number("1e999")) == Kinds{Kind::number});
    CHECK(kinds_of(Value::number("1e-999")) == Kinds{Kind::number});
}

TEST_CASE("what is no decimal number is looked for as it is") {
    CHECK(kinds_of(Value::real(std::nan(""))) == Kinds{Kind::real});
    CHECK(kinds_of(Value::real(std::numeric_limits<double>::infinity())) == Kinds{Kind::real});
    CHECK(kinds_of(Value::real(-std::numeric_limits<double>::infinity())) == Kinds{Kind::real});
}
