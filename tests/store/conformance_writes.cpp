// What every store promises a writer (store/writer.hpp). Expected outcomes are worked out beside
// each case by the plainest rule there is: do the guards hold, is it done already, is the row as
// expected.

#include <catch2/catch.hpp>

#include <atomic>
#include <set>
#include <thread>

#include "conformance.hpp"
#include "store/error.hpp"
#include "store/key_codec.hpp"

namespace idxfsck::store::conformance {

namespace {

// Three rows: two of one partition, and one of another table.
struct Keys {
    explicit Keys(const Subject& subject)
        : written{subject.key({Value::text("k"), Value::int32(1)})},
          other{subject.key({Value::text("k"), Value::int32(2)})},
          far{subject.key({Value::text("far")})} {}

    const Key written;
    const Key other;
    const Key far;
};

Row row_of(const Subject& subject, const Key& key, int number) {
    const Value value = subject.number(number);
    return {key, encode_attributes({{"n", value}, {"t", Value::text("x")}}), {}};
}

std::optional<Row> now(Subject& subject, BytesView table, const Key& key) {
    subject.writer().refresh();
    return subject.writer().read(table, {&key, 1}).at(0);
}

void make_tables(Subject& subject) {
    subject.fill(subject.two(), {});
    subject.fill(subject.one(), {});
}

// Makes the row so, whatever it was.
void force(Subject& subject, BytesView table, const Key& key, const std::optional<Row>& after) {
    const std::optional<Row> before = now(subject, table, key);
    GuardedWrite write{Bytes{table}, key, ExpectAbsent{}, after, {}};
    if (before) write.expected = ExpectRow{*before};
    REQUIRE(subject.writer().write(write) != WriteOutcome::superseded);
    subject.writer().refresh();
}

int number_in(const Row& row) {
    Bytes scratch;
    return std::stoi(Bytes{*canonical_number(*row.attribute("n"), scratch)});
}

struct Expected {
    const char* name;
    Expectation expectation;
    bool if_absent;
    bool if_one;  // holds of row_of(key, 1)
    bool if_two;
};

std::vector<Expected> expectations(const Subject& subject, const Key& key) {
    const Row one = row_of(subject, key, 1);
    const Row two = row_of(subject, key, 2);
    const Bytes name = subject.two().key[0];
    Row stale = one;
    stale.version = "no such version";
    return {
        {"absent", ExpectAbsent{}, true, false, false},
        {"row one", ExpectRow{one}, false, true, false},
        {"row two", ExpectRow{two}, false, false, true},
        {"row one of another version", ExpectRow{stale}, false, false, false},
        {"n is one", ExpectAttributes{{{"n", subject.number(1)}}}, false, true, false},
        {"n is two, t is x",
         ExpectAttributes{{{"n", subject.number(2)}, {"t", Value::text("x")}}},
         false, false, true},
        {"n is one as int64", ExpectAttributes{{{"n", Value::int64(1)}}}, false, false, false},
        {"without m", ExpectAttributes{{{"m", Value{}}}}, false, true, true},
        {"without n", ExpectAttributes{{{"n", Value{}}}}, false, false, false},
        {"any row", ExpectAttributes{}, false, true, true},
        {"key component", ExpectAttributes{{{name, one.key[0]}}}, false, true, true},
        {"other key component", ExpectAttributes{{{name, Value::text("?")}}}, false, false, false},
    };
}

bool holds(const Expected& expected, int state) {
    return state == 0 ? expected.if_absent : state == 1 ? expected.if_one : expected.if_two;
}

std::optional<Row> row_in_state(const Subject& subject, const Key& key, int state) {
    if (state == 0) return std::nullopt;
    return row_of(subject, key, state);
}

bool same(const std::optional<Row>& a, const std::optional<Row>& b) {
    return a && b ? a->attributes == b->attributes : !a && !b;
}

void run_at_once(std::size_t count, const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> waiting{count};
    std::vector<std::thread> threads;
    for (std::size_t index = 0; index < count; ++index) {
        threads.emplace_back([&, index] {
            for (--waiting; waiting > 0;) std::this_thread::yield();
            work(index);
        });
    }
    for (std::thread& thread : threads) thread.join();
}

}  // namespace

void check_every_expectation(Subject& subject) {
    make_tables(subject);
    const Keys keys{subject};
    const std::vector<Expected> all = expectations(subject, keys.written);
    const bool versions = subject.writer().capabilities().row_versions;
    for (const Expected& expected : all) {
        for (const int state : {0, 1, 2}) {
            for (const int after : {0, 1, 2, 3}) {
                CAPTURE(expected.name, state, after);
                if (!versions && expected.name == Bytes{"row one of another version"}) continue;
                force(subject, "two", keys.written, row_in_state(subject, keys.written, state));
                const std::optional<Row> before = now(subject, "two", keys.written);
                const GuardedWrite write{"two", keys.written, expected.expectation,
                                         row_in_state(subject, keys.written, after), {}};
                const WriteOutcome outcome = subject.writer().write(write);
                const bool done = state == after;
                REQUIRE(outcome == (done                      ? WriteOutcome::already
                                    : holds(expected, state) ? WriteOutcome::applied
                                                             : WriteOutcome::superseded));
                const std::optional<Row> found = now(subject, "two", keys.written);
                REQUIRE(same(found, outcome == WriteOutcome::applied ? write.after : before));
                if (outcome != WriteOutcome::applied) REQUIRE(found == before);
                // Again: what was applied is there already.
                if (outcome != WriteOutcome::applied) continue;
                REQUIRE(subject.writer().write(write) == WriteOutcome::already);
            }
        }
    }
    subject.writer().sync();
}

void check_guards(Subject& subject) {
    make_tables(subject);
    const Keys keys{subject};
    const GuardReach reach = subject.writer().capabilities().guard;
    const std::vector<std::pair<Bytes, Key>> places{{"two", keys.other}, {"one", keys.far}};
    for (const auto& [table, key] : places) {
        const bool near = table == "two";
        const bool reached = reach == GuardReach::store || (reach == GuardReach::partition && near);
        for (const Expected& expected : expectations(subject, key)) {
            if (expected.name == Bytes{"row one of another version"}) continue;
            for (const int state : {0, 1, 2}) {
                CAPTURE(table, expected.name, state);
                force(subject, "two", keys.written, std::nullopt);
                force(subject, table, key, row_in_state(subject, key, state));
                const GuardedWrite write{"two", keys.written, ExpectAbsent{},
                                         row_of(subject, keys.written, 9),
                                         {{table, key, expected.expectation}}};
                if (!reached) {
                    REQUIRE_THROWS_AS(subject.writer().write(write), Error);
                    REQUIRE_FALSE(now(subject, "two", keys.written));
                    continue;
                }
                const bool kept = holds(expected, state);
                REQUIRE(subject.writer().write(write) ==
                        (kept ? WriteOutcome::applied : WriteOutcome::superseded));
                REQUIRE(now(subject, "two", keys.written).has_value() == kept);
                REQUIRE(same(now(subject, table, key), row_in_state(subject, key, state)));
                // Done already, but not for this reason: a failed guard is told first.
                force(subject, "two", keys.written, row_of(subject, keys.written, 9));
                REQUIRE(subject.writer().write(write) ==
                        (kept ? WriteOutcome::already : WriteOutcome::superseded));
            }
        }
    }
}

void check_refused_writes(Subject& subject) {
    make_tables(subject);
    const Keys keys{subject};
    Store& store = subject.writer();
    const Row row = row_of(subject, keys.written, 1);
    const std::vector<GuardedWrite> wrong{
        {"three", keys.written, ExpectAbsent{}, row, {}},
        {"two", {Value::text("k")}, ExpectAbsent{}, std::nullopt, {}},
        {"two", keys.written, ExpectAbsent{}, row_of(subject, keys.other, 1), {}},
        {"two", keys.written, ExpectAbsent{}, Row{keys.written, "\x01", {}}, {}},
        {"two", {Value::list({}), Value::null()}, ExpectAbsent{}, std::nullopt, {}},
        {"two", keys.written, ExpectAbsent{}, row, {{"three", keys.far, ExpectAbsent{}}}},
    };
    for (const GuardedWrite& write : wrong) {
        REQUIRE_THROWS_AS(store.write(write), Error);
    }
    REQUIRE_FALSE(now(subject, "two", keys.written));
}

void check_write_all(Subject& subject) {
    make_tables(subject);
    std::vector<GuardedWrite> writes;
    std::vector<std::optional<WriteOutcome>> expected;
    for (int number = 0; number < 12; ++number) {
        for (const char* const partition : {"k", "l"}) {
            const Key key = subject.key({Value::text(partition), Value::int32(number)});
            const Row one = row_of(subject, key, 1);
            switch (number % 5) {
                case 0:  // an insert
                    writes.push_back({"two", key, ExpectAbsent{}, one, {}});
                    expected.emplace_back(WriteOutcome::applied);
                    break;
                case 1:  // a delete
                    force(subject, "two", key, one);
                    writes.push_back({"two", key, ExpectRow{one}, std::nullopt, {}});
                    expected.emplace_back(WriteOutcome::applied);
                    break;
                case 2:  // done already
                    force(subject, "two", key, one);
                    writes.push_back({"two", key, ExpectAbsent{}, one, {}});
                    expected.emplace_back(WriteOutcome::already);
                    break;
                case 3:  // another row than expected
                    force(subject, "two", key, row_of(subject, key, 2));
                    writes.push_back({"two", key, ExpectRow{one}, row_of(subject, key, 3), {}});
                    expected.emplace_back(WriteOutcome::superseded);
                    break;
                default:  // no such table
                    writes.push_back({"three", key, ExpectAbsent{}, one, {}});
                    expected.emplace_back(std::nullopt);
            }
        }
    }
    const std::vector<WriteReply> replies = subject.writer().write_all(writes);
    REQUIRE(replies.size() == writes.size());
    for (std::size_t place = 0; place < writes.size(); ++place) {
        CAPTURE(place, replies[place].error);
        REQUIRE(replies[place].outcome == expected[place]);
        REQUIRE(replies[place].error.empty() == expected[place].has_value());
        if (!expected[place]) continue;
        const std::optional<Row> found = now(subject, "two", writes[place].key);
        REQUIRE(same(found, *expected[place] == WriteOutcome::superseded
                                ? row_of(subject, writes[place].key, 2)
                                : writes[place].after));
    }
    REQUIRE(subject.writer().write_all({}).empty());
}

void check_versions(Subject& subject) {
    make_tables(subject);
    const Keys keys{subject};
    const bool versions = subject.writer().capabilities().row_versions;
    std::set<Bytes> seen;
    for (int round = 0; round < 20; ++round) {
        force(subject, "two", keys.written, row_of(subject, keys.written, round));
        const Row row = *now(subject, "two", keys.written);
        REQUIRE(row.version.empty() == !versions);
        if (versions) REQUIRE(seen.insert(row.version).second);
        REQUIRE(now(subject, "two", keys.written)->version == row.version);
        if (round % 3 == 0) force(subject, "two", keys.written, std::nullopt);
    }
}

void check_as_stored(Subject& subject) {
    make_tables(subject);
    for (const Value& part : subject.parts()) {
        const Row row = row_of(subject, subject.key({Value::text("k"), part}), 1);
        const GuardedWrite write{"two", row.key, ExpectAbsent{}, row, {}};
        REQUIRE(subject.writer().write(write) == WriteOutcome::applied);
        std::optional<Row> found = now(subject, "two", row.key);
        REQUIRE(found);
        found->version.clear();
        REQUIRE(subject.writer().as_stored("two", row) == *found);
        REQUIRE(subject.reader().as_stored("two", row) == *found);
    }
    // What the store cannot hold is for write() to refuse.
    const Row wrong = row_of(subject, {Value::list({}), Value::int32(1)}, 1);
    REQUIRE(subject.writer().as_stored("two", wrong) == wrong);
}

void check_view(Subject& subject) {
    make_tables(subject);
    const Keys keys{subject};
    Reader& reader = subject.reader();
    const auto seen = [&] {
        return rows_in(reader, "two", reader.split("two", 1).at(0)).size() +
               (reader.read("two", {&keys.written, 1})[0] ? 100 : 0);
    };
    REQUIRE(seen() == 0);
    const GuardedWrite write{"two", keys.written, ExpectAbsent{},
                             row_of(subject, keys.written, 1), {}};
    REQUIRE(subject.writer().write(write) == WriteOutcome::applied);
    REQUIRE(seen() == (reader.capabilities().snapshot ? 0u : 101u));
    reader.refresh();
    REQUIRE(seen() == 101);
}

void check_racing_inserts(Subject& subject) {
    make_tables(subject);
    const Keys keys{subject};
    for (int round = 0; round < 10; ++round) {
        force(subject, "two", keys.written, std::nullopt);
        std::atomic<int> applied{0};
        std::atomic<int> winner{-1};
        run_at_once(10, [&](std::size_t index) {
            const int number = static_cast<int>(index);
            const GuardedWrite write{"two", keys.written, ExpectAbsent{},
                                     row_of(subject, keys.written, number), {}};
            if (subject.writer().write(write) != WriteOutcome::applied) return;
            ++applied;
            winner = number;
        });
        REQUIRE(applied == 1);
        REQUIRE(number_in(*now(subject, "two", keys.written)) == winner);
    }
}

void check_racing_counters(Subject& subject) {
    // A shared view must not be refreshed while others read it.
    if (subject.writer().capabilities().snapshot) return;
    make_tables(subject);
    const Keys keys{subject};
    force(subject, "two", keys.written, row_of(subject, keys.written, 0));
    constexpr int steps = 25;
    run_at_once(4, [&](std::size_t) {
        for (int done = 0; done < steps;) {
            const Row row = *subject.writer().read("two", {&keys.written, 1})[0];
            const GuardedWrite write{"two", keys.written, ExpectRow{row},
                                     row_of(subject, keys.written, number_in(row) + 1), {}};
            done += subject.writer().write(write) == WriteOutcome::applied ? 1 : 0;
        }
    });
    REQUIRE(number_in(*now(subject, "two", keys.written)) == 4 * steps);
}

// Each of two writers removes its row only while the other's is there: both must never go.
void check_no_write_skew(Subject& subject) {
    if (subject.writer().capabilities().guard != GuardReach::store) return;
    make_tables(subject);
    const Keys keys{subject};
    const std::vector<std::pair<Bytes, Key>> places{{"two", keys.written}, {"one", keys.far}};
    for (int round = 0; round < 40; ++round) {
        for (const auto& [table, key] : places) force(subject, table, key, row_of(subject, key, 1));
        std::atomic<int> applied{0};
        run_at_once(2, [&](std::size_t index) {
            const auto& [table, key] = places[index];
            const auto& [other_table, other] = places[1 - index];
            const GuardedWrite write{
                table, key, ExpectAttributes{}, std::nullopt,
                {{other_table, other, ExpectAttributes{{{"n", subject.number(1)}}}}}};
            applied += subject.writer().write(write) == WriteOutcome::applied ? 1 : 0;
        });
        REQUIRE(applied == 1);
    }
}

}  // namespace idxfsck::store::conformance
