// What an operation comes to, given what the live rows say.
//
// Promised: nothing is written unless the live base row calls for it (or, to take out, does not),
// the index row is as the operation takes it to be, and no entry that a live base row calls for is
// pushed out. Method: a table; each line is one state of the rows, its action written beside it by
// hand.

#include <catch2/catch.hpp>

#include "repair/decide.hpp"

using namespace idxfsck;
using repair::Action;
using repair::OperationKind;

namespace {

audit::Entry entry(const std::string& key, const std::string& pointer,
                   const std::string& copy = "") {
    audit::Entry made;
    made.key = {store::Value::text(key)};
    if (!pointer.empty()) made.pointer = {store::Value::text(pointer)};
    if (!copy.empty()) made.copies = {{"Name", store::Value::text(copy)}};
    return made;
}

audit::SeenRow user(const std::string& id) {
    return {"Users", {store::Value::text(id)}, true, "", ""};
}

repair::BaseEvidence real(std::vector<audit::Entry> entries) {
    return {true, audit::RowClass::real, std::move(entries)};
}

repair::IndexEvidence row_with(std::vector<audit::Entry> held) {
    return {true, true, true, false, true, std::move(held)};
}

repair::Displaced displaced(const std::string& holder, repair::BaseEvidence base) {
    return {entry("k", holder), store::Key{store::Value::text(holder)}, std::move(base)};
}

repair::Operation operation(OperationKind kind) {
    repair::Operation made;
    made.kind = kind;
    made.index = "by-email";
    made.entry = entry("k", "u1");
    made.base = user("u1");
    if (kind == OperationKind::replace_entry) made.holder = user("u2");
    return made;
}

const repair::BaseEvidence absent;
const repair::BaseEvidence partial{true, audit::RowClass::partial, {}};
const repair::BaseEvidence other{true, audit::RowClass::other, {}};
const repair::IndexEvidence no_row;
const repair::IndexEvidence foreign{true, false, true, false, false, {}};
const repair::IndexEvidence unreadable{true, true, false, false, false, {}};

struct Line {
    std::string what;
    OperationKind kind;
    repair::Evidence evidence;
    Action action;
};

void check(const std::vector<Line>& lines) {
    for (const Line& line : lines) {
        INFO(line.what);
        const repair::Decision decision =
            repair::decide(operation(line.kind), line.evidence);
        CHECK(decision.action == line.action);
        CHECK((line.action == Action::put || !decision.why.empty()));
    }
}

repair::Evidence on(repair::BaseEvidence base, repair::IndexEvidence index,
                    std::vector<repair::Displaced> pushed_out = {}) {
    repair::Evidence evidence;
    evidence.base = std::move(base);
    evidence.index = std::move(index);
    evidence.displaced = std::move(pushed_out);
    evidence.names_base = true;
    return evidence;
}

const std::vector<audit::Entry> wants{entry("k", "u1", "Ann")};

}  // namespace

TEST_CASE("an entry is put only where a real base row derives it and its place is free") {
    for (const OperationKind kind : {OperationKind::put_entry, OperationKind::add_member}) {
        check({
            {"all as planned", kind, on(real(wants), no_row), Action::put},
            {"the base row is gone", kind, on(absent, no_row), Action::superseded},
            {"it is partial", kind, on(partial, no_row), Action::superseded},
            {"it is of another kind", kind, on(other, no_row), Action::superseded},
            {"it derives another key", kind, on(real({entry("j", "u1")}), no_row),
             Action::superseded},
            {"it derives none", kind, on(real({}), no_row), Action::superseded},
            {"it is there", kind, on(real(wants), row_with(wants)), Action::already},
            {"it is there with another copy", kind,
             on(real(wants), row_with({entry("k", "u1", "Bob")})), Action::superseded},
            {"the row is of another index", kind, on(real(wants), foreign), Action::superseded},
            {"the row cannot be read", kind, on(real(wants), unreadable), Action::superseded},
            {"another base row has the key", kind,
             on(real(wants), row_with({entry("k", "u2")}), {displaced("u2", real({}))}),
             Action::superseded},
            {"the row holds other members", kind,
             on(real(wants), row_with({entry("k", "u2")})), Action::put},
        });
    }
}

TEST_CASE("a full container takes no member") {
    repair::IndexEvidence full = row_with({entry("k", "u2")});
    full.full = true;
    check({{"full", OperationKind::add_member, on(real(wants), full), Action::superseded}});
}

TEST_CASE("an entry gives way only if the base row that it names does not derive it") {
    const OperationKind kind = OperationKind::replace_entry;
    const auto held = row_with({entry("k", "u2")});
    repair::Displaced nameless = displaced("u2", absent);
    nameless.base_key.reset();
    check({
        {"the holder derives another", kind,
         on(real(wants), held, {displaced("u2", real({entry("j", "u2")}))}), Action::put},
        {"the holder is gone", kind, on(real(wants), held, {displaced("u2", absent)}), Action::put},
        {"the holder is exempt", kind, on(real(wants), held, {displaced("u2", real({}))}),
         Action::put},
        {"the entry has gone already", kind, on(real(wants), no_row), Action::put},
        {"the holder derives it again", kind,
         on(real(wants), held, {displaced("u2", real({entry("k", "u2")}))}), Action::superseded},
        {"the holder is partial", kind, on(real(wants), held, {displaced("u2", partial)}),
         Action::superseded},
        {"a third row is named now", kind, on(real(wants), held, {displaced("u3", absent)}),
         Action::superseded},
        {"the entry names no row", kind, on(real(wants), held, {nameless}), Action::superseded},
        {"two entries would go", kind,
         on(real(wants), held, {displaced("u2", absent), displaced("u3", absent)}),
         Action::superseded},
        {"it is done", kind, on(real(wants), row_with(wants)), Action::already},
        {"the base row no longer wants it", kind, on(real({}), held, {displaced("u2", absent)}),
         Action::superseded},
    });
}

TEST_CASE("in a lossy index the entry of any base row serves the key") {
    repair::Evidence evidence = on(real(wants), row_with({entry("k", "u2")}),
                                   {displaced("u2", real({entry("k", "u2")}))});
    evidence.lossy = true;
    check({{"live holder", OperationKind::put_entry, evidence, Action::already},
           {"live holder", OperationKind::replace_entry, evidence, Action::already}});
}

TEST_CASE("copies are brought up to date only in the entry that they belong to") {
    const OperationKind kind = OperationKind::fix_copies;
    check({
        {"they differ", kind, on(real(wants), row_with({entry("k", "u1", "Bob")})), Action::put},
        {"they are right", kind, on(real(wants), row_with(wants)), Action::already},
        {"the entry is gone", kind, on(real(wants), no_row), Action::superseded},
        {"the key names another", kind,
         on(real(wants), row_with({entry("k", "u2")}), {displaced("u2", absent)}),
         Action::superseded},
        {"the base row is gone", kind, on(absent, row_with({entry("k", "u1", "Bob")})),
         Action::superseded},
    });
}

TEST_CASE("copies are taken from the live base row, not from the plan") {
    const auto decision = repair::decide(operation(OperationKind::fix_copies),
                                         on(real(wants), row_with({entry("k", "u1", "Bob")})));
    REQUIRE(decision.entry == entry("k", "u1", "Ann"));
}

TEST_CASE("an entry is taken out only if the base row that it names does not derive it") {
    const auto held = row_with({entry("k", "u1", "Bob")});
    for (const OperationKind kind : {OperationKind::delete_entry, OperationKind::remove_member}) {
        repair::Evidence elsewhere = on(absent, held);
        elsewhere.names_base = false;
        check({
            {"the base row is gone", kind, on(absent, held), Action::take_out},
            {"it derives another key", kind, on(real({entry("j", "u1")}), held), Action::take_out},
            {"it is exempt", kind, on(real({}), held), Action::take_out},
            {"it is of another kind", kind, on(other, held), Action::take_out},
            {"it derives the key again", kind, on(real({entry("k", "u1")}), held),
             Action::superseded},
            {"it is partial", kind, on(partial, held), Action::superseded},
            {"the entry is gone", kind, on(absent, no_row), Action::already},
            {"the key names another row", kind, on(absent, row_with({entry("k", "u2")})),
             Action::already},
            {"the row is of another index", kind, on(absent, foreign), Action::already},
            {"the row cannot be read", kind, on(absent, unreadable), Action::superseded},
            {"the entry does not name that base row", kind, elsewhere, Action::held},
        });
    }
}

TEST_CASE("an entry that names no base row goes only if unchanged, and a look at all found none") {
    const auto verdict = [](bool as_seen, std::optional<bool> unclaimed) {
        repair::Operation claim = operation(OperationKind::delete_entry);
        claim.entry = entry("k", "");
        claim.base.reset();
        repair::Evidence evidence;
        evidence.index = row_with({entry("k", "")});
        evidence.index.as_seen = as_seen;
        evidence.still_unclaimed = unclaimed;
        return repair::decide(claim, evidence).action;
    };
    CHECK(verdict(true, true) == Action::take_out);
    CHECK(verdict(true, false) == Action::superseded);
    CHECK(verdict(true, std::nullopt) == Action::held);
    CHECK(verdict(false, true) == Action::superseded);
    CHECK(verdict(false, std::nullopt) == Action::superseded);
}

TEST_CASE("keys that are one number are one claim") {
    repair::Operation planned = operation(OperationKind::put_entry);
    planned.entry.pointer = {store::Value::number("1.0")};
    audit::Entry wanted = planned.entry;
    wanted.pointer = {store::Value::int32(1)};
    CHECK(repair::decide(planned, on(real({wanted}), no_row)).action == Action::put);
    CHECK(repair::decide(planned, on(real({wanted}), row_with({planned.entry}))).action ==
          Action::already);
}

TEST_CASE("what a person has to decide is never executed") {
    check({{"manual", OperationKind::manual, on(real(wants), no_row), Action::held}});
}

TEST_CASE("a write is still called for while the base rows say what they said") {
    using repair::Decision;
    const Decision put{Action::put, entry("k", "u1", "Ann"), ""};
    const Decision take_out{Action::take_out, entry("k", "u1", "Ann"), ""};
    const auto called_for = [](const Decision& decision, const repair::Evidence& evidence) {
        return repair::still_called_for(decision, evidence);
    };
    CHECK(called_for(put, on(real(wants), no_row)));
    CHECK_FALSE(called_for(put, on(real({entry("k", "u1", "Bob")}), no_row)));
    CHECK_FALSE(called_for(put, on(absent, no_row)));
    CHECK_FALSE(called_for(put, on(real(wants), no_row,
                                   {displaced("u2", real({entry("k", "u2")}))})));
    CHECK_FALSE(called_for(put, on(real(wants), no_row, {displaced("u2", partial)})));
    CHECK(called_for(take_out, on(absent, no_row)));
    CHECK(called_for(take_out, on(real({}), no_row)));
    CHECK_FALSE(called_for(take_out, on(real(wants), no_row)));
    CHECK_FALSE(called_for(take_out, on(partial, no_row)));
}
