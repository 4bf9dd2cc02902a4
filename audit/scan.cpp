#include "audit/scan.hpp"

#include "audit/scan_sink.hpp"
#include "store/error.hpp"

namespace idxfsck::audit {

ScanResult run_scan(const Programs& programs, const TableReaders& readers,
                    const std::vector<Reconciler*>& reconcilers, TaskPool& pool,
                    const WalkSettings& settings, std::uint64_t seed) {
    store::ensure(pool.workers() <= PageBook::workers_max, "a place has 8 bits for the worker");
    ScanResult result;
    for (std::size_t number = 0; number < pool.workers(); ++number) {
        auto worker = std::make_unique<ScanWorker>(number, programs, seed);
        for (std::size_t index = 0; index < reconcilers.size(); ++index) {
            if (reconcilers[index] == nullptr) continue;
            worker->lanes[index] = &reconcilers[index]->lane();
        }
        result.workers.push_back(std::move(worker));
    }
    const auto make_sink = [&](std::size_t table, std::size_t worker,
                               const store::Partition& partition, PageSink::Gate gate) {
        ScanWorker& owner = *result.workers[worker];
        owner.book.open(table, partition, std::nullopt);
        return std::make_unique<ScanSink>(programs, table, owner, std::move(gate));
    };
    result.walk = run_walk_pass(programs, readers, pool, settings, make_sink);
    return result;
}

}  // namespace idxfsck::audit
