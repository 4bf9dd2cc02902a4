#include "audit/reconcile_pass.hpp"

#include <algorithm>
#include <iterator>

namespace idxfsck::audit {

namespace {

std::vector<Unmatched> joined(std::vector<std::vector<Unmatched>> parts) {
    std::vector<Unmatched> all;
    for (std::vector<Unmatched>& part : parts) {
        std::move(part.begin(), part.end(), std::back_inserter(all));
    }
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace

std::vector<std::vector<Unmatched>> run_reconcile_pass(const std::vector<Reconciler*>& reconcilers,
                                                       TaskPool& pool) {
    std::vector<std::vector<std::vector<Unmatched>>> parts(reconcilers.size());
    for (std::size_t index = 0; index < reconcilers.size(); ++index) {
        if (reconcilers[index] == nullptr) continue;
        reconcilers[index]->close();
        parts[index].resize(reconcilers[index]->parts_count());
        for (std::size_t part = 0; part < parts[index].size(); ++part) {
            // Each task writes its own element: no lock.
            pool.add([&, index, part](std::size_t) {
                parts[index][part] = reconcilers[index]->unmatched(part);
            });
        }
    }
    pool.wait();
    std::vector<std::vector<Unmatched>> result;
    for (auto& of_index : parts) result.push_back(joined(std::move(of_index)));
    return result;
}

}  // namespace idxfsck::audit
