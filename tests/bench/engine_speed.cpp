// Nanoseconds of one core that the engine takes for an entry: canonical bytes, hash, sketch.
//
// engine_speed [RUNS]
//
// Entries lie in memory: those of make_tables, an e-mail address of about 29 bytes and the id of a
// user. Both sides add each of them, so that they cancel as in a real audit. Where the scan takes
// fingerprints straight from rows, so does this, and reading them out of the row is part of it.
// Steps take turns, RUNS times (5), so that whatever else the machine does falls on all of them;
// prints medians of processor time as one JSON object.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <deque>
#include <string>
#include <variant>
#include <vector>

#include "audit/entry_queue.hpp"
#include "audit/ladder_sketch.hpp"
#include "audit/program.hpp"
#include "audit/sketch_reconciler.hpp"
#include "audit/spec_toml.hpp"
#include "fixtures/person.hpp"
#include "store/error.hpp"

namespace {

using namespace idxfsck;
using audit::Side;

// Few, for a scan hands over rows that it has just read, from the cache. Each two rounds turn the
// hashes by a number of their own, so that even few entries go everywhere in the sketch.
constexpr std::size_t entries_count = 256;
constexpr int rounds_per_run = 3200;
constexpr std::uint64_t seed = 0x1d8f5c0a;
constexpr std::size_t narrow_cell = 64;
constexpr std::size_t wide_cell = 128;

constexpr const char* spec_text = R"(
[store.main]
kind = "memory"
[base.user]
store = "main"
table = "Users"
key = ["UserId"]
real_if = ["CreatedAt"]
[[index]]
name = "users-by-email"
of = "user"
store = "main"
table = "UsersByEmail"
key = { Email = "{Email|lower}" }
pointer = { UserId = "{UserId}" }
unique = true
)";

// A row and a view of it, cut to what the table's programs want.
class HeldRow {
public:
    HeldRow(store::Row row, const audit::TableProgram& table)
        : row_{std::move(row)},
          projector_{table.schema.key, table.projection},
          view_{projector_.project(row_)} {}
    HeldRow(const HeldRow&) = delete;
    HeldRow& operator=(const HeldRow&) = delete;

    const store::RowView& view() const { return view_; }

private:
    store::Row row_;
    store::Projector projector_;
    store::RowView view_;
};

// One entry: the rows on both sides, and what a program makes of either.
struct Item {
    Item(store::Row base_row, const audit::TableProgram& base_table, store::Row index_row,
         const audit::TableProgram& index_table, audit::Entry of_both)
        : base{std::move(base_row), base_table},
          index{std::move(index_row), index_table},
          entry{std::move(of_both)} {}

    const store::RowView& row(Side side) const {
        return side == Side::base ? base.view() : index.view();
    }

    HeldRow base;
    HeldRow index;
    audit::Entry entry;
    audit::EntryLoan loan{entry};
};

class World {
public:
    World()
        : spec_{std::get<audit::Spec>(audit::read_spec("engine_speed", spec_text))},
          programs_{audit::compile(
              spec_, {{"main", {{{"Users", {"UserId"}}, {"UsersByEmail", {"Email"}}}, {}, {}}}}, {},
              0)} {
        for (std::size_t number = 0; number < entries_count; ++number) add(number * 39119);
    }

    const audit::IndexProgram& program() const { return *programs_.indexes[0].program; }
    const std::deque<Item>& items() const { return items_; }

private:
    void add(std::uint64_t number) {
        using store::Value;
        const fixtures::Person person = fixtures::make_person(1, number);
        const Value id = Value::text(person.user_id);
        const Value address = Value::text(fixtures::lower_ascii(person.email));
        audit::Entry entry;
        entry.key = {address};
        entry.pointer = {id};
        items_.emplace_back(
            store::Row{{id}, store::encode_attributes(fixtures::attributes_of(person)), {}},
            programs_.tables[programs_.bases[0].table],
            store::Row{{address}, store::encode_attributes({{"UserId", id}}), {}},
            programs_.tables[programs_.indexes[0].table], std::move(entry));
    }

    audit::Spec spec_;
    audit::Programs programs_;
    std::deque<Item> items_;
};

// What entries are added to; each turns the hashes by the number of the round.
class TurningLane : public audit::Lane {
public:
    void set_round(int round) {
        turn_ = static_cast<std::uint64_t>(round / 2) * 0x9e3779b97f4a7c15;
    }

    void add(Side side, const audit::Fingerprint& fingerprint, audit::Place,
             store::BytesView bytes) final {
        take(side, {fingerprint.low ^ turn_, fingerprint.high ^ turn_}, bytes);
    }

protected:
    virtual void take(Side side, const audit::Fingerprint& fingerprint,
                      store::BytesView bytes) = 0;

private:
    std::uint64_t turn_ = 0;
};

// The ladder of the sketch with fingerprints on every level: what an engine costs that leaves the
// keys to a second look.
class FingerprintLadder final : public TurningLane {
protected:
    void take(Side side, const audit::Fingerprint& fingerprint, store::BytesView) override {
        const auto zeros = static_cast<std::size_t>(std::countr_zero(fingerprint.low));
        const std::size_t last = std::min(zeros / 4, levels_.size() - 1);
        for (std::size_t level = 0; level <= last; ++level) levels_[level].add(side, fingerprint);
    }

private:
    std::array<audit::SketchCells, audit::ladder_levels_count> levels_;
};

class Nothing final : public TurningLane {
public:
    std::uint64_t touched = 0;  // so that no compiler drops the work

protected:
    void take(Side, const audit::Fingerprint& fingerprint, store::BytesView) override {
        touched += fingerprint.low;
    }
};

// The engine of an audit, as the scan sees it.
class Keys final : public TurningLane {
public:
    explicit Keys(std::size_t cell_size) : reconciler_{seed, cell_size} {}

protected:
    void take(Side side, const audit::Fingerprint& fingerprint, store::BytesView bytes) override {
        lane_.add(side, fingerprint, {}, bytes);
    }

private:
    audit::SketchReconciler reconciler_;
    audit::Lane& lane_{reconciler_.lane()};
};

class Bench {
public:
    Bench() {
        std::vector<std::size_t> sizes;
        for (const Item& item : world_.items()) {
            sizes.push_back(bytes_.of(item.loan.view(), true).size());
        }
        cell_size_ = audit::sketch_cell_size(sizes);
    }

    void measure() {
        bytes_ns_.push_back(timed(
            [&](int, const Item& item, Side) {
                touched_ += bytes_.of(item.loan.view(), true).size();
            }));
        hash_ns_.push_back(timed_into(nothing_));
        fingerprints_ns_.push_back(timed_into(fingerprints_));
        narrow_ns_.push_back(timed_into(narrow_));
        wide_ns_.push_back(timed_into(wide_));
    }

    void print() {
        const double narrow_ns = median(narrow_ns_);
        const double wide_ns = median(wide_ns_);
        std::printf("{\"cell_bytes\": %zu, \"bytes_ns\": %.2f, "
                    "\"bytes_hash_ns\": %.2f, \"fingerprints_ns\": %.2f, "
                    "\"narrow_keys_ns\": %.2f, \"wide_keys_ns\": %.2f, \"keys_ns\": %.2f, "
                    "\"touched\": %llu}\n",
                    cell_size_, median(bytes_ns_),
                    median(hash_ns_), median(fingerprints_ns_), narrow_ns, wide_ns,
                    cell_size_ == narrow_cell ? narrow_ns : wide_ns,
                    static_cast<unsigned long long>((touched_ + nothing_.touched) & 0xff));
    }

private:
    template <typename Take>
    double timed(const Take& take) {
        const std::clock_t begin = std::clock();
        for (int round = 0; round < rounds_per_run; ++round) {
            const Side side = round % 2 == 0 ? Side::base : Side::index;
            // Each two rounds in an order of their own: a processor learns 256 sizes by heart.
            const auto step = static_cast<std::size_t>(round / 2 * 2 + 1);
            for (std::size_t number = 0; number < entries_count; ++number) {
                take(round, world_.items()[number * step % entries_count], side);
            }
        }
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        return seconds * 1e9 / (rounds_per_run * static_cast<double>(entries_count));
    }

    double timed_into(TurningLane& lane) {
        const audit::QuickEntry& derive = *world_.program().quick_derive();
        const audit::QuickEntry& decode = *world_.program().quick_decode();
        const double ns = timed([&](int round, const Item& item, Side side) {
            lane.set_round(round);
            const audit::QuickEntry& plan = side == Side::base ? derive : decode;
            store::ensure(queue_.add(plan, item.row(side), {&lane, side, {}}),
                          "the rows are plain ones");
        });
        queue_.flush();
        return ns;
    }

    static double median(std::vector<double>& times) {
        std::sort(times.begin(), times.end());
        return times[times.size() / 2];
    }

    World world_;
    audit::EntryBytes bytes_;
    audit::EntryQueue queue_{seed};
    std::size_t cell_size_ = 0;
    Nothing nothing_;
    FingerprintLadder fingerprints_;
    Keys narrow_{narrow_cell};
    Keys wide_{wide_cell};
    std::uint64_t touched_ = 0;
    std::vector<double> bytes_ns_, hash_ns_, fingerprints_ns_, narrow_ns_, wide_ns_;
};

}  // namespace

int main(int count, char** words) {
    const int runs = count > 1 ? std::atoi(words[1]) : 5;
    if (runs < 1) {
        std::fprintf(stderr, "engine_speed [RUNS]\n");
        return 16;
    }
    Bench bench;
    for (int run = 0; run < runs; ++run) bench.measure();
    bench.print();
    return 0;
}
