// Promised: where the short way of a row says something, it is what the long way says: one entry,
// of the same bytes. And the templates that people write most take it.
// Method: many specs, rows of random values of every kind, both ways side by side.

#include <random>

#include <catch2/catch.hpp>

#include "audit/entry_bytes.hpp"
#include "audit/language/ascii_case.hpp"
#include "tests/audit/language_tables.hpp"

using namespace idxfsck;
using store::Bytes;
using store::Value;

namespace {

std::string random_text(std::mt19937_64& random) {
    const std::string letters = "aZ@[`{ 0#\xc3\xa9.";
    const std::size_t sizes[] = {0, 1, 3, 7, 8, 9, 16, 40, 190, 191, 192, 300};
    std::string text(sizes[random() % 12], '\0');
    for (char& letter : text) letter = letters[random() % letters.size()];
    return text;
}

Value random_value(std::mt19937_64& random) {
    switch (random() % 16) {
        case 0: return Value::null();
        case 1: return Value::boolean(random() % 2 == 0);
        case 2: return Value::int64(static_cast<std::int64_t>(random() % 9));
        case 3: return Value::real(1.5);
        case 4: return Value::number("2.50");
        case 5: return Value::binary(random_text(random));
        case 6: return Value::guid(Bytes(16, 'g'));
        case 7:
        case 8: return Value::list({Value::text("a"), Value::number("1.0")});
        default: return Value::text(random_text(random));
    }
}

std::vector<store::NamedValue> random_attributes(std::mt19937_64& random) {
    std::vector<store::NamedValue> attributes;
    for (const char* name : {"A", "B", "C", "Id"}) {
        if (random() % 5 != 0) attributes.push_back({name, random_value(random)});
    }
    return attributes;
}

// The bytes of the one entry that the long way gives; nothing if it gives none, several or damage.
struct OneEntry : audit::EntrySink {
    std::optional<Bytes> bytes;
    std::size_t calls = 0;

    void entry(const audit::EntryView& entry) override {
        ++calls;
        Bytes made;
        audit::append_entry_bytes(made, entry, true);
        bytes = std::move(made);
    }
    void damage(audit::Damage, store::BytesView) override { ++calls; }
};

struct Sides {
    std::size_t derived = 0;  // rows that took the short way
    std::size_t decoded = 0;
};

void check_derive(const audit::Programs& programs, const store::Row& row, Sides& sides) {
    const audit::TableProgram& table = programs.tables[programs.bases[0].table];
    const audit::IndexProgram& index = *programs.indexes[0].program;
    store::Projector projector{table.schema.key, table.projection};
    const store::RowView view = projector.project(row);
    audit::EntryBytes quick;
    audit::Scratch scratch;
    const bool put = index.quick_derive() && quick.put(*index.quick_derive(), view);
    OneEntry slow;
    const audit::Derived derived = index.derive(view, scratch, slow);
    const audit::Derived screened = index.screen(view, scratch);
    if (screened != audit::Derived::entries) {
        REQUIRE(screened == derived);
    } else if (put) {
        REQUIRE(slow.calls == 1);
        REQUIRE(slow.bytes == Bytes{quick.view()});
        ++sides.derived;
    }
}

void check_decode(const audit::Programs& programs, const store::Row& row, Sides& sides) {
    const audit::TableProgram& table = programs.tables[programs.indexes[0].table];
    const audit::IndexProgram& index = *programs.indexes[0].program;
    store::Projector projector{table.schema.key, table.projection};
    const store::RowView view = projector.project(row);
    audit::EntryBytes quick;
    audit::Scratch scratch;
    if (index.owns_every_row()) REQUIRE(index.owns(view, scratch));
    if (!index.owns(view, scratch) || !index.quick_decode()) return;
    if (!quick.put(*index.quick_decode(), view)) return;
    OneEntry slow;
    index.decode(view, scratch, slow);
    REQUIRE(slow.calls == 1);
    REQUIRE(slow.bytes == Bytes{quick.view()});
    ++sides.decoded;
}

// The key of the index's table takes `taken`, that of the base's `base`; absent: any.
struct Kinds {
    store::Kind base = store::Kind::absent;
    store::Kind taken = store::Kind::absent;
};

std::vector<store::Kind> one_kind(store::Kind kind) {
    if (kind == store::Kind::absent) return {};
    return {kind};
}

Sides check(const std::string& text, const store::KeyLimits& limits, Kinds kinds = {}) {
    tests::Language language{tests::users_spec(text),
                             {{"Users", {"UserId"}, one_kind(kinds.base)},
                              {"Index", {"K"}, one_kind(kinds.taken)}},
                             limits};
    std::mt19937_64 random{7};
    Sides sides;
    for (int number = 0; number < 3000; ++number) {
        Value key = random_value(random);
        if (store::is_container(key.kind)) key = Value::text("E#a#" + random_text(random));
        const store::Row row{{key},
                             store::encode_attributes(random_attributes(random)),
                             {}};
        check_derive(language.programs(), row, sides);
        check_decode(language.programs(), row, sides);
    }
    return sides;
}

}  // namespace

TEST_CASE("the short way of a row says what the long way says") {
    const std::string pointer = "pointer = { Id = \"{UserId}\" }\n";
    struct Case {
        std::string text;
        bool derives;
        bool decodes;
    };
    const auto [text, derives, decodes] = GENERATE_COPY(values<Case>({
        {"key = { K = \"{A}\" }\n" + pointer, true, true},
        {"key = { K = \"{A|lower}\" }\n" + pointer, true, true},
        {"key = { K = \"E#{A|lower}#{B}\" }\n" + pointer, true, true},
        {"key = { K = \"{A}\" }\npointer = { Id = \"u-{B}\" }\n", true, true},
        {"key = { K = \"{A}\" }\npointer = { Id = \"{UserId}\", K = \"{A}\" }\n", true, true},
        {"key = { K = \"{A}\" }\ncopies = { B = \"{B}\", N = \"{C|lower}\" }\n" + pointer, true,
         true},
        {"key = { K = \"{A}\" }\nconstants = { T = \"e\" }\n" + pointer, true, true},
        {"key = { K = \"{A}\" }\nwhen = 'exists(B) and A != \"a\"'\n" + pointer, true, true},
        {"key = { K = \"{A}\" }\ncovers = 'exists(B)'\n" + pointer, true, true},
        {"key = { K = \"{A}\" }\n", true, true},
        {"key = { K = \"{A|trim}\" }\n" + pointer, false, true},
        {"key = { K = \"{@item}\" }\neach = \"{A}\"\n" + pointer, false, true},
        {"key = { K = \"{A}\" }\ncopies = \"all\"\n" + pointer, false, false},
    }));
    CAPTURE(text);
    store::KeyLimits limits;
    const int limited = GENERATE(0, 1, 2);
    if (limited == 1) limits.bytes_max = 40;
    if (limited == 2) limits.forbidden = "#";
    CAPTURE(limited);
    const Sides sides = check(text, limits);
    // So many that the rows of each kind were met; none where a look at each character is needed.
    CHECK((sides.derived > 20) == (derives && limited != 2));
    CHECK((sides.decoded > 20) == (decodes && limited != 2));
}

TEST_CASE("of a key that takes one kind the short way says nothing of values of others") {
    using store::Kind;
    const std::string pointer = "pointer = { Id = \"{UserId}\" }\n";
    for (const Kind base : {Kind::absent, Kind::text, Kind::number, Kind::binary}) {
        for (const Kind taken : {Kind::text, Kind::number, Kind::binary}) {
            CAPTURE(base, taken);
            const Sides sides = check("key = { K = \"{A}\" }\n" + pointer, {}, {base, taken});
            CHECK(sides.derived > 20);
            CHECK(sides.decoded > 0);
        }
    }
    const std::string joined = "key = { K = \"E#{A|lower}\" }\n";
    CHECK(check(joined + pointer, {}, {Kind::text, Kind::text}).derived > 20);
}

TEST_CASE("ASCII text of every size is made lower case as the plain loop does it") {
    std::mt19937_64 random{3};
    for (std::size_t size = 0; size < 70; ++size) {
        for (int round = 0; round < 20; ++round) {
            std::string from(size, '\0');
            for (char& letter : from) letter = static_cast<char>(random() % 128);
            if (round == 19 && size > 0) from[random() % size] = '\xc3';
            std::string expected;
            for (const char letter : from) {
                const bool capital = letter >= 'A' && letter <= 'Z';
                expected += static_cast<char>(capital ? letter + 32 : letter);
            }
            std::string to(size, '?');
            const bool ascii = audit::language::lower_ascii(to.data(), from.data(), size);
            REQUIRE(ascii == (round != 19 || size == 0));
            if (ascii) REQUIRE(to == expected);
        }
    }
}
