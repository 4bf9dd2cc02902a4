#include "audit/merge_run.hpp"

#include <algorithm>

#include "audit/finish.hpp"
#include "audit/moments.hpp"
#include "audit/share_set.hpp"
#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

// Partitions of each table that a share has.
std::vector<std::size_t> partitions_of(const SketchParameters& parameters, const Share& share) {
    std::vector<std::size_t> counts;
    std::uint64_t number = 0;
    for (const TableCut& table : parameters.tables) {
        std::size_t& count = counts.emplace_back(0);
        for (std::size_t left = table.partitions.size(); left > 0; --left) {
            if (share.has(number++)) ++count;
        }
    }
    return counts;
}

Ground ground_of(const Spec& spec, const Readers& readers, const SketchParameters& parameters,
                 const std::string& file) {
    try {
        return lay_ground(spec, readers, parameters);
    } catch (store::Error& error) {
        error.with("file", file);
        throw;
    }
}

class Merge {
public:
    Merge(const Spec& spec, Clock& clock, const AuditOptions& options, const ShareSet& set,
          const Ground& ground)
        : spec_{spec},
          clock_{clock},
          options_{options},
          set_{set},
          ground_{ground},
          seed_{set.parameters.head.seed},
          budget_{options.memory_bytes_max},
          pool_{make_task_pool(options.threads)},
          teller_{options.progress},
          engines_{ground.programs, set.parameters.head.engines, seed_, budget_,
                   options.spill_directory} {
        result_.spec_file = spec.file;
        result_.spec_digest = spec.digest;
        result_.stores = ground.stores;
        result_.seed = seed_;
        result_.now_ms = set.parameters.head.now_ms;
        result_.coverage.begin_ms = set.shares.begin()->second.head.begin_ms;
    }

    AuditResult run() {
        scan_.walk.partitions.resize(ground_.programs.tables.size());
        scan_.workers.push_back(std::make_unique<ScanWorker>(0, ground_.programs, seed_));
        for (const auto& [share, kept] : set_.shares) add(kept);
        // In order, as one scan would have them.
        scan_.walk.give_up(ground_.programs, "");
        cover_scan(ground_.programs, scan_, result_);
        cover_moments(spec_, ground_.programs, ground_.readers, result_.coverage);
        finish_audit(finish_context(), result_);
        result_.coverage.end_ms = clock_.now_ms();
        return std::move(result_);
    }

private:
    void add(const KeptSketch& kept) {
        SketchReader reader{kept.file};
        const ScanResult more = reader.read_scan(ground_.programs, engines_);
        check(kept, reader.head(), more.walk);
        for (std::size_t table = 0; table < more.walk.partitions.size(); ++table) {
            const PartitionCount& count = more.walk.partitions[table];
            scan_.walk.partitions[table].cut += count.cut;
            scan_.walk.partitions[table].failed.insert(count.failed.begin(), count.failed.end());
        }
        auto& gaps = scan_.walk.gaps;
        gaps.insert(gaps.end(), more.walk.gaps.begin(), more.walk.gaps.end());
        scan_.workers.front()->add(*more.workers.front());
        const SketchHead& head = kept.head;
        result_.coverage.shares.push_back(
            {share_name(head.share), head.begin_ms, head.end_ms, kept.contents.size()});
        result_.coverage.begin_ms = std::min(result_.coverage.begin_ms, head.begin_ms);
        end_ms_ = std::max(end_ms_, head.end_ms);
    }

    // Is it still the sketch that was chosen, and does it hold what it says?
    void check(const KeptSketch& kept, const SketchHead& head, const WalkResult& walk) const {
        bool sound = head.digest == kept.head.digest && head.share == kept.head.share;
        const auto counts = partitions_of(set_.parameters, head.share);
        for (std::size_t table = 0; table < counts.size(); ++table) {
            const PartitionCount& count = walk.partitions[table];
            const std::size_t partitions = set_.parameters.tables[table].partitions.size();
            sound = sound && count.cut == counts[table] && count.failed.size() <= count.cut &&
                    (count.failed.empty() || *count.failed.rbegin() < partitions);
        }
        if (sound) return;
        throw store::Error{"the sketch changed while it was read, or does not hold its share"}
            .with("file", kept.file)
            .hint("scan the share again");
    }

    FinishContext finish_context() {
        WalkSettings settings;
        if (options_.partitions > 0) settings.partitions = options_.partitions;
        settings.progress = [this](std::uint64_t rows) { teller_.tell("scan", rows); };
        settings.stop_requested = options_.stop_requested;
        // The clock of another machine may be ahead of this one; the scan has ended all the same.
        const std::int64_t end_ms = std::min(end_ms_, clock_.now_ms());
        return {ground_.programs, ground_.readers, ground_.look_readers, ground_.refreshable,
                engines_,         EngineChoice::fixed, budget_,          *pool_,
                clock_,           teller_,         scan_,                end_ms,
                true,             settings};
    }

    const Spec& spec_;
    Clock& clock_;
    const AuditOptions& options_;
    const ShareSet& set_;
    const Ground& ground_;
    const std::uint64_t seed_;
    MemoryBudget budget_;
    std::unique_ptr<TaskPool> pool_;
    ProgressTeller teller_;
    Engines engines_;
    ScanResult scan_;
    std::int64_t end_ms_ = 0;  // of the last share
    AuditResult result_;
};

}  // namespace

AuditResult run_merge(const Spec& spec, const Readers& readers, Clock& clock,
                      const AuditOptions& options, const std::vector<std::string>& sketch_files) {
    store::ensure(!sketch_files.empty(), "there is something to merge");
    const ShareSet set = collect_shares(spec.digest, sketch_files);
    check_shares(set);
    const Ground ground = ground_of(spec, readers, set.parameters, sketch_files.front());
    return Merge{spec, clock, options, set, ground}.run();
}

}  // namespace idxfsck::audit
