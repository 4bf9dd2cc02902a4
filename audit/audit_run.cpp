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
#include "audit/exact_reconciler.hpp"
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

Counting counting_of(const IndexSpec& spec) {
    if (!spec.pointer.empty() || spec.container.kind != ContainerKind::none) {
        return Counting::multiset;
    }
    return spec.unique ? Counting::set_unique : Counting::set;
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
        make_reconcilers();
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

    void make_reconcilers() {
        for (const CompiledIndex& index : programs_.indexes) {
            owned_.push_back(std::make_unique<ExactReconciler>(
                counting_of(index.program->spec()), budget_, options_.spill_directory));
            reconcilers_.push_back(owned_.back().get());
        }
    }

    void scan() {
        WalkSettings settings;
        if (options_.partitions > 0) settings.partitions = options_.partitions;
        for (std::size_t table = 0; table < programs_.tables.size(); ++table) {
            settings.tables.push_back(table);
        }
        settings.progress = [this](std::uint64_t rows) { tell("scan", rows); };
        settings.stop_requested = options_.stop_requested;
        scan_ = run_scan(programs_, table_readers_, reconcilers_, *pool_, settings, result_.seed);
        scan_end_ms_ = clock_.now_ms();
        result_.coverage.tables = cover_tables(programs_, scan_);
        result_.coverage.indexes = cover_indexes(programs_, scan_);
        result_.coverage.gaps = find_gaps(programs_, scan_);
    }

    void reconcile() {
        tell("reconcile", 0);
        unmatched_ = run_reconcile_pass(reconcilers_, *pool_);
        for (std::size_t number = 0; number < unmatched_.size(); ++number) {
            IndexCoverage& index = result_.coverage.indexes[number];
            index.engine = reconcilers_[number]->name();
            index.miss_probability =
                reconcilers_[number]->miss_probability(unmatched_[number].size());
            suspects_ += unmatched_[number].size();
        }
    }

    void find_doubtful() {
        Doubts doubts = find_doubts(programs_, scan_);
        silenced_ = std::move(doubts.silenced);
        result_.coverage.doubts = std::move(doubts.doubts);
    }

    void confirm_suspects() {
        tell("confirm", 0);
        const ConfirmContext context{programs_, table_readers_, refreshable_,  scan_,
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
    std::vector<std::unique_ptr<Reconciler>> owned_;
    std::vector<Reconciler*> reconcilers_;
    ScanResult scan_;
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
