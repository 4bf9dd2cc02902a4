#include "audit/audit_run.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <random>
#include <set>

#include "audit/conclude.hpp"
#include "audit/confirm.hpp"
#include "audit/cover.hpp"
#include "audit/doubts.hpp"
#include "audit/engines.hpp"
#include "audit/reconcile_pass.hpp"
#include "audit/scan.hpp"
#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

// Random for each run, so that nobody can choose keys whose fingerprints collide.
std::uint64_t random_seed() {
    std::random_device device;
    return (std::uint64_t{device()} << 32) | device();
}

class Audit {
public:
    Audit(const Spec& spec, const Readers& readers, Clock& clock, const AuditOptions& options)
        : spec_{spec},
          readers_{readers},
          clock_{clock},
          options_{options},
          budget_{options.memory_bytes_max},
          pool_{make_task_pool(options.threads)} {}

    AuditResult run() {
        begin();
        compile_programs();
        choose_engines();
        scan();
        reconcile();
        find_doubtful();
        confirm_suspects();
        end();
        return std::move(result_);
    }

private:
    void begin() {
        result_.spec_file = spec_.file;
        result_.spec_digest = spec_.digest;
        result_.seed = options_.seed ? *options_.seed : random_seed();
        result_.coverage.begin_ms = clock_.now_ms();
        result_.now_ms = options_.as_of_ms.value_or(result_.coverage.begin_ms);
    }

    void compile_programs() {
        std::map<std::string, StoreFacts> facts;
        for (const auto& [name, reader] : readers_) {
            facts[name] = {reader->tables(), reader->capabilities().key_limits};
            result_.stores.emplace_back(name, reader->identity());
        }
        programs_ = compile(spec_, facts, options_.only, result_.now_ms);
        std::set<store::Reader*> distinct;
        for (const TableProgram& table : programs_.tables) {
            const auto place = readers_.find(table.store);
            store::ensure(place != readers_.end(), "compile() knows only the stores it is given");
            table_readers_.push_back(place->second);
            if (distinct.insert(place->second).second) refreshable_.push_back(place->second);
        }
    }

    void choose_engines() {
        engines_ = std::make_unique<Engines>(programs_, table_readers_, result_.seed,
                                             options_.engine, budget_, options_.spill_directory);
    }

    void scan() {
        WalkSettings settings = walk_settings();
        for (std::size_t table = 0; table < programs_.tables.size(); ++table) {
            settings.tables.push_back(table);
        }
        scan_ = run_scan(programs_, table_readers_, engines_->reconcilers(), *pool_, settings,
                         result_.seed);
        scan_of_index_.assign(programs_.indexes.size(), &scan_);
        scan_end_ms_ = clock_.now_ms();
        result_.coverage.tables = cover_tables(programs_, scan_);
        result_.coverage.indexes = cover_indexes(programs_, scan_);
        result_.coverage.gaps = find_gaps(programs_, scan_);
    }

    WalkSettings walk_settings() {
        WalkSettings settings;
        if (options_.partitions > 0) settings.partitions = options_.partitions;
        settings.progress = [this](std::uint64_t rows) { tell("scan", rows); };
        settings.stop_requested = options_.stop_requested;
        return settings;
    }

    void reconcile() {
        tell("reconcile", 0);
        unmatched_ = run_reconcile_pass(engines_->reconcilers(), *pool_);
        scan_exhausted_again();
        for (std::size_t number = 0; number < unmatched_.size(); ++number) {
            IndexCoverage& index = result_.coverage.indexes[number];
            index.engine = engines_->of(number).name();
            index.miss_probability =
                engines_->of(number).miss_probability(unmatched_[number].size());
            suspects_ += unmatched_[number].size();
        }
    }

    // More drift than a sketch can hold, or entries that do not tell their base row: once more, into
    // the exact engine.
    void scan_exhausted_again() {
        std::vector<bool> exhausted(programs_.indexes.size());
        bool any = false;
        for (std::size_t index = 0; index < exhausted.size(); ++index) {
            exhausted[index] =
                engines_->of(index).exhausted() ||
                !can_carry(*programs_.indexes[index].program, unmatched_[index]);
            any = any || exhausted[index];
        }
        if (!any) return;
        WalkSettings settings = walk_settings();
        settings.tables = walk_of(programs_, exhausted, false).tables;
        const std::vector<Reconciler*> exact = engines_->replace(exhausted);
        again_ = run_scan(programs_, table_readers_, exact, *pool_, settings, result_.seed);
        auto& gaps = result_.coverage.gaps;
        gaps.insert(gaps.end(), again_.walk.gaps.begin(), again_.walk.gaps.end());
        auto unmatched = run_reconcile_pass(exact, *pool_);
        for (std::size_t index = 0; index < exhausted.size(); ++index) {
            if (!exhausted[index]) continue;
            unmatched_[index] = std::move(unmatched[index]);
            scan_of_index_[index] = &again_;
        }
        scan_end_ms_ = clock_.now_ms();
    }

    void find_doubtful() {
        Doubts doubts = find_doubts(programs_, scan_);
        silenced_ = std::move(doubts.silenced);
        result_.coverage.doubts = std::move(doubts.doubts);
    }

    void confirm_suspects() {
        tell("confirm", 0);
        const ConfirmContext context{programs_, table_readers_, refreshable_,  scan_, scan_of_index_,
                                     *pool_,    clock_,         result_.seed, scan_end_ms_};
        Confirmation confirmation = confirm(context, unmatched_, silenced_);
        auto& gaps = result_.coverage.gaps;
        gaps.insert(gaps.end(), confirmation.gaps.begin(), confirmation.gaps.end());
        Conclusion conclusion = conclude(programs_, std::move(confirmation.outcomes));
        result_.findings = std::move(conclusion.findings);
        for (std::size_t number = 0; number < programs_.indexes.size(); ++number) {
            result_.coverage.indexes[number].suspects = confirmation.suspects[number];
            check_sum(number, conclusion, confirmation.unverifiable[number]);
        }
    }

    // Every suspect has become something: settled, shared, unverifiable, or part of a finding.
    void check_sum(std::size_t number, const Conclusion& conclusion, std::uint64_t unverifiable) {
        IndexCoverage& index = result_.coverage.indexes[number];
        index.settled = conclusion.settled[number];
        index.shared = conclusion.shared[number];
        index.moves = conclusion.moves[number];
        index.unverifiable = unverifiable;
        index.findings = static_cast<std::uint64_t>(
            std::count_if(result_.findings.begin(), result_.findings.end(),
                          [&](const Finding& finding) { return finding.index == index.index; }));
        const std::uint64_t sum =
            index.settled + index.shared + conclusion.accounted[number] + index.unverifiable;
        store::ensure(sum == index.suspects, "every suspect is accounted for");
        doubt_unexplained(number, index);
    }

    // Under a snapshot nothing moves: a difference that confirmation cannot see is not settled but
    // unexplained, and the answer must not be "consistent".
    void doubt_unexplained(std::size_t number, const IndexCoverage& index) {
        const bool steady = shares_snapshot(programs_, table_readers_, number);
        if (index.unverifiable > 0) {
            doubt(index, std::to_string(index.unverifiable) + " suspects could not be judged",
                  "the base table was not read completely; see the gaps");
        } else if (steady && index.settled > 0) {
            doubt(index, std::to_string(index.settled) + " differences could not be explained",
                  "an index row may hold one entry twice; look at it with `why`");
        }
    }

    void doubt(const IndexCoverage& index, std::string text, std::string hint) {
        result_.coverage.doubts.push_back(
            {"index " + index.index, std::move(text), std::move(hint)});
    }

    void end() {
        result_.coverage.snapshot = true;
        for (std::size_t number = 0; number < programs_.indexes.size(); ++number) {
            if (shares_snapshot(programs_, table_readers_, number)) continue;
            result_.coverage.snapshot = false;
        }
        result_.coverage.end_ms = clock_.now_ms();
    }

    // From any worker; the caller's function is called by one at a time.
    void tell(const char* phase, std::uint64_t rows) {
        rows_ += rows;
        if (!options_.progress) return;
        const std::lock_guard lock{progress_mutex_};
        options_.progress({phase, rows_, suspects_});
    }

    const Spec& spec_;
    const Readers& readers_;
    Clock& clock_;
    const AuditOptions& options_;
    MemoryBudget budget_;
    std::unique_ptr<TaskPool> pool_;
    Programs programs_;
    TableReaders table_readers_;
    std::vector<store::Reader*> refreshable_;
    std::unique_ptr<Engines> engines_;
    ScanResult scan_;
    ScanResult again_;  // of the indexes whose sketch was exhausted
    std::vector<const ScanResult*> scan_of_index_;
    std::int64_t scan_end_ms_ = 0;
    std::vector<std::vector<Unmatched>> unmatched_;
    std::vector<bool> silenced_;
    std::atomic<std::uint64_t> rows_{0};
    std::uint64_t suspects_ = 0;
    std::mutex progress_mutex_;
    AuditResult result_;
};

}  // namespace

AuditResult run_audit(const Spec& spec, const Readers& readers, Clock& clock,
                      const AuditOptions& options) {
    return Audit{spec, readers, clock, options}.run();
}

}  // namespace idxfsck::audit
