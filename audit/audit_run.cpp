#include "audit/audit_run.hpp"

#include <algorithm>
#include <filesystem>

#include "audit/finish.hpp"
#include "audit/ground.hpp"
#include "audit/live_stores.hpp"
#include "audit/long_scan.hpp"
#include "audit/moments.hpp"
#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

// Workers that wait for a network cost no core: more of them keep more requests under way.
std::size_t workers_for(const Spec& spec, const AuditOptions& options, const Readers& readers) {
    constexpr std::size_t waiting_workers = 16;
    // A store in which suspects alone are looked at has no part in the scan.
    const auto waits = [&](const auto& named) {
        return named.second->capabilities().metered && !is_only_live(spec, named.first);
    };
    const bool network = std::any_of(readers.begin(), readers.end(), waits);
    return options.threads == 0 && network ? waiting_workers : options.threads;
}

class Audit {
public:
    Audit(const Spec& spec, const Readers& readers, Clock& clock, const AuditOptions& options)
        : spec_{spec},
          readers_{readers},
          clock_{clock},
          options_{options},
          budget_{options.memory_bytes_max},
          pool_{make_task_pool(workers_for(spec, options, readers))},
          teller_{options.progress} {}

    AuditResult run() {
        begin();
        compile_programs();
        choose_engines();
        scan();
        cover_scan(programs_, scan_, result_);
        cover_moments(spec_, programs_, table_readers_, result_.coverage);
        const FinishContext context = finish_context();
        if (!stopped_) finish(context);
        result_.coverage.snapshot = steady_throughout(context);
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
        Ground ground = lay_ground(spec_, readers_, options_.only, result_.now_ms);
        teller_.set_rows_total(ground.rows_to_read());
        programs_ = std::move(ground.programs);
        table_readers_ = std::move(ground.readers);
        look_readers_ = std::move(ground.look_readers);
        refreshable_ = std::move(ground.refreshable);
        result_.stores = std::move(ground.stores);
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
        note_stop(scan_.walk.stop_cause);
        scan_.walk.give_up(programs_, stop_cause_.empty() ? "the audit was stopped" : stop_cause_);
        scan_end_ms_ = clock_.now_ms();
    }

    // Of a store that may be read no further. Whoever asks for a stop knows why.
    void note_stop(const std::string& cause) {
        const bool asked = options_.stop_requested && options_.stop_requested();
        if (!asked) stop_cause_ = cause;
    }

    // A stop while suspects are confirmed leaves none of them a finding. All was scanned, and that
    // is in the checkpoint.
    void finish(const FinishContext& context) {
        const AuditResult scanned = result_;
        try {
            finish_audit(context, result_);
        } catch (const store::Error& error) {
            if (error.trouble() != store::Trouble::stopped) throw;
            result_ = scanned;
            stopped_ = true;
            note_stop(error.text());
            stop_hint_ += "; suspects are confirmed in one go, so leave room for all of them";
        }
    }

    WalkSettings walk_settings() {
        WalkSettings settings;
        if (options_.partitions > 0) settings.partitions = options_.partitions;
        settings.progress = [this](std::uint64_t rows) { teller_.tell("scan", rows); };
        settings.stop_requested = options_.stop_requested;
        return settings;
    }

    FinishContext finish_context() {
        return {programs_,       table_readers_, look_readers_, refreshable_, *engines_,
                options_.engine, budget_,        *pool_,        clock_,       teller_,  scan_,
                scan_end_ms_, checkpoint_ != nullptr, walk_settings()};
    }

    void end() {
        for (std::size_t table = 0; table < programs_.tables.size(); ++table) {
            const store::Bytes& name = programs_.tables[table].schema.name;
            const auto cost = table_readers_[table]->cost(name);
            result_.coverage.tables[table].cost = cost ? cost : look_readers_[table]->cost(name);
        }
        if (stopped_) {
            const std::string cause = stop_cause_.empty() ? "" : ": " + stop_cause_;
            result_.coverage.doubts.push_back(
                {"audit", "it was stopped before all was read and confirmed" + cause,
                 stop_hint_});
        }
        result_.coverage.end_ms = clock_.now_ms();
        if (options_.keep) options_.keep(result_);
        if (!stopped_ && !options_.checkpoint_file.empty()) {
            std::filesystem::remove(options_.checkpoint_file);
        }
    }

    const Spec& spec_;
    const Readers& readers_;
    Clock& clock_;
    const AuditOptions& options_;
    MemoryBudget budget_;
    std::unique_ptr<TaskPool> pool_;
    ProgressTeller teller_;
    Programs programs_;
    TableReaders table_readers_;
    TableReaders look_readers_;
    std::vector<store::Reader*> refreshable_;
    std::unique_ptr<CheckpointReader> checkpoint_;  // that this audit goes on from
    std::vector<EngineShape> shapes_;
    std::unique_ptr<Engines> engines_;
    bool stopped_ = false;
    std::string stop_cause_;  // "": whoever runs the audit asked for it
    std::string stop_hint_ = "go on with --resume";
    ScanResult scan_;
    std::int64_t scan_end_ms_ = 0;
    AuditResult result_;
};

}  // namespace

AuditResult run_audit(const Spec& spec, const Readers& readers, Clock& clock,
                      const AuditOptions& options) {
    return Audit{spec, readers, clock, options}.run();
}

}  // namespace idxfsck::audit
