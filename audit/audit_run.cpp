#include "audit/audit_run.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <random>
#include <set>

#include "audit/account.hpp"
#include "audit/cover.hpp"
#include "audit/doubts.hpp"
#include "audit/long_scan.hpp"
#include "audit/reconcile_pass.hpp"
#include "audit/second_scan.hpp"
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
        cover();
        if (!stopped_) {
            reconcile();
            find_doubtful();
            confirm_suspects();
        }
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
        if (!options_.resume) return;
        // One `now` for an audit, however often it is stopped.
        checkpoint_ = std::make_unique<CheckpointReader>(options_.checkpoint_file);
        result_.seed = checkpoint_->head().seed;
        result_.now_ms = checkpoint_->head().now_ms;
        result_.coverage.begin_ms = checkpoint_->head().begin_ms;
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
        rows_total_ = rows_to_read();
    }

    // About; 0 if a store cannot say.
    std::uint64_t rows_to_read() const {
        std::uint64_t sum = 0;
        for (std::size_t number = 0; number < programs_.tables.size(); ++number) {
            const auto rows =
                table_readers_[number]->rows_estimate(programs_.tables[number].schema.name);
            if (!rows) return 0;
            sum += *rows;
        }
        return sum;
    }

    void choose_engines() {
        if (checkpoint_) checkpoint_->check(spec_.digest, result_.stores, options_.only);
        shapes_ = checkpoint_ ? checkpoint_->shapes(programs_.indexes.size())
                              : choose_shapes(programs_, table_readers_,
                                              {options_.engine, pool_->workers(),
                                               options_.memory_bytes_max});
        engines_ = std::make_unique<Engines>(programs_, shapes_, result_.seed, budget_,
                                             options_.spill_directory);
        if (checkpoint_) scan_ = checkpoint_->read_scan(programs_, *engines_);
    }

    void scan() {
        WalkSettings settings = walk_settings();
        for (std::size_t table = 0; table < programs_.tables.size(); ++table) {
            settings.tables.push_back(table);
        }
        const CheckpointHead head{spec_.digest,    result_.stores, options_.only,
                                  result_.seed,    result_.now_ms, result_.coverage.begin_ms,
                                  shapes_};
        LongScan scan{programs_, table_readers_, *engines_, *pool_, clock_, options_, head};
        if (checkpoint_) scan.resume(std::move(scan_));
        scan_ = scan.run(settings);
        stopped_ = scan.stopped();
        scan_.walk.give_up(programs_, "the audit was stopped");
        scan_of_index_.assign(programs_.indexes.size(), &scan_);
        scan_end_ms_ = clock_.now_ms();
    }

    void cover() {
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
        account_page_books();
        differences_ = run_reconcile_pass(engines_->reconcilers(), *pool_, budget_);
        again_ = std::make_unique<SecondScan>(programs_, table_readers_, *engines_, *pool_, budget_,
                                              result_.seed, walk_settings());
        for (std::size_t number = 0; number < differences_.size(); ++number) {
            result_.coverage.indexes[number].engine_reason =
                engine_reason(programs_, table_readers_, options_.engine, number, shapes_[number]);
        }
        if (again_->run(differences_, result_.coverage, scan_of_index_)) {
            scan_end_ms_ = clock_.now_ms();
        }
        for (std::size_t number = 0; number < differences_.size(); ++number) {
            IndexCoverage& index = result_.coverage.indexes[number];
            index.engine = engines_->of(number).name();
            index.miss_probability =
                engines_->of(number).miss_probability(differences_[number].size());
            suspects_ += differences_[number].size();
        }
    }

    // They are needed until the last suspect is confirmed.
    void account_page_books() {
        for (const auto& worker : scan_.workers) budget_.take(worker->book.bytes());
    }

    void find_doubtful() {
        Doubts doubts = find_doubts(programs_, scan_);
        silenced_ = std::move(doubts.silenced);
        result_.coverage.doubts = std::move(doubts.doubts);
        say_estimates(*engines_, result_.coverage);
    }

    void confirm_suspects() {
        tell("confirm", 0);
        const ConfirmContext context{programs_, table_readers_,  refreshable_,
                                     scan_,     scan_of_index_,
                                     *pool_,    clock_,         result_.seed, scan_end_ms_,
                                     checkpoint_ != nullptr,
                                     budget_};
        Confirmation confirmation = confirm(context, differences_, silenced_);
        for (Differences& differences : differences_) differences.clear(budget_);
        for (std::size_t table = 0; table < result_.coverage.tables.size(); ++table) {
            result_.coverage.tables[table].pages_reread += confirmation.pages_reread[table];
        }
        auto& gaps = result_.coverage.gaps;
        gaps.insert(gaps.end(), confirmation.gaps.begin(), confirmation.gaps.end());
        const Conclusion conclusion = conclude(programs_, std::move(confirmation.outcomes));
        result_.findings = conclusion.findings;
        for (std::size_t number = 0; number < programs_.indexes.size(); ++number) {
            account(result_.coverage, number, confirmation, conclusion, steady(number));
        }
    }

    // Do scan and confirmation of an index see one moment?
    bool steady(std::size_t number) const {
        return !checkpoint_ && shares_snapshot(programs_, table_readers_, number);
    }

    void end() {
        if (stopped_) {
            result_.coverage.doubts.push_back(
                {"audit", "it was stopped before all was read and confirmed",
                 "go on with --resume"});
        } else if (!options_.checkpoint_file.empty()) {
            std::filesystem::remove(options_.checkpoint_file);
        }
        result_.coverage.snapshot = true;
        for (std::size_t number = 0; number < programs_.indexes.size(); ++number) {
            result_.coverage.snapshot = result_.coverage.snapshot && steady(number);
        }
        result_.coverage.end_ms = clock_.now_ms();
    }

    // From any worker; the caller's function is called by one at a time.
    void tell(const char* phase, std::uint64_t rows) {
        rows_ += rows;
        if (!options_.progress) return;
        const std::lock_guard lock{progress_mutex_};
        const bool reads = std::string_view{phase} == "scan";
        options_.progress({phase, rows_, suspects_, reads ? rows_total_ : 0});
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
    std::unique_ptr<CheckpointReader> checkpoint_;  // that this audit goes on from
    std::vector<EngineShape> shapes_;
    std::unique_ptr<Engines> engines_;
    bool stopped_ = false;
    ScanResult scan_;
    std::unique_ptr<SecondScan> again_;  // of the indexes whose sketch was exhausted
    std::vector<const ScanResult*> scan_of_index_;
    std::int64_t scan_end_ms_ = 0;
    std::vector<Differences> differences_;
    std::vector<bool> silenced_;
    std::atomic<std::uint64_t> rows_{0};
    std::uint64_t rows_total_ = 0;
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
