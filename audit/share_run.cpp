#include "audit/share_run.hpp"

#include <filesystem>

#include "audit/cover.hpp"
#include "audit/long_scan.hpp"
#include "audit/progress_teller.hpp"
#include "audit/sketch_file.hpp"
#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

// The walk of a share before its first row.
ScanResult scan_to_do(const SketchParameters& parameters, const Share& share) {
    ScanResult scan;
    std::uint64_t number = 0;
    for (std::size_t table = 0; table < parameters.tables.size(); ++table) {
        const auto& partitions = parameters.tables[table].partitions;
        PartitionCount& count = scan.walk.partitions.emplace_back();
        for (std::size_t origin = 0; origin < partitions.size(); ++origin, ++number) {
            if (!share.has(number)) continue;
            ++count.cut;
            const store::Partition& partition = partitions[origin];
            scan.walk.rest.push_back({table, origin, partition.label, partition, {}});
        }
    }
    return scan;
}

class ShareScan {
public:
    ShareScan(Clock& clock, const AuditOptions& options, const SketchParameters& parameters,
              const Share& share, const Ground& ground)
        : clock_{clock},
          options_{options},
          parameters_{parameters},
          share_{share},
          ground_{ground},
          budget_{options.memory_bytes_max},
          pool_{make_task_pool(options.threads)},
          teller_{options.progress},
          engines_{ground.programs, parameters.head.engines, parameters.head.seed, budget_,
                   options.spill_directory} {
        teller_.set_rows_total(ground.rows_to_read() / share.count);
    }

    ShareResult run(const std::string& file) {
        SketchHead head{parameters_, share_, clock_.now_ms(), 0, 0, {}};
        ScanResult scan = options_.resume ? resumed(head.begin_ms)
                                          : scan_to_do(parameters_, share_);
        const CheckpointHead checkpoint = checkpoint_head(head.begin_ms);
        LongScan long_scan{ground_.programs, ground_.readers, engines_, *pool_,
                           clock_,           options_,        checkpoint};
        long_scan.resume(std::move(scan));
        scan = long_scan.run(walk_settings());
        // A signal that came when all was read has stopped nothing.
        const bool stopped = !scan.walk.rest.empty();
        scan.walk.give_up(ground_.programs, scan.walk.stop_cause.empty()
                                                ? "the scan of the share was stopped"
                                                : scan.walk.stop_cause);
        if (!stopped) {
            head.end_ms = clock_.now_ms();
            save_sketch(file, head, ground_.programs, engines_, scan);
            if (!options_.checkpoint_file.empty()) {
                std::filesystem::remove(options_.checkpoint_file);
            }
        }
        return {share_, cover_tables(ground_.programs, scan), find_gaps(ground_.programs, scan),
                parameters_.partitions_count(), stopped};
    }

private:
    // What a checkpoint must be of: these parameters and this share of them.
    CheckpointHead checkpoint_head(std::int64_t begin_ms) const {
        CheckpointHead head = parameters_.head;
        head.spec_digest += " share " + share_name(share_) + " of the parameters made at " +
                            std::to_string(head.begin_ms);
        head.begin_ms = begin_ms;
        return head;
    }

    // The scan so far; its begin comes from the checkpoint, too.
    ScanResult resumed(std::int64_t& begin_ms) {
        CheckpointReader reader{options_.checkpoint_file};
        if (reader.head() != checkpoint_head(reader.head().begin_ms)) {
            throw store::Error{"the checkpoint is of another share, or of other parameters",
                               store::Trouble::usage}
                .with("file", options_.checkpoint_file)
                .with("share", share_name(share_))
                .hint("start the share again without --resume");
        }
        begin_ms = reader.head().begin_ms;
        return reader.read_scan(ground_.programs, engines_);
    }

    WalkSettings walk_settings() {
        WalkSettings settings;
        settings.progress = [this](std::uint64_t rows) { teller_.tell("scan", rows); };
        settings.stop_requested = options_.stop_requested;
        return settings;
    }

    Clock& clock_;
    const AuditOptions& options_;
    const SketchParameters& parameters_;
    const Share share_;
    const Ground& ground_;
    MemoryBudget budget_;
    std::unique_ptr<TaskPool> pool_;
    ProgressTeller teller_;
    Engines engines_;
};

}  // namespace

ShareResult run_share(const Spec& spec, const Readers& readers, Clock& clock,
                      const AuditOptions& options, const SketchParameters& parameters,
                      const Share& share, const std::string& sketch_file) {
    const Ground ground = lay_ground(spec, readers, parameters);
    return ShareScan{clock, options, parameters, share, ground}.run(sketch_file);
}

}  // namespace idxfsck::audit
