#include "audit/reconcile_pass.hpp"

#include <algorithm>

namespace idxfsck::audit {

namespace {

std::vector<Unmatched> joined(const std::vector<std::vector<Unmatched>>& parts) {
    std::vector<Unmatched> all;
    for (const std::vector<Unmatched>& part : parts) all.insert(all.end(), part.begin(), part.end());
    std::sort(all.begin(), all.end());
    return all;
}

}  // namespace

std::vector<std::vector<Unmatched>> run_reconcile_pass(const std::vector<Reconciler*>& reconcilers,
                                                       TaskPool& pool) {
    std::vector<std::vector<std::vector<Unmatched>>> parts(reconcilers.size());
    for (std::size_t index = 0; index < reconcilers.size(); ++index) {
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
    for (const auto& of_index : parts) result.push_back(joined(of_index));
    return result;
}

}  // namespace idxfsck::audit
