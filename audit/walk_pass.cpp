#include "audit/walk_pass.hpp"

#include <algorithm>
#include <mutex>
#include <tuple>

#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

// Pages that are read of a partition before it may be cut: less is not worth a new seek.
constexpr std::uint64_t pages_before_cut_min = 8;

bool stretch_order(const Stretch& a, const Stretch& b) {
    return std::tie(a.table, a.origin, a.partition.token) <
           std::tie(b.table, b.origin, b.partition.token);
}

void sort_gaps(std::vector<Gap>& gaps) {
    std::sort(gaps.begin(), gaps.end(), [](const Gap& a, const Gap& b) {
        return std::tie(a.table, a.partition, a.cause) < std::tie(b.table, b.partition, b.cause);
    });
}

class Walk {
public:
    Walk(const Programs& programs, const TableReaders& readers, TaskPool& pool,
         const WalkSettings& settings, const MakeSink& make_sink)
        : programs_{programs},
          readers_{readers},
          pool_{pool},
          settings_{settings},
          make_sink_{make_sink} {
        result_.partitions.resize(programs.tables.size());
    }

    WalkResult run() {
        for (const Stretch& stretch : settings_.stretches) add(stretch);
        if (settings_.stretches.empty()) {
            // On the workers: to cut files of CSV, all their quotes are counted.
            for (const std::size_t table : settings_.tables) {
                pool_.add([this, table](std::size_t) { add_table(table); });
            }
        }
        pool_.wait();
        std::sort(result_.rest.begin(), result_.rest.end(), stretch_order);
        sort_gaps(result_.gaps);
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
                add({table, origin, partitions[origin].label, partitions[origin], {}});
            }
        } catch (const store::Error& error) {
            if (error.trouble() == store::Trouble::stopped) throw;
            count.cut = 1;
            note_gap({table, 0, "all", {}, {}}, error.what());
        }
    }

    void add(Stretch stretch) {
        pool_.add([this, stretch = std::move(stretch)](std::size_t worker) {
            if (stop_requested()) return leave(stretch, stretch.resume);
            std::unique_ptr<PageSink> sink;
            try {
                scan(stretch, worker, sink);
            } catch (const store::Error& error) {
                if (error.trouble() == store::Trouble::stopped) return stop(error, stretch, sink);
                note_gap(stretch, error.what());
            }
        });
    }

    void scan(const Stretch& stretch, std::size_t worker, std::unique_ptr<PageSink>& sink) {
        std::uint64_t pages = 0;
        bool cut = false;
        const TableProgram& program = programs_.tables[stretch.table];
        const store::Reader& reader = *readers_[stretch.table];
        const bool divisible = reader.divisible(program.schema.name, stretch.partition);
        const auto gate = [&](std::uint64_t rows) {
            if (settings_.progress) settings_.progress(rows);
            if (stop_requested()) return false;
            cut = divisible && ++pages >= pages_before_cut_min && pool_.hungry();
            return !cut;
        };
        sink = make_sink_(stretch, worker, gate);
        store::ScanOptions options;
        options.projection = settings_.whole_rows ? nullptr : &program.projection;
        options.resume = stretch.resume;
        options.keys = settings_.keys.empty() ? nullptr : settings_.keys[stretch.table];
        const auto end = reader.scan(program.schema.name, stretch.partition, options, *sink);
        if (end == store::ScanEnd::complete) return;
        if (cut) return add_rest(stretch, *sink->position());
        leave(stretch, sink->position());
    }

    // Of a store that may be read no further. What it has handed over is good.
    void stop(const store::Error& error, const Stretch& stretch,
              const std::unique_ptr<PageSink>& sink) {
        if (!settings_.stop_requested) throw;
        {
            const std::lock_guard lock{mutex_};
            if (result_.stop_cause.empty()) result_.stop_cause = error.text();
        }
        const bool begun = sink && sink->position();
        leave(stretch, begun ? sink->position() : stretch.resume);
    }

    bool stop_requested() const { return settings_.stop_requested && settings_.stop_requested(); }

    void leave(Stretch stretch, const std::optional<store::Position>& position) {
        stretch.resume = position;
        const std::lock_guard lock{mutex_};
        result_.rest.push_back(std::move(stretch));
    }

    void add_rest(const Stretch& stretch, const store::Position& position) {
        const store::Bytes& name = programs_.tables[stretch.table].schema.name;
        const store::Reader& reader = *readers_[stretch.table];
        for (store::Partition& rest : reader.split_rest(name, stretch.partition, position)) {
            add({stretch.table, stretch.origin, stretch.label, std::move(rest), {}});
        }
    }

    void note_gap(const Stretch& stretch, std::string cause) {
        const std::lock_guard lock{mutex_};
        result_.partitions[stretch.table].failed.insert(stretch.origin);
        result_.gaps.push_back(
            {programs_.tables[stretch.table].schema.name, stretch.label, std::move(cause)});
    }

    const Programs& programs_;
    const TableReaders& readers_;
    TaskPool& pool_;
    const WalkSettings& settings_;
    const MakeSink& make_sink_;
    std::mutex mutex_;  // of what a task that fails writes down
    WalkResult result_;
};

}  // namespace

void WalkResult::give_up(const Programs& programs, const std::string& cause) {
    for (const Stretch& stretch : rest) {
        partitions[stretch.table].failed.insert(stretch.origin);
        gaps.push_back({programs.tables[stretch.table].schema.name, stretch.label, cause});
    }
    rest.clear();
    sort_gaps(gaps);
    // Pieces of one partition are one gap.
    gaps.erase(std::unique(gaps.begin(), gaps.end()), gaps.end());
}

WalkResult run_walk_pass(const Programs& programs, const TableReaders& readers, TaskPool& pool,
                         const WalkSettings& settings, const MakeSink& make_sink) {
    Walk walk{programs, readers, pool, settings, make_sink};
    return walk.run();
}

}  // namespace idxfsck::audit
