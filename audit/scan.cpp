#include "audit/scan.hpp"

#include <algorithm>

#include "audit/scan_sink.hpp"
#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

// Does an engine give back places, and not entries?
bool keeps_places(const std::vector<Reconciler*>& reconcilers) {
    return std::any_of(reconcilers.begin(), reconcilers.end(), [](const Reconciler* reconciler) {
        return reconciler != nullptr && reconciler->name() != "sketch";
    });
}

// Workers that the pool does not have yet. Those of an earlier stretch of the scan are kept: their
// lanes and page books go on.
void add_workers(ScanResult& result, const Programs& programs,
                 const std::vector<Reconciler*>& reconcilers, TaskPool& pool, std::uint64_t seed) {
    store::ensure(pool.workers() <= PageBook::workers_max, "a place has 8 bits for the worker");
    while (result.workers.size() < pool.workers()) {
        auto worker = std::make_unique<ScanWorker>(result.workers.size(), programs, seed);
        for (std::size_t index = 0; index < reconcilers.size(); ++index) {
            if (reconcilers[index] == nullptr) continue;
            worker->lanes[index] = &reconcilers[index]->lane();
        }
        result.workers.push_back(std::move(worker));
    }
    for (const auto& worker : result.workers) {
        worker->keeps_places = keeps_places(reconcilers);
    }
}

// Beside what an earlier stretch of the scan has read and missed.
void add_walk(WalkResult& so_far, WalkResult more) {
    so_far.partitions.resize(more.partitions.size());
    for (std::size_t table = 0; table < more.partitions.size(); ++table) {
        so_far.partitions[table].cut += more.partitions[table].cut;
        so_far.partitions[table].failed.merge(more.partitions[table].failed);
    }
    so_far.gaps.insert(so_far.gaps.end(), more.gaps.begin(), more.gaps.end());
    so_far.rest = std::move(more.rest);
    so_far.stop_cause = std::move(more.stop_cause);
}

}  // namespace

ScanResult run_scan(const Programs& programs, const TableReaders& readers,
                    const std::vector<Reconciler*>& reconcilers, TaskPool& pool,
                    WalkSettings settings, std::uint64_t seed, ScanResult so_far) {
    ScanResult result = std::move(so_far);
    add_workers(result, programs, reconcilers, pool, seed);
    settings.stretches = std::move(result.walk.rest);
    result.walk.rest.clear();
    const auto make_sink = [&](const Stretch& stretch, std::size_t worker, PageSink::Gate gate) {
        ScanWorker& owner = *result.workers[worker];
        owner.book.open(stretch.table, stretch.partition, stretch.resume);
        return std::make_unique<ScanSink>(programs, stretch.table, owner, std::move(gate));
    };
    add_walk(result.walk, run_walk_pass(programs, readers, pool, settings, make_sink));
    for (const auto& worker : result.workers) worker->queue.flush();
    return result;
}

}  // namespace idxfsck::audit
