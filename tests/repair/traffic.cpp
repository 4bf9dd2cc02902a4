// An application writes while a repair runs.
//
// Promised: in a store whose guards reach the base table, every write of the repair agrees with the
// base rows at the moment of its commit, whatever the application did at any of its calls. In a
// store whose guards do not, a write whose base row moved around it is taken back if the base row
// says so at the second look; what is left then, the next repair mends. Method: one act of the
// application before each store call in turn, every act at every call; the base rows are looked at
// inside the write itself.

#include <catch2/catch.hpp>

#include "tests/repair/world.hpp"

using namespace idxfsck;
using repair::Outcome;
using store::GuardReach;
using store::Value;
using tests::UserWorld;

namespace {

struct Live : UserWorld {
    explicit Live(GuardReach guard, bool versions = true, bool together = false)
        : UserWorld{tests::capabilities_of(guard, versions)} {
        faulty.together = together;
        user("u1", "free@x");               // put
        user("u2", "new@x");                // move
        entry("old@x", "u2");
        entry("gone@x", "u9");              // delete
        user("u3", "copy@x", "after");      // copies
        entry("copy@x", "u3", "before");
        user("u4", "taken@x");              // take-over
        entry("taken@x", "u8");
        user("u8", "left@x");
        entry("left@x", "u8");
    }

    std::string attribute(const std::string& table, const std::string& id,
                          const std::string& name) const {
        for (const store::Row& row : store.rows(table)) {
            if (row.key.front().payload != id) continue;
            const auto value = row.attribute(name);
            return value ? std::string{value->payload} : "";
        }
        return "";
    }

    // Does the user call for the entry, by the plainest reading of the spec?
    bool calls_for(const std::string& id, const std::string& email) const {
        return !email.empty() && attribute("Users", id, "Email") == email &&
               attribute("Users", id, "DeletedAt").empty();
    }

    void erase(const std::string& table, const std::string& key) {
        store.erase(table, {Value::text(key)});
    }
};

// Versions or not, writes handed over together or not.
const std::vector<std::pair<bool, bool>> unguarded_kinds{
    {true, false}, {false, false}, {true, true}, {false, true}};

using Act = std::function<void(Live&)>;

// What applications do, each in one step of its own.
const std::vector<std::pair<std::string, Act>> acts{
    {"u1 moves", [](Live& live) { live.user("u1", "else@x"); }},
    {"u1 goes", [](Live& live) { live.erase("Users", "u1"); }},
    {"u1 is renamed", [](Live& live) { live.user("u1", "free@x", "renamed"); }},
    {"u1 is indexed", [](Live& live) { live.entry("free@x", "u1"); }},
    {"free@x is claimed by another", [](Live& live) {
         live.user("u10", "free@x");
         live.entry("free@x", "u10");
     }},
    {"u2 moves back", [](Live& live) { live.user("u2", "old@x"); }},
    {"u2 moves on", [](Live& live) { live.user("u2", "third@x"); }},
    {"u2 finishes its move", [](Live& live) {
         live.entry("new@x", "u2");
         live.erase("ByEmail", "old@x");
     }},
    {"u9 comes back", [](Live& live) { live.user("u9", "gone@x"); }},
    {"gone@x is handed on", [](Live& live) {
         live.user("u11", "gone@x");
         live.entry("gone@x", "u11");
     }},
    {"u3 is renamed", [](Live& live) { live.user("u3", "copy@x", "later"); }},
    {"u3 is renamed everywhere", [](Live& live) {
         live.user("u3", "copy@x", "later");
         live.entry("copy@x", "u3", "later");
     }},
    {"u3 goes", [](Live& live) {
         live.erase("Users", "u3");
         live.erase("ByEmail", "copy@x");
     }},
    {"u8 takes its key back", [](Live& live) { live.user("u8", "taken@x"); }},
    {"u8 goes", [](Live& live) { live.erase("Users", "u8"); }},
    {"u4 moves", [](Live& live) { live.user("u4", "else@x"); }},
    {"taken@x is rewritten as it is", [](Live& live) { live.entry("taken@x", "u8"); }},
};

// How often something that matters happened: a test in which it never did has proven nothing.
struct Counts {
    std::size_t superseded = 0;
    std::size_t held = 0;
    std::size_t taken_back = 0;
    std::size_t runs = 0;
};

// Looks, inside the write, whether base rows and write agree.
void check_commit(const Live& live, const store::GuardedWrite& write,
                  const std::optional<store::Row>& old) {
    const std::string email = write.key.front().payload;
    if (write.after) {
        const std::string id{write.after->attribute("UserId")->payload};
        CHECK(live.calls_for(id, email));
        CHECK(write.after->attribute("Name")->payload == live.attribute("Users", id, "Name"));
    }
    if (!old) return;
    const std::string holder{old->attribute("UserId")->payload};
    const bool stays = write.after && write.after->attribute("UserId")->payload == holder;
    if (!stays) CHECK_FALSE(live.calls_for(holder, email));
}

void watch_commits(Live& live) {
    live.faulty.after_write = [&live](const store::GuardedWrite& write) {
        const auto* old = std::get_if<store::ExpectRow>(&write.expected);
        // The write may have been refused; then the row is not what it should have become.
        const auto rows = live.store.rows("ByEmail");
        const auto same = [&](const store::Row& row) { return row.key == write.key; };
        const auto row = std::find_if(rows.begin(), rows.end(), same);
        const bool there = row != rows.end();
        const bool done =
            write.after ? there && row->attributes == write.after->attributes : !there;
        if (!done) return;
        check_commit(live, write, old == nullptr ? std::nullopt : std::optional{old->row});
    };
}

std::size_t calls_of(GuardReach guard, bool together, const repair::RepairOptions& options) {
    Live live{guard, true, together};
    live.repair(live.plan(), options);
    return live.faulty.calls;
}

void count(const repair::RepairResult& result, Counts& counts) {
    ++counts.runs;
    counts.superseded += result.count(Outcome::superseded);
    counts.held += result.count(Outcome::held);
    for (const repair::OperationResult& one : result.operations) {
        if (one.why.find("taken back") != std::string::npos) ++counts.taken_back;
    }
}

// Repairs once more, undisturbed: nothing but what only a person can decide may be left.
void check_heals(Live& live) {
    live.faulty.before_call = {};
    live.faulty.after_write = {};
    live.journal.clear();
    live.repair(live.plan());
    for (const repair::Operation& left : live.plan().operations) {
        CAPTURE(repair::operation_name(left.kind), tests::word(left.entry.key), left.why);
        CHECK(left.kind == repair::OperationKind::manual);
    }
}

void run_all(GuardReach guard, bool versions, Counts& counts, bool watch,
             bool together = false) {
    repair::RepairOptions options;
    options.group_max = 4;
    const std::size_t calls = calls_of(guard, together, options);
    const repair::Plan plan = Live{guard, versions}.plan();
    for (const auto& [name, act] : acts) {
        for (std::size_t call = 1; call <= calls; ++call) {
            CAPTURE(guard, versions, together, name, call);
            Live live{guard, versions, together};
            if (watch) watch_commits(live);
            live.faulty.before_call = [&, &doing = act](std::size_t number) {
                if (number == call) doing(live);
            };
            count(live.repair(plan, options), counts);
            if (versions) check_heals(live);
        }
    }
}

}  // namespace

TEST_CASE("where guards reach the base table, every write agrees with it as it commits") {
    Counts counts;
    run_all(GuardReach::store, true, counts, true);
    run_all(GuardReach::store, false, counts, true);
    INFO(counts.runs << " runs, " << counts.superseded << " superseded, " << counts.held
                     << " held");
    CHECK(counts.superseded > 100);
    CHECK(counts.held > 0);
    CHECK(counts.taken_back == 0);
}

TEST_CASE("where guards do not reach it, a write around which the base row moved is taken back") {
    Counts counts;
    run_all(GuardReach::row, true, counts, false);
    run_all(GuardReach::row, false, counts, false);
    INFO(counts.runs << " runs, " << counts.taken_back << " taken back");
    CHECK(counts.superseded > 100);
    CHECK(counts.taken_back > 0);
}

TEST_CASE("of writes handed over together only those are taken back whose base rows moved") {
    Counts counts;
    run_all(GuardReach::row, true, counts, false, true);
    run_all(GuardReach::row, false, counts, false, true);
    INFO(counts.runs << " runs, " << counts.taken_back << " taken back");
    CHECK(counts.superseded > 100);
    CHECK(counts.taken_back > 0);
}

TEST_CASE("a write is taken back when its base row moves right inside it, and only then") {
    for (const auto& [versions, together] : unguarded_kinds) {
        Live live{GuardReach::row, versions, together};
        const repair::Plan plan = live.plan();
        const tests::Image before = live.image();
        live.faulty.before_write = [&](const store::GuardedWrite& write) {
            if (write.key.front().payload == "gone@x") live.user("u9", "gone@x");
        };
        const auto result = live.repair(plan);
        CHECK(result.count(Outcome::superseded) == 1);
        CHECK(live.image().at("ByEmail gone@x") == before.at("ByEmail gone@x"));
        // The undo leaves alone what was taken back already.
        live.faulty.before_write = {};
        live.undo();
        live.erase("Users", "u9");
        CHECK(live.image() == before);
    }
}

TEST_CASE("what the repair wrote and someone wrote again is never taken back") {
    Live live{GuardReach::row};
    const repair::Plan plan = live.plan();
    bool marked = false;
    live.faulty.after_write = [&](const store::GuardedWrite& write) {
        if (write.key.front().payload != "free@x" || marked) return;
        marked = true;
        live.user("u1", "else@x");
        live.put("ByEmail", {"free@x"},
                 {tests::text("UserId", "u1"), tests::text("Name", "n"), tests::text("Mark", "1")});
    };
    live.repair(plan);
    CHECK(live.attribute("ByEmail", "free@x", "Mark") == "1");
}

TEST_CASE("a move is finished without a moment at which the row cannot be found") {
    for (const GuardReach guard : {GuardReach::store, GuardReach::row}) {
        Live live{guard};
        const repair::Plan plan = live.plan();
        live.faulty.before_call = [&](std::size_t) {
            const bool old_there = live.attribute("ByEmail", "old@x", "UserId") == "u2";
            const bool new_there = live.attribute("ByEmail", "new@x", "UserId") == "u2";
            CHECK((old_there || new_there));
            // u8 derives left@x alone: that entry never moves.
            CHECK(live.attribute("ByEmail", "left@x", "UserId") == "u8");
        };
        live.repair(plan);
        CHECK(live.attribute("ByEmail", "old@x", "UserId").empty());
    }
}

TEST_CASE("undo keeps a row that was written since the repair") {
    for (const bool versions : {true, false}) {
        Live live{GuardReach::store, versions};
        live.repair(live.plan());
        live.entry("free@x", "u1", "written again");
        live.entry("copy@x", "u3", "after");  // the same bytes: only a version can tell
        const auto result = live.undo();
        CHECK(result.count(Outcome::superseded) == (versions ? 2 : 1));
        CHECK(live.attribute("ByEmail", "free@x", "Name") == "written again");
        CHECK(live.attribute("ByEmail", "copy@x", "Name") == (versions ? "after" : "before"));
    }
}

TEST_CASE("an index row that changed right before its write is not written over") {
    for (const GuardReach guard : {GuardReach::store, GuardReach::row}) {
        for (const bool versions : {true, false}) {
            Live live{guard, versions};
            const repair::Plan plan = live.plan();
            live.faulty.before_write = [&](const store::GuardedWrite& write) {
                if (write.key.front().payload != "copy@x") return;
                live.put("ByEmail", {"copy@x"}, {tests::text("UserId", "u3"),
                                                 tests::text("Name", "before"),
                                                 tests::text("Note", "just now")});
            };
            CHECK(live.repair(plan).count(Outcome::superseded) == 1);
            CHECK(live.attribute("ByEmail", "copy@x", "Note") == "just now");
            CHECK(live.attribute("ByEmail", "copy@x", "Name") == "before");
        }
    }
}

TEST_CASE("a row that was changed there and back is undone once, in a second undo not at all") {
    for (const bool versions : {true, false}) {
        Live live{GuardReach::store, versions};
        const auto row_named = [](const std::string& name) {
            return tests::row_of({"copy@x"}, {tests::text("UserId", "u3"),
                                              tests::text("Name", name)});
        };
        const tests::Image before = live.image();
        {
            repair::Journal journal{std::make_unique<tests::MemoryJournalFile>(live.journal),
                                    {"repair", "p", "s", {{"main", "memory"}}, 1, "0.1.0"}};
            std::string from = "before";
            for (const std::string to : {"between", "before"}) {
                journal.intend({to, "main", "ByEmail", row_named(to).key, row_named(from),
                                row_named(to), false});
                live.store.put("ByEmail", row_named(to));
                const store::Key key = row_named(to).key;
                const auto version = live.store.read("ByEmail", std::span{&key, 1})[0]->version;
                journal.done({to, Outcome::applied, version, false});
                from = to;
            }
            journal.sync();
        }
        CHECK(tests::all_are(live.undo(), Outcome::applied));
        CHECK(live.image() == before);
        const std::size_t writes = live.faulty.writes;
        CHECK(tests::all_are(live.undo(), Outcome::already));
        CHECK(live.faulty.writes == writes);
    }
}

TEST_CASE("a write whose second look was cut off by a crash is looked at again by the next run") {
    for (const auto& [versions, together] : unguarded_kinds) {
        for (const bool moves : {true, false}) {
            Live live{GuardReach::row, versions, together};
            const repair::Plan plan = live.plan();
            live.faulty.before_write = [&](const store::GuardedWrite& write) {
                if (write.key.front().payload != "free@x") return;
                if (moves) live.user("u1", "else@x");
                live.faulty.crash_after = live.faulty.calls + 1;
            };
            CHECK_THROWS_AS(live.repair(plan), tests::Crash);
            REQUIRE(live.attribute("ByEmail", "free@x", "UserId") == "u1");
            live.faulty.before_write = {};
            live.faulty.crash_after.reset();
            live.repair(plan);
            CHECK(live.attribute("ByEmail", "free@x", "UserId") == (moves ? "" : "u1"));
        }
    }
}
