// Shares that are scanned one by one and merged give the files of one audit, byte for byte.
//
// Promised: for random worlds of every shape of index, for any number of shares, threads and
// partitions, with copies of sketches among them and in any order, audit.json and findings.ndjson
// are those of an audit in one process, apart from times, shares and `snapshot`. Method: both, and
// their bytes compared.

#include <random>

#include <catch2/catch.hpp>

#include "tests/audit/shares.hpp"

using namespace idxfsck;
using audit::EngineChoice;
using tests::row_of;
using tests::text;

namespace {

// One index of each kind that an engine treats in its own way.
const std::string spec_text = R"(
[store.main]
kind = "memory"
[base.user]
store = "main"
table = "Users"
key = ["UserId"]
may_be_empty = true
[[index]]
name = "by-email"
of = "user"
store = "main"
table = "ByEmail"
key = { K = "{Email|lower}" }
pointer = { UserId = "{UserId}" }
copies = { Note = "{Note}" }
unique = true
settle = "1s"
[[index]]
name = "handle"
of = "user"
store = "main"
table = "Handles"
key = { K = "{Handle}" }
unique = true
[[index]]
name = "any-of-team"
of = "user"
store = "main"
table = "AnyOfTeam"
key = { K = "{Team}" }
pointer = { UserId = "{UserId}" }
lossy = true
[[index]]
name = "team"
of = "user"
store = "main"
table = "Teams"
key = { K = "{Team}" }
container = { list = "Ids", item = "{UserId}" }
[[index]]
name = "name"
of = "user"
store = "main"
table = "Names"
key = { K = "n2#{Name}" }
pointer = { UserId = "{UserId}" }
old_versions = "accept"
[[index.versions]]
name = "first"
key = { K = "n1#{Name}" }
)";

using Random = std::mt19937_64;

std::string one_of(Random& random, const std::vector<std::string>& texts) {
    return texts[random() % texts.size()];
}

store::Value list_of(const std::vector<std::string>& texts) {
    std::vector<store::Value> elements;
    for (const std::string& element : texts) elements.push_back(store::Value::text(element));
    return store::Value::list(elements);
}

const std::vector<std::string> ids{"u1", "u2", "u3", "u4", "u5", "u6"};
const std::vector<std::string> names{"ann", "bob", "cid", "Bob"};

void fill_users(store::MemoryStore& store, Random& random) {
    for (const std::string& id : ids) {
        if (random() % 5 == 0) continue;
        std::vector<store::NamedValue> attributes{text("Name", one_of(random, names)),
                                                  text("Team", one_of(random, {"red", "blue"}))};
        if (random() % 5 > 0) attributes.push_back(text("Handle", one_of(random, names)));
        if (random() % 2 > 0) {
            attributes.push_back(text("Note", std::string(random() % 2 * 300 + 3, 'n')));
        }
        if (random() % 8 == 0) {
            attributes.push_back({"Email", list_of({"no", "key"})});
        } else {
            attributes.push_back(text("Email", one_of(random, names) + "@x"));
        }
        store.put("Users", row_of({id}, attributes));
    }
}

void fill_indexes(store::MemoryStore& store, Random& random) {
    for (const std::string& name : names) {
        const store::NamedValue pointer = text("UserId", one_of(random, ids));
        if (random() % 4 > 0) {
            store.put("ByEmail", row_of({name + "@x"}, {pointer, text("Note", "nnn")}));
        }
        if (random() % 4 > 0) store.put("Handles", row_of({name}, {}));
        const std::string version = random() % 3 == 0 ? "n1#" : "n2#";
        if (random() % 4 > 0) store.put("Names", row_of({version + name}, {pointer}));
    }
    for (const std::string team : {"red", "blue", "none"}) {
        if (random() % 3 == 0) continue;
        store.put("AnyOfTeam", row_of({team}, {text("UserId", one_of(random, ids))}));
        store.put("Teams", row_of({team}, {{"Ids", list_of({one_of(random, ids), "u1"})}}));
    }
    if (random() % 4 == 0) store.put("ByEmail", row_of({"odd@x"}, {text("UserId", "")}));
}

void fill(store::MemoryStore& store, Random& random) {
    store.create_table({"Users", {"UserId"}});
    for (const char* table : {"ByEmail", "Handles", "AnyOfTeam", "Teams", "Names"}) {
        store.create_table({table, {"K"}});
    }
    fill_users(store, random);
    fill_indexes(store, random);
    // A row of which nobody can say anything: a gap.
    if (random() % 6 == 0) {
        store.put_bytes("Users", store::encode_key(row_of({"zz"}, {}).key), "no row");
    }
}

}  // namespace

TEST_CASE("any multiset of the shares merges to the audit of one process, byte for byte") {
    const bool snapshot = GENERATE(true, false);
    const auto engine = GENERATE(EngineChoice::automatic, EngineChoice::exact);
    const audit::Spec spec = tests::spec_of(spec_text);
    // A sketch is megabytes, however small the world.
    const std::uint64_t seeds_count = engine == EngineChoice::exact ? 40 : 4;
    std::size_t findings_count = 0;
    for (std::uint64_t seed = 1; seed <= seeds_count; ++seed) {
        CAPTURE(seed, snapshot);
        Random random{seed};
        store::MemoryStore store{tests::with_snapshot(snapshot)};
        fill(store, random);
        tests::TestClock clock;
        audit::AuditOptions options;
        options.engine = engine;
        options.seed = seed;
        options.partitions = 1 + random() % 4;
        tests::Shares shares{spec, store, clock, options};
        options.threads = 1 + random() % 3;
        const auto whole = audit::run_audit(spec, {{"main", &store}}, clock, options);

        std::vector<std::string> files = shares.scan_all(1 + random() % 4, 1 + random() % 3);
        // Copies: the same file again, and a share that somebody scanned once more.
        files.push_back(files[random() % files.size()]);
        const std::uint64_t count = files.size() - 1;
        files.push_back(shares.scan({1 + random() % count, count}, 1 + random() % 3));
        std::shuffle(files.begin(), files.end(), random);
        const auto merged = shares.merge(files, 1 + random() % 3);
        REQUIRE(tests::bytes_without_times(merged) == tests::bytes_without_times(whole));
        REQUIRE(merged.coverage.shares.size() == count);
        for (const auto& share : merged.coverage.shares) REQUIRE(share.contents == 1);
        REQUIRE_FALSE(merged.coverage.snapshot);
        findings_count += merged.findings.size();
    }
    REQUIRE(findings_count > seeds_count);
}
