#include "audit/reconcile_pass.hpp"

#include <mutex>

namespace idxfsck::audit {

std::vector<Differences> run_reconcile_pass(const std::vector<Reconciler*>& reconcilers,
                                            TaskPool& pool, MemoryBudget& budget) {
    std::vector<Differences> result(reconcilers.size());
    // Parts are put together as they come, so that none waits in a larger form; a sort follows.
    std::mutex mutex;
    for (std::size_t index = 0; index < reconcilers.size(); ++index) {
        if (reconcilers[index] == nullptr) continue;
        reconcilers[index]->close();
        for (std::size_t part = 0; part < reconcilers[index]->parts_count(); ++part) {
            pool.add([&, index, part](std::size_t) {
                std::vector<Unmatched> unmatched = reconcilers[index]->unmatched(part);
                const std::lock_guard lock{mutex};
                result[index].add(std::move(unmatched), budget);
            });
        }
    }
    pool.wait();
    for (Differences& differences : result) differences.sort(budget);
    return result;
}

}  // namespace idxfsck::audit
