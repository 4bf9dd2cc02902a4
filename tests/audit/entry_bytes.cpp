// Entry bytes are equal if and only if the entries are, numbers compared as numbers.

#include <map>
#include <random>

#include <catch2/catch.hpp>

#include "audit/entry_queue.hpp"
#include "audit/fingerprint.hpp"

using namespace idxfsck;
using store::Value;

namespace {

audit::Entry entry_of(std::vector<Value> key, std::vector<Value> pointer = {},
                      std::vector<store::NamedValue> copies = {}) {
    audit::Entry entry;
    entry.key = std::move(key);
    entry.pointer = std::move(pointer);
    entry.copies = std::move(copies);
    return entry;
}

store::Bytes bytes_of(const audit::Entry& entry) {
    store::Bytes bytes;
    audit::append_entry_bytes(bytes, audit::EntryLoan{entry}.view(), true);
    return bytes;
}

}  // namespace

TEST_CASE("one number in any spelling and kind is one entry, and text is another") {
    const auto one = bytes_of(entry_of({Value::number("1")}));
    CHECK(bytes_of(entry_of({Value::number("1.0")})) == one);
    CHECK(bytes_of(entry_of({Value::number("1e0")})) == one);
    CHECK(bytes_of(entry_of({Value::number("0.1E1")})) == one);
    CHECK(bytes_of(entry_of({Value::int32(1)})) == one);
    CHECK(bytes_of(entry_of({Value::int64(1)})) == one);
    CHECK(bytes_of(entry_of({Value::real(1)})) == one);
    CHECK(bytes_of(entry_of({Value::text("1")})) != one);
    CHECK(bytes_of(entry_of({Value::binary("1")})) != one);
    CHECK(bytes_of(entry_of({Value::boolean(true)})) != one);
}

TEST_CASE("numbers inside lists and maps are one as well") {
    const auto list = [](Value inner) { return bytes_of(entry_of({Value::list({inner})})); };
    CHECK(list(Value::number("2.50")) == list(Value::number("2.5")));
    CHECK(list(Value::number("2.5")) != list(Value::text("2.5")));
    const auto map = [](Value inner) { return bytes_of(entry_of({Value::map({{"a", inner}})})); };
    CHECK(map(Value::int32(3)) == map(Value::number("3.0")));
    CHECK(map(Value::int32(3)) != list(Value::int32(3)));
}

TEST_CASE("where one part ends and the next begins is part of the bytes") {
    const Value a = Value::text("a");
    const Value b = Value::text("b");
    const Value ab = Value::text("ab");
    const Value empty = Value::text("");
    const std::vector<audit::Entry> entries{
        entry_of({ab}),        entry_of({a, b}),          entry_of({a}, {b}),
        entry_of({empty, ab}), entry_of({ab, empty}),     entry_of({ab}, {empty}),
        entry_of({a}),         entry_of({a, empty}),      entry_of({Value::null()}),
        entry_of({empty}),     entry_of({a}, {}, {{"b", empty}}),
        entry_of({a}, {}, {{"", b}}), entry_of({a}, {b}, {{"c", a}}),
    };
    std::map<store::Bytes, std::size_t> seen;
    for (std::size_t index = 0; index < entries.size(); ++index) {
        const auto [place, is_new] = seen.emplace(bytes_of(entries[index]), index);
        INFO(index << " and " << place->second);
        CHECK(is_new);
    }
}

TEST_CASE("every length of text is copied whole") {
    std::mt19937_64 random{5};
    for (std::size_t size = 0; size < 300; ++size) {
        std::string text(size, '\0');
        for (char& character : text) character = static_cast<char>(random());
        const store::Bytes bytes = bytes_of(entry_of({Value::text(text)}));
        CAPTURE(size);
        REQUIRE(bytes.find(text) != std::string::npos);
        REQUIRE(bytes.size() >= size + 2);
    }
}

TEST_CASE("the fingerprint depends on the seed, the entry and its copies") {
    audit::Fingerprinter one{1};
    audit::Fingerprinter two{2};
    const audit::Entry plain = entry_of({Value::text("a")}, {Value::text("u")});
    const audit::Entry copied =
        entry_of({Value::text("a")}, {Value::text("u")}, {{"n", Value::text("x")}});
    const audit::EntryLoan plain_loan{plain};
    const audit::EntryLoan copied_loan{copied};
    CHECK(one.of(plain_loan.view()) == one.of(plain_loan.view()));
    CHECK(one.of(plain_loan.view()) != two.of(plain_loan.view()));
    CHECK(one.of(plain_loan.view()) != one.of(copied_loan.view()));
}

namespace {

struct Arrived {
    audit::Side side;
    audit::Fingerprint fingerprint;
    audit::Place place;
    store::Bytes bytes;

    friend bool operator==(const Arrived&, const Arrived&) = default;
};

struct KeepingLane : audit::Lane {
    void add(audit::Side side, const audit::Fingerprint& fingerprint, audit::Place place,
             store::BytesView bytes) override {
        arrived.push_back({side, fingerprint, place, store::Bytes{bytes}});
    }

    std::vector<Arrived> arrived;
};

}  // namespace

TEST_CASE("entries that wait to be hashed all reach their lanes, as they came") {
    constexpr std::uint64_t seed = 7;
    for (const std::size_t count : {0, 1, 15, 16, 17, 100}) {
        audit::EntryQueue queue{seed};
        KeepingLane lanes[2];
        std::vector<Arrived> expected[2];
        for (std::size_t number = 0; number < count; ++number) {
            const audit::Entry entry =
                entry_of({Value::text(std::string(number * 7, 'k'))}, {Value::text("u")});
            const audit::EntryLoan loan{entry};
            const audit::Side side = number % 3 == 0 ? audit::Side::index : audit::Side::base;
            queue.add(loan.view(), {&lanes[number % 2], side, {number}});
            expected[number % 2].push_back({side, audit::Fingerprinter{seed}.of(loan.view()),
                                            {number}, bytes_of(entry)});
        }
        queue.flush();
        queue.flush();
        CAPTURE(count);
        REQUIRE(lanes[0].arrived == expected[0]);
        REQUIRE(lanes[1].arrived == expected[1]);
    }
}
