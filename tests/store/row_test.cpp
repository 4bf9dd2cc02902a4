// Rows, attributes and projections (store/row.hpp), and the digest of a row. Promised: attributes
// are sorted, each once; a projection finds what is there and nothing else; damage is said. Method:
// rows written out; a plain map as the oracle for random edits; every truncation.

#include <catch2/catch.hpp>

#include <map>
#include <random>

#include "store/digest.hpp"
#include "store/row.hpp"

using namespace idxfsck::store;

namespace {

const std::vector<Bytes> key_names{"id", "part"};

Row user() {
    Row row;
    row.key = {Value::text("u1"), Value::int32(2)};
    row.attributes = encode_attributes({{"name", Value::text("Ann")},
                                        {"email", Value::text("ann@x.org")},
                                        {"age", Value::int32(40)}});
    row.version = "7";
    return row;
}

}  // namespace

TEST_CASE("attributes are sorted, the last of two wins, absent ones are left out") {
    const Bytes encoded = encode_attributes({{"b", Value::int32(1)},
                                             {"a", Value::null()},
                                             {"b", Value::int32(2)},
                                             {"c", Value{}},
                                             {"", Value::text("")}});
    const std::vector<NamedValue> expected{
        {"", Value::text("")}, {"a", Value::null()}, {"b", Value::int32(2)}};
    REQUIRE(decode_attributes(encoded) == expected);
    REQUIRE(well_formed(encoded));
    REQUIRE(well_formed(""));
    REQUIRE(encode_attributes({}).empty());
}

TEST_CASE("setting attributes agrees with a map") {
    const unsigned seed = std::random_device{}();
    CAPTURE(seed);
    std::mt19937 random{seed};
    for (int round = 0; round < 200; ++round) {
        Row row;
        std::map<Bytes, Value> oracle;
        for (int step = 0; step < 30; ++step) {
            const Bytes name(random() % 3, static_cast<char>('a' + random() % 3));
            const bool remove = random() % 3 == 0;
            const Value value = remove ? Value{} : Value::int32(static_cast<int>(random() % 100));
            row.set(name, value);
            oracle.erase(name);
            if (!remove) oracle.emplace(name, value);
            std::vector<NamedValue> expected;
            for (const auto& [known, held] : oracle) expected.push_back({known, held});
            REQUIRE(decode_attributes(row.attributes) == expected);
            REQUIRE(row.attribute(name).has_value() == !remove);
        }
    }
}

TEST_CASE("a projection gives each name its slot") {
    Projection wanted;
    REQUIRE(wanted.slot("name") == 0);
    REQUIRE(wanted.slot("part") == 1);
    REQUIRE(wanted.slot("missing") == 2);
    REQUIRE(wanted.slot("age") == 3);
    REQUIRE(wanted.slot("name") == 0);
    Projector projector{key_names, wanted};
    const Row row = user();
    const RowView view = projector.project(row);
    REQUIRE(view.slots.size() == 4);
    REQUIRE(view.slots[0] == Value::text("Ann").view());
    REQUIRE(view.slots[1] == Value::int32(2).view());
    REQUIRE_FALSE(view.slots[2].present());
    REQUIRE(view.slots[3] == Value::int32(40).view());
    REQUIRE(view.key.size() == 2);
    REQUIRE(view.version == "7");
    REQUIRE_FALSE(projector.damaged());

    const Row bare{{Value::text("u2"), Value::null()}, {}, {}};
    const RowView next = projector.project(bare);
    REQUIRE_FALSE(next.slots[0].present());
    REQUIRE(next.slots[1].kind == Kind::null);
    REQUIRE_FALSE(next.slots[3].present());
}

TEST_CASE("a projection of all sees damage anywhere, one of names up to the last") {
    const Row row = user();
    Projection all;
    all.all = true;
    Projector every{key_names, all};
    Projection age;
    age.slot("age");
    Projector first{key_names, age};
    const std::vector<ValueView> key{row.key.begin(), row.key.end()};
    std::size_t whole = 0;
    for (std::size_t size = 0; size < row.attributes.size(); ++size) {
        const BytesView cut = BytesView{row.attributes}.substr(0, size);
        static_cast<void>(every.project(key, cut, {}));
        REQUIRE(every.damaged() == !well_formed(cut));
        whole += well_formed(cut) ? 1 : 0;
    }
    REQUIRE(whole == 3);
    static_cast<void>(first.project(key, row.attributes + "\x7f", {}));
    REQUIRE_FALSE(first.damaged());
    static_cast<void>(every.project(key, row.attributes + "\x7f", {}));
    REQUIRE(every.damaged());
}

TEST_CASE("names out of order or twice are damage: a search by name would miss them") {
    const Bytes a = encode_attributes({{"a", Value::null()}});
    const Bytes b = encode_attributes({{"b", Value::null()}});
    const Bytes none = encode_attributes({{"", Value::null()}});
    REQUIRE(well_formed(a + b));
    REQUIRE(well_formed(none + a));
    REQUIRE_FALSE(well_formed(b + a));
    REQUIRE_FALSE(well_formed(a + a));
    REQUIRE_FALSE(well_formed(a + none));
    REQUIRE_FALSE(well_formed(none + none));
}

TEST_CASE("the digest of a row is of its key and attributes, not its version") {
    const Row row = user();
    REQUIRE(row_digest(row).size() == 32);
    Row newer = row;
    newer.version = "8";
    REQUIRE(row_digest(newer) == row_digest(row));
    Row other = row;
    other.set("age", Value::int32(41));
    REQUIRE(row_digest(other) != row_digest(row));
    Row moved = row;
    moved.key[1] = Value::int32(3);
    REQUIRE(row_digest(moved) != row_digest(row));
    // Of the empty input, as the xxHash project states it.
    REQUIRE(digest("") == "99aa06d3014798d86001c324468d497f");
}
