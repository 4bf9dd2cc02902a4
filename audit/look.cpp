#include "audit/look.hpp"

#include <algorithm>
#include <iterator>

namespace idxfsck::audit {

std::vector<Outcome> look_at(const Programs& programs, const TableReaders& readers,
                             std::span<const Suspect> suspects) {
    LiveRows rows{programs, readers};
    Judge judge{programs, rows};
    for (const Suspect& suspect : suspects) judge.want(rows, suspect);
    rows.fetch();
    for (const Suspect& suspect : suspects) judge.want_holder(rows, suspect);
    rows.fetch();
    std::vector<Outcome> outcomes;
    outcomes.reserve(suspects.size());
    for (const Suspect& suspect : suspects) outcomes.push_back(judge.judge(suspect));
    return outcomes;
}

std::vector<Outcome> look_at_all(const Programs& programs, const TableReaders& readers,
                                 TaskPool& pool, std::span<const Suspect> suspects) {
    std::vector<std::vector<Outcome>> batches;
    batches.resize((suspects.size() + look_batch_max - 1) / look_batch_max);
    for (std::size_t batch = 0; batch < batches.size(); ++batch) {
        const std::size_t first = batch * look_batch_max;
        const std::size_t count = std::min(look_batch_max, suspects.size() - first);
        pool.add([&, batch, first, count](std::size_t) {
            batches[batch] = look_at(programs, readers, suspects.subspan(first, count));
        });
    }
    pool.wait();
    std::vector<Outcome> outcomes;
    for (std::vector<Outcome>& batch : batches) {
        std::move(batch.begin(), batch.end(), std::back_inserter(outcomes));
    }
    return outcomes;
}

}  // namespace idxfsck::audit
