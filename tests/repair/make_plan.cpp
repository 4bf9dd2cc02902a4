// From findings to operations.
//
// Promised: each kind of finding becomes the one operation that mends it, or one for a person with
// the reason; adds come before deletes, and a delete waits for every add of its base row; no two
// operations write one key. Method: findings written out by hand, plans compared as words.

#include <algorithm>
#include <functional>
#include <set>

#include <catch2/catch.hpp>

#include "repair/make_plan.hpp"
#include "store/error.hpp"

using namespace idxfsck;
using audit::Finding;
using audit::FindingKind;
using audit::Reason;
using store::Value;

namespace {

store::Key key(const std::string& text) { return {Value::text(text)}; }

audit::SeenRow seen(const std::string& table, const std::string& id) {
    return {table, key(id), true, "digest", "1"};
}

Finding finding(FindingKind kind, Reason reason, const std::string& at, const std::string& user) {
    Finding made;
    made.index = "by-email";
    made.kind = kind;
    made.reason = reason;
    made.entry.key = key(at);
    made.entry.pointer = key(user);
    made.base = seen("Users", user);
    made.index_row = seen("ByEmail", at);
    audit::set_id(made);
    return made;
}

Finding orphan(const std::string& at, const std::string& user,
               Reason reason = Reason::entry_missing) {
    return finding(FindingKind::orphaned_write, reason, at, user);
}

Finding stale(const std::string& at, const std::string& user,
              Reason reason = Reason::base_missing) {
    return finding(FindingKind::stale_pointer, reason, at, user);
}

Finding elsewhere(const std::string& at, const std::string& user, const std::string& holder) {
    Finding made = orphan(at, user, Reason::entry_elsewhere);
    made.holder_row = seen("Users", holder);
    return made;
}

Finding conflict(FindingKind kind, const std::string& at, std::vector<std::string> claimants) {
    Finding made = finding(kind, Reason::none, at, claimants.front());
    made.base.reset();
    for (const std::string& claimant : claimants) made.claimants.push_back(key(claimant));
    made.holder = key(claimants.front());
    return made;
}

Finding unclaimed(const std::string& at) {
    Finding made = stale(at, "", Reason::unclaimed);
    made.entry.pointer.clear();
    made.base.reset();
    return made;
}

audit::Spec spec_with(const std::function<void(audit::IndexSpec&)>& change = {}) {
    audit::Spec spec;
    spec.digest = "spec";
    spec.bases.resize(1);
    spec.bases[0].name = "user";
    spec.bases[0].store = "main";
    spec.bases[0].table = "Users";
    spec.indexes.resize(1);
    spec.indexes[0].name = "by-email";
    spec.indexes[0].of = "user";
    spec.indexes[0].table = "ByEmail";
    if (change) change(spec.indexes[0]);
    return spec;
}

audit::AuditResult result_of(std::vector<Finding> findings) {
    audit::AuditResult result;
    result.spec_digest = "spec";
    result.coverage.tables = {{"main", "Users", 4, 4, 10, 0, 0},
                              {"main", "ByEmail", 4, 4, 9, 0, 0}};
    result.findings = std::move(findings);
    return result;
}

std::string text_of(const std::vector<Value>& values) {
    return values.empty() ? "" : values.front().payload;
}

// "put_entry a -> u1", and " after a" for each key whose operation it waits for.
std::string word(const repair::Plan& plan, const repair::Operation& operation) {
    std::string words{repair::operation_name(operation.kind)};
    words += " " + text_of(operation.entry.key) + " -> " + text_of(operation.entry.pointer);
    if (operation.holder) words += " from " + text_of(operation.holder->key);
    for (const std::string& id : operation.after) {
        for (const repair::Operation& other : plan.operations) {
            if (other.id == id) words += " after " + text_of(other.entry.key);
        }
    }
    if (operation.kind == repair::OperationKind::manual) words += ": " + operation.why;
    return words;
}

using Words = std::vector<std::string>;

Words words(const repair::Plan& plan) {
    Words all;
    for (const repair::Operation& operation : plan.operations) all.push_back(word(plan, operation));
    return all;
}

Words plan_of(std::vector<Finding> findings, const audit::Spec& spec = spec_with(),
              const repair::PlanOptions& options = {}) {
    return words(repair::make_plan(spec, result_of(std::move(findings)), options));
}

void as_list(audit::IndexSpec& index) { index.container.kind = audit::ContainerKind::list; }

}  // namespace

TEST_CASE("each kind of finding becomes the operation that mends it") {
    CHECK(plan_of({orphan("a", "u1")}) == Words{"put_entry a -> u1"});
    for (const Reason reason : {Reason::base_missing, Reason::base_exempt, Reason::value_changed,
                                Reason::redundant}) {
        CHECK(plan_of({stale("a", "u1", reason)}) == Words{"delete_entry a -> u1"});
    }
    CHECK(plan_of({finding(FindingKind::divergent_copy, Reason::none, "a", "u1")}) ==
          Words{"fix_copies a -> u1"});
    CHECK(plan_of({}).empty());
}

TEST_CASE("in a container the member is added or taken out, not the row") {
    CHECK(plan_of({orphan("a", "u1"), stale("a", "u2")}, spec_with(as_list)) ==
          Words{"add_member a -> u1", "remove_member a -> u2"});
}

TEST_CASE("what cannot be written safely is for a person, with the reason") {
    CHECK(plan_of({stale("a", "u1", Reason::base_partial)}) ==
          Words{"manual a -> u1: the base row is there but lacks what makes it real"});
    CHECK(plan_of({conflict(FindingKind::duplicate_claim, "a", {"u1", "u2"})}) ==
          Words{"manual a -> u1: several base rows claim this key"});
    CHECK(plan_of({conflict(FindingKind::collision, "a", {"u1", "u2"})}) ==
          Words{"manual a -> u1: several base rows overwrite each other at this key"});
    CHECK(plan_of({finding(FindingKind::unindexable, Reason::none, "", "u1")}) ==
          Words{"manual  -> u1: the base value cannot be a key of the index"});
    CHECK(plan_of({finding(FindingKind::malformed_entry, Reason::none, "a", "")}) ==
          Words{"manual a -> : the index row cannot be read as an entry"});
    Finding nameless = orphan("a", "u1");
    nameless.base.reset();
    CHECK(plan_of({nameless}) == Words{"manual a -> u1: the finding names no base row"});
}

TEST_CASE("a read-only index is reported and never written") {
    const audit::Spec spec = spec_with([](audit::IndexSpec& index) { index.read_only = true; });
    for (const Finding& one : {orphan("a", "u1"), stale("a", "u1"),
                               finding(FindingKind::divergent_copy, Reason::none, "a", "u1")}) {
        CHECK(plan_of({one}, spec) == Words{"manual a -> u1: the index is read-only in the spec"});
    }
}

TEST_CASE("a claim without a pointer is deleted only if writers claim by insert") {
    CHECK(plan_of({unclaimed("a")}) ==
          Words{"manual a -> : the entry names no base row, and the spec does not say "
                "claim_by_insert"});
    CHECK(plan_of({unclaimed("a")}, spec_with([](audit::IndexSpec& index) {
              index.claim_by_insert = true;
          })) == Words{"delete_entry a -> "});
}

TEST_CASE("a stale holder and the row that claims its key are one compare-and-set") {
    CHECK(plan_of({elsewhere("a", "u1", "u2"), stale("a", "u2")}) ==
          Words{"replace_entry a -> u1 from u2"});
    CHECK(plan_of({elsewhere("a", "u1", "u2")}) ==
          Words{"manual a -> u1: the key names another base row that was not found to be wrong"});
    CHECK(plan_of({elsewhere("a", "u1", "u2"), stale("a", "u2", Reason::base_partial)}) ==
          Words{"manual a -> u1: the key names a base row that lacks what makes it real",
                "manual a -> u2: the base row is there but lacks what makes it real"});
}

TEST_CASE("a key whose row cannot be read is for a person, a container may still take a member") {
    CHECK(plan_of({orphan("a", "u1", Reason::entry_elsewhere)}) ==
          Words{"manual a -> u1: the row at the key names no base row"});
    CHECK(plan_of({orphan("a", "u1", Reason::entry_elsewhere)}, spec_with(as_list)) ==
          Words{"add_member a -> u1"});
}

TEST_CASE("two rows that swapped their values are two replaces that wait for nothing") {
    CHECK(plan_of({elsewhere("a", "u2", "u1"), elsewhere("b", "u1", "u2"),
                   stale("a", "u1", Reason::value_changed),
                   stale("b", "u2", Reason::value_changed)}) ==
          Words{"replace_entry a -> u2 from u1", "replace_entry b -> u1 from u2"});
}

TEST_CASE("the delete of a move waits for every add of its base row, adds come first") {
    CHECK(plan_of({stale("a", "u1", Reason::value_changed), orphan("b", "u1"), orphan("c", "u2"),
                   orphan("d", "u1"),
                   finding(FindingKind::divergent_copy, Reason::none, "e", "u3"),
                   elsewhere("f", "u1", "u4"), stale("f", "u4")}) ==
          Words{"put_entry b -> u1", "put_entry c -> u2", "put_entry d -> u1",
                "replace_entry f -> u1 from u4", "fix_copies e -> u3",
                "delete_entry a -> u1 after b after d after f"});
}

TEST_CASE("a delete whose add is for a person is for a person too") {
    CHECK(plan_of({stale("a", "u1", Reason::value_changed),
                   conflict(FindingKind::duplicate_claim, "b", {"u1", "u2"})}) ==
          Words{"manual a -> u1: its base row claims a key that it cannot have, or that others "
                "claim too",
                "manual b -> u1: several base rows claim this key"});
    CHECK(plan_of({stale("a", "u1", Reason::value_changed), elsewhere("b", "u1", "u2")}) ==
          Words{"manual b -> u1: the key names another base row that was not found to be wrong",
                "manual a -> u1: its base row needs an entry that a person has to decide on "
                "first"});
    CHECK(plan_of({stale("a", "u1", Reason::value_changed),
                   finding(FindingKind::unindexable, Reason::none, "", "u1")})
              .front()
              .starts_with("manual a -> u1"));
}

TEST_CASE("nothing is written at a key that several base rows claim") {
    CHECK(plan_of({conflict(FindingKind::duplicate_claim, "a", {"u1", "u2"}), stale("a", "u3")}) ==
          Words{"manual a -> u3: several base rows claim this key",
                "manual a -> u1: several base rows claim this key"});
}

TEST_CASE("two operations never write one key") {
    CHECK(plan_of({orphan("a", "u1"), orphan("a", "u2")}) ==
          Words{"put_entry a -> u1",
                "manual a -> u2: another operation writes this key: audit again after it"});
}

TEST_CASE("in a container whose members have names, one name is one place") {
    const auto by_name = [](audit::IndexSpec& index) {
        index.container.kind = audit::ContainerKind::columns;
    };
    Finding add = orphan("a", "google");
    add.entry.pointer.push_back(Value::text("new"));
    Finding old = stale("a", "google");
    old.entry.pointer.push_back(Value::text("old"));
    Finding other = stale("a", "github");
    CHECK(plan_of({add, old, other}, spec_with(by_name)) ==
          Words{"replace_entry a -> google from google", "remove_member a -> github"});
}

TEST_CASE("no deletes are planned from an incomplete scan of the base table") {
    const std::vector<Finding> findings{orphan("a", "u1"), elsewhere("b", "u2", "u3"),
                                        stale("b", "u3"), stale("c", "u4")};
    const std::string why =
        "the base table was not read completely: no deletes are planned from it";
    const Words expected{"put_entry a -> u1", "manual b -> u2: " + why, "manual b -> u3: " + why,
                         "manual c -> u4: " + why};
    audit::AuditResult result = result_of(findings);
    result.coverage.gaps = {{"Users", "segment 1", "timeout"}};
    CHECK(words(repair::make_plan(spec_with(), result, {})) == expected);
    result = result_of(findings);
    result.coverage.doubts = {{"base user", "no row matched", ""}};
    CHECK(words(repair::make_plan(spec_with(), result, {})) == expected);
    result = result_of(findings);
    result.coverage.tables[0].partitions_read = 3;
    CHECK(words(repair::make_plan(spec_with(), result, {})) == expected);
    result = result_of(findings);
    result.coverage.tables[0].rows_damaged = 1;
    CHECK(words(repair::make_plan(spec_with(), result, {})) == expected);
    result = result_of(findings);
    result.coverage.gaps = {{"ByEmail", "segment 1", "timeout"}};
    CHECK(words(repair::make_plan(spec_with(), result, {})).size() == 3);
}

TEST_CASE("the options of plan leave operations out, and count them") {
    const auto findings = result_of({stale("a", "u1", Reason::value_changed), orphan("b", "u1"),
                                     orphan("c", "u2"), stale("d", "u3"),
                                     conflict(FindingKind::collision, "e", {"u4", "u5"})});
    repair::PlanOptions options;
    options.no_deletes = true;
    repair::Plan plan = repair::make_plan(spec_with(), findings, options);
    CHECK(words(plan).size() == 3);
    CHECK(plan.header.left_out == 2);
    CHECK(plan.header.deletes == 0);

    options = {};
    options.kinds = {FindingKind::stale_pointer};
    plan = repair::make_plan(spec_with(), findings, options);
    // The delete of the move is left out with the add that it waits for.
    CHECK(words(plan) == Words{"delete_entry d -> u3"});
    CHECK(plan.header.left_out == 4);

    options = {};
    options.limit = 2;
    plan = repair::make_plan(spec_with(), findings, options);
    CHECK(words(plan) == Words{"put_entry b -> u1", "put_entry c -> u2",
                               "manual e -> u4: several base rows overwrite each other at this "
                               "key"});
}

TEST_CASE("the header says what the plan was made from") {
    audit::AuditResult result = result_of({stale("a", "u1"), orphan("b", "u2")});
    result.stores = {{"main", "identity"}};
    result.coverage.indexes.resize(2);
    result.coverage.indexes[0].entries_held = 7;
    result.coverage.indexes[1].entries_held = 8;
    repair::PlanOptions options;
    options.now_ms = 1000;
    options.tool_version = "0.1.0";
    options.spec_file = "shop.toml";
    const repair::PlanHeader header = repair::make_plan(spec_with(), result, options).header;
    CHECK(header.entries_held == 15);
    CHECK(header.operations == 2);
    CHECK(header.deletes == 1);
    CHECK(header.findings == 2);
    CHECK(header.stores == result.stores);
    CHECK(header.created_ms == 1000);
    CHECK(header.expires_ms == 1000 + 7LL * 24 * 60 * 60 * 1000);
}

TEST_CASE("a plan is the same for every order of the findings, and ids differ") {
    std::vector<Finding> findings{stale("a", "u1", Reason::value_changed), orphan("b", "u1"),
                                  elsewhere("c", "u2", "u3"), stale("c", "u3"),
                                  conflict(FindingKind::collision, "e", {"u4", "u5"})};
    const repair::Plan plan = repair::make_plan(spec_with(), result_of(findings), {});
    std::reverse(findings.begin(), findings.end());
    CHECK(repair::make_plan(spec_with(), result_of(findings), {}) == plan);
    std::set<std::string> ids;
    for (const repair::Operation& operation : plan.operations) {
        CHECK(operation.id.size() == 16);
        ids.insert(operation.id);
    }
    CHECK(ids.size() == plan.operations.size());
}

TEST_CASE("an audit of another spec makes no plan") {
    audit::AuditResult result = result_of({});
    result.spec_digest = "another";
    CHECK_THROWS_AS(repair::make_plan(spec_with(), result, {}), store::Error);
}
