// Nanoseconds of one core that the engine takes for an entry: canonical bytes, hash, sketch.
//
// engine_speed [RUNS]
//
// Entries lie in memory as the program of an index hands them over: those of make_tables, an e-mail
// address of about 29 bytes and the id of a user. Both sides add each of them, so that they cancel
// as in a real audit. Steps take turns, RUNS times (5), so that whatever else the machine does
// falls on all of them; prints medians of processor time as one JSON object.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <vector>

#include "audit/fingerprint.hpp"
#include "audit/ladder_sketch.hpp"
#include "audit/sketch_reconciler.hpp"
#include "fixtures/person.hpp"

namespace {

using namespace idxfsck;
using audit::Side;

constexpr std::size_t entries_count = 4096;
constexpr int rounds_per_run = 200;
constexpr std::uint64_t seed = 0x1d8f5c0a;
constexpr std::size_t narrow_cell = 64;
constexpr std::size_t wide_cell = 128;

std::vector<audit::Entry> make_entries() {
    std::vector<audit::Entry> entries(entries_count);
    for (std::size_t number = 0; number < entries_count; ++number) {
        const fixtures::Person person = fixtures::make_person(1, number * 2441);
        entries[number].key = {store::Value::text(fixtures::lower_ascii(person.email))};
        entries[number].pointer = {store::Value::text(person.user_id)};
    }
    return entries;
}

// The ladder of the sketch with fingerprints on every level: what an engine costs that leaves the
// keys to a second look.
class FingerprintLadder {
public:
    void add(Side side, const audit::Fingerprint& fingerprint, store::BytesView) {
        const auto zeros = static_cast<std::size_t>(std::countr_zero(fingerprint.low));
        const std::size_t last = std::min(zeros / 4, levels_.size() - 1);
        for (std::size_t level = 0; level <= last; ++level) levels_[level].add(side, fingerprint);
    }

private:
    std::array<audit::SketchCells, audit::ladder_levels_count> levels_;
};

struct Nothing {
    std::uint64_t touched = 0;  // so that no compiler drops the work
    void add(Side, const audit::Fingerprint& fingerprint, store::BytesView) {
        touched += fingerprint.low;
    }
};

class Bench {
public:
    Bench() : entries_{make_entries()} {
        for (const audit::Entry& entry : entries_) loans_.emplace_back(entry);
        std::vector<std::size_t> sizes;
        for (const audit::EntryLoan& loan : loans_) {
            sizes.push_back(bytes_.of(loan.view(), true).size());
        }
        cell_size_ = audit::sketch_cell_size(sizes);
    }

    void measure() {
        bytes_ns_.push_back(timed([&](const audit::EntryView& entry, Side) {
            touched_ += bytes_.of(entry, true).size();
        }));
        hash_ns_.push_back(timed_into(nothing_));
        fingerprints_ns_.push_back(timed_into(fingerprints_));
        narrow_ns_.push_back(timed_into(narrow_));
        wide_ns_.push_back(timed_into(wide_));
    }

    void print() {
        const double narrow_ns = median(narrow_ns_);
        const double wide_ns = median(wide_ns_);
        std::printf("{\"cell_bytes\": %zu, \"bytes_ns\": %.2f, \"bytes_hash_ns\": %.2f, "
                    "\"fingerprints_ns\": %.2f, \"narrow_keys_ns\": %.2f, "
                    "\"wide_keys_ns\": %.2f, \"keys_ns\": %.2f, \"touched\": %llu}\n",
                    cell_size_, median(bytes_ns_), median(hash_ns_), median(fingerprints_ns_),
                    narrow_ns, wide_ns, cell_size_ == narrow_cell ? narrow_ns : wide_ns,
                    static_cast<unsigned long long>((touched_ + nothing_.touched) & 0xff));
    }

private:
    template <typename Take>
    double timed(const Take& take) {
        const std::clock_t begin = std::clock();
        for (int round = 0; round < rounds_per_run; ++round) {
            const Side side = round % 2 == 0 ? Side::base : Side::index;
            for (const audit::EntryLoan& loan : loans_) take(loan.view(), side);
        }
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        return seconds * 1e9 / (rounds_per_run * static_cast<double>(entries_count));
    }

    template <typename Sketch>
    double timed_into(Sketch& sketch) {
        return timed([&](const audit::EntryView& entry, Side side) {
            const audit::Fingerprint fingerprint = fingerprinter_.of(entry);
            sketch.add(side, fingerprint, fingerprinter_.bytes());
        });
    }

    static double median(std::vector<double>& times) {
        std::sort(times.begin(), times.end());
        return times[times.size() / 2];
    }

    std::vector<audit::Entry> entries_;
    std::vector<audit::EntryLoan> loans_;
    audit::EntryBytes bytes_;
    audit::Fingerprinter fingerprinter_{seed};
    std::size_t cell_size_ = 0;
    Nothing nothing_;
    FingerprintLadder fingerprints_;
    audit::LadderSketch narrow_{seed, narrow_cell};
    audit::LadderSketch wide_{seed, wide_cell};
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
