#include "audit/walk_pass.hpp"

#include <algorithm>
#include <mutex>
#include <set>
#include <tuple>

#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

// Pages that are read of a partition before it may be cut: less is not worth a new seek.
constexpr std::uint64_t pages_before_cut_min = 8;

// A part of a table: a partition as cut at the start, or a piece of one.
struct Stretch {
    std::size_t table = 0;
    std::size_t origin = 0;  // number of the partition that it was cut from
    store::Bytes label;      // of that partition
    store::Partition partition;
};

class Walk {
public:
    Walk(const Programs& programs, const TableReaders& readers, TaskPool& pool,
         const WalkSettings& settings, const MakeSink& make_sink)
        : programs_{programs},
          readers_{readers},
          pool_{pool},
          settings_{settings},
          make_sink_{make_sink},
          failed_(programs.tables.size()) {
        result_.partitions.resize(programs.tables.size());
    }

    WalkResult run() {
        for (const std::size_t table : settings_.tables) add_table(table);
        pool_.wait();
        for (const std::size_t table : settings_.tables) {
            PartitionCount& count = result_.partitions[table];
            count.read = count.cut - failed_[table].size();
        }
        std::sort(result_.gaps.begin(), result_.gaps.end(), [](const Gap& a, const Gap& b) {
            return std::tie(a.table, a.partition, a.cause) < std::tie(b.table, b.partition, b.cause);
        });
        return std::move(result_);
    }

private:
    void add_table(std::size_t table) {
        const TableProgram& program = programs_.tables[table];
        PartitionCount& count = result_.partitions[table];
        try {
            const auto partitions =
                readers_[table]->split(program.schema.name, settings_.partitions);
            count.cut = partitions.size();
            for (std::size_t origin = 0; origin < partitions.size(); ++origin) {
                add({table, origin, partitions[origin].label, partitions[origin]});
            }
        } catch (const store::Error& error) {
            count.cut = 1;
            note_gap({table, 0, "all", {}}, error.what());
        }
    }

    void add(Stretch stretch) {
        pool_.add([this, stretch = std::move(stretch)](std::size_t worker) {
            try {
                scan(stretch, worker);
            } catch (const store::Error& error) {
                note_gap(stretch, error.what());
            }
        });
    }

    void scan(const Stretch& stretch, std::size_t worker) {
        std::uint64_t pages = 0;
        bool cut = false;
        const auto gate = [&](std::uint64_t rows) {
            if (settings_.progress) settings_.progress(rows);
            if (settings_.stop_requested && settings_.stop_requested()) return false;
            cut = ++pages >= pages_before_cut_min && pool_.hungry();
            return !cut;
        };
        const auto sink = make_sink_(stretch.table, worker, stretch.partition, gate);
        const TableProgram& program = programs_.tables[stretch.table];
        store::ScanOptions options;
        options.projection = &program.projection;
        const store::Reader& reader = *readers_[stretch.table];
        const auto end = reader.scan(program.schema.name, stretch.partition, options, *sink);
        if (end == store::ScanEnd::complete) return;
        if (cut) return add_rest(stretch, *sink->position());
        note_gap(stretch, "the audit was stopped");
    }

    void add_rest(const Stretch& stretch, const store::Position& position) {
        const store::Bytes& name = programs_.tables[stretch.table].schema.name;
        const store::Reader& reader = *readers_[stretch.table];
        for (store::Partition& rest : reader.split_rest(name, stretch.partition, position)) {
            add({stretch.table, stretch.origin, stretch.label, std::move(rest)});
        }
    }

    void note_gap(const Stretch& stretch, std::string cause) {
        const std::lock_guard lock{mutex_};
        failed_[stretch.table].insert(stretch.origin);
        result_.gaps.push_back(
            {programs_.tables[stretch.table].schema.name, stretch.label, std::move(cause)});
    }

    const Programs& programs_;
    const TableReaders& readers_;
    TaskPool& pool_;
    const WalkSettings& settings_;
    const MakeSink& make_sink_;
    std::mutex mutex_;  // of what a task that fails writes down
    std::vector<std::set<std::size_t>> failed_;
    WalkResult result_;
};

}  // namespace

WalkResult run_walk_pass(const Programs& programs, const TableReaders& readers, TaskPool& pool,
                         const WalkSettings& settings, const MakeSink& make_sink) {
    Walk walk{programs, readers, pool, settings, make_sink};
    return walk.run();
}

}  // namespace idxfsck::audit
