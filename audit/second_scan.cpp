#include "audit/second_scan.hpp"

#include <algorithm>
#include <cmath>

#include "audit/confirm_context.hpp"
#include "audit/cover.hpp"
#include "audit/entry_sample.hpp"
#include "audit/parted_sketch.hpp"
#include "audit/reconcile_pass.hpp"

namespace idxfsck::audit {

namespace {

constexpr std::uint64_t exact_entry_bytes = 16;
// What comes out of a sketch with its bytes, against a place of 16 bytes.
constexpr double carried_entry_bytes = 150;

// Fewer than these would have come out of the first sketch: something else keeps it from peeling,
// such as an entry that one side holds twice, and would keep a larger one from it, too.
constexpr double chunks_of_first_sketch = 9'000;

bool any(const std::vector<bool>& included) {
    return std::find(included.begin(), included.end(), true) != included.end();
}

// Of an estimate nobody wants more than three digits.
std::uint64_t rounded(double number) {
    if (!(number >= 1)) return 0;
    const double unit = std::pow(10.0, std::max(0.0, std::floor(std::log10(number)) - 2));
    return static_cast<std::uint64_t>(std::round(number / unit) * unit);
}

void estimate(const Reconciler& engine, IndexCoverage& index) {
    index.differences_estimate = rounded(engine.differences_estimate());
    index.differences_error = engine.differences_error();
}

}  // namespace

SecondScan::SecondScan(const Programs& programs, const TableReaders& readers, Engines& engines,
                       TaskPool& pool, MemoryBudget& budget, std::uint64_t seed,
                       WalkSettings settings)
    : programs_{programs},
      readers_{readers},
      engines_{engines},
      pool_{pool},
      budget_{budget},
      seed_{seed},
      settings_{std::move(settings)},
      reasons_(programs.indexes.size()) {}

bool SecondScan::run(std::vector<Differences>& differences, Coverage& coverage,
                     std::vector<const ScanResult*>& scan_of_index) {
    const Included first = unanswered(Included(programs_.indexes.size(), true), differences);
    if (!any(first)) return false;
    for (std::size_t index = 0; index < first.size(); ++index) {
        if (!first[index]) continue;
        IndexCoverage& counts = coverage.indexes[index];
        const bool carried =
            can_carry(*programs_.indexes[index].program, differences[index].carried());
        reasons_[index] = "an entry does not tell its base row";
        if (engines_.of(index).exhausted()) estimate(engines_.of(index), counts);
        if (engines_.of(index).exhausted()) {
            reasons_[index] = counts.differences_estimate < chunks_of_first_sketch
                                  ? "the small sketch did not come apart"
                                  : "more differed than a small sketch holds";
        }
        set_engine(index, counts, carried);
    }
    scan(first, differences, coverage, scan_of_index);
    const Included second = unanswered(first, differences);
    if (!any(second) || coverage.indexes.empty() || !scans_.back().walk.gaps.empty()) return true;
    for (std::size_t index = 0; index < second.size(); ++index) {
        if (second[index]) engines_.set_exact(index);
    }
    scan(second, differences, coverage, scan_of_index);
    return true;
}

SecondScan::Included SecondScan::unanswered(const Included& included,
                                            const std::vector<Differences>& differences) const {
    Included result(included.size());
    for (std::size_t index = 0; index < included.size(); ++index) {
        if (!included[index] || is_metered(programs_, readers_, index)) continue;
        if (engines_.of(index).name() != "sketch") continue;
        result[index] =
            engines_.of(index).exhausted() ||
            !can_carry(*programs_.indexes[index].program, differences[index].carried());
    }
    return result;
}

void SecondScan::set_engine(std::size_t index, const IndexCoverage& counts, bool carried) {
    const std::size_t tables = carried ? tables_for(index, counts) : 0;
    if (tables > 0) {
        engines_.set_parted(index, tables);
    } else {
        engines_.set_exact(index);
    }
}

// Of a sketch made to measure; 0 if the exact engine is smaller, or the sketch would not help.
std::size_t SecondScan::tables_for(std::size_t index, const IndexCoverage& counts) const {
    const EntrySample sample = sample_entries(programs_, readers_, index);
    if (!sample.tell_base_rows) return 0;
    const std::size_t cell_size = engines_.shape(index).sketch_cell_size;
    const Reconciler& sketch = engines_.of(index);
    const double chunks = sketch.differences_estimate() * sample.chunks(cell_size);
    if (chunks < chunks_of_first_sketch) return 0;
    const std::size_t tables = parted_sketch_tables(chunks, sketch.differences_error());
    const std::uint64_t bytes = parted_sketch_bytes(tables, cell_size, pool_.workers());
    const std::uint64_t exact_bytes =
        (counts.entries_expected + counts.entries_held) * exact_entry_bytes;
    const auto carried_bytes = static_cast<std::uint64_t>(chunks * carried_entry_bytes);
    if (tables == 0 || bytes + carried_bytes >= exact_bytes) return 0;
    return bytes + carried_bytes < budget_.room() ? tables : 0;
}

void SecondScan::scan(const Included& included, std::vector<Differences>& differences,
                      Coverage& coverage, std::vector<const ScanResult*>& scan_of_index) {
    settings_.tables = walk_of(programs_, included, false).tables;
    std::vector<Reconciler*> reconcilers(included.size());
    for (std::size_t index = 0; index < included.size(); ++index) {
        if (included[index]) reconcilers[index] = engines_.reconcilers()[index];
    }
    ScanResult& scan = scans_.emplace_back(
        run_scan(programs_, readers_, reconcilers, pool_, settings_, seed_));
    const bool stopped = !scan.walk.rest.empty();
    scan.walk.give_up(programs_, "the audit was stopped");
    auto& gaps = coverage.gaps;
    gaps.insert(gaps.end(), scan.walk.gaps.begin(), scan.walk.gaps.end());
    // Half a scan would accuse whatever it did not come to: what the sketch gave is true.
    if (stopped) return;
    std::vector<Differences> found = run_reconcile_pass(reconcilers, pool_, budget_);
    // The answer comes from this scan, and so do its counts: a table may have moved meanwhile.
    std::vector<IndexCoverage> counted = cover_indexes(programs_, scan);
    for (std::size_t index = 0; index < included.size(); ++index) {
        if (!included[index]) continue;
        counted[index].engine_reason = reasons_[index];
        if (engines_.of(index).exhausted()) {
            counted[index].differences_estimate = coverage.indexes[index].differences_estimate;
            counted[index].differences_error = coverage.indexes[index].differences_error;
        }
        coverage.indexes[index] = std::move(counted[index]);
        differences[index].clear(budget_);
        differences[index] = std::move(found[index]);
        scan_of_index[index] = &scan;
    }
}

void say_estimates(const Engines& engines, Coverage& coverage) {
    for (std::size_t number = 0; number < coverage.indexes.size(); ++number) {
        IndexCoverage& index = coverage.indexes[number];
        const Reconciler& engine = engines.of(number);
        if (engine.exhausted() && index.differences_estimate == 0) estimate(engine, index);
        if (!engine.exhausted() && index.differences_estimate == 0) continue;
        index.miss_probability = 1;
        const auto percent = static_cast<int>(std::ceil(100 * index.differences_error));
        coverage.doubts.push_back(
            {"index " + index.index,
             "about " + std::to_string(index.differences_estimate) +
                 " entries differ (an estimate, good to " + std::to_string(percent) +
                 " %); the findings are some of them",
             engine.exhausted() && engine.name() != "sketch"
                 ? "free some space in the audit's folder, or allow more with --memory"
                 : "audit again, and let it read the tables to the end"});
    }
}

}  // namespace idxfsck::audit
