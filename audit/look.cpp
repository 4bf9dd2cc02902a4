#include "audit/look.hpp"

#include <algorithm>
#include <iterator>

namespace idxfsck::audit {

namespace {

// Rows that lie in memory for one look, and how many suspects to begin with before their size is
// known: a row may have 400 KB.
constexpr std::uint64_t rows_bytes_max = 8 << 20;
constexpr std::size_t suspects_at_first = 256;

void look_into(LiveRows& rows, const Programs& programs, std::span<const Suspect> suspects,
               std::vector<Outcome>& outcomes) {
    Judge judge{programs, rows};
    for (const Suspect& suspect : suspects) judge.want(rows, suspect);
    rows.fetch();
    for (const Suspect& suspect : suspects) judge.want_holder(rows, suspect);
    rows.fetch();
    rows.take_doubt();
    for (const Suspect& suspect : suspects) {
        outcomes.push_back(judge.judge(suspect));
        outcomes.back().doubtful = rows.take_doubt();
    }
}

std::vector<Outcome> search_for_all(const Programs& programs, const TableReaders& readers,
                                    TaskPool& pool, std::span<const Suspect> suspects,
                                    std::vector<Gap>& gaps) {
    std::vector<Outcome> outcomes;
    outcomes.reserve(suspects.size());
    while (!suspects.empty()) {
        const auto now = suspects.first(std::min(look_search_max, suspects.size()));
        LiveRows rows{programs, readers, &pool};
        look_into(rows, programs, now, outcomes);
        gaps.insert(gaps.end(), rows.gaps().begin(), rows.gaps().end());
        suspects = suspects.subspan(now.size());
    }
    return outcomes;
}

}  // namespace

bool is_searched(const Programs& programs, const TableReaders& readers, std::size_t index) {
    const CompiledIndex& compiled = programs.indexes[index];
    return readers[compiled.table]->capabilities().reads_by_scan ||
           readers[programs.bases[compiled.base].table]->capabilities().reads_by_scan;
}

std::vector<Outcome> look_at(const Programs& programs, const TableReaders& readers,
                             std::span<const Suspect> suspects) {
    std::vector<Outcome> outcomes;
    outcomes.reserve(suspects.size());
    std::size_t count = suspects_at_first;
    while (!suspects.empty()) {
        const auto some = suspects.first(std::min(count, suspects.size()));
        suspects = suspects.subspan(some.size());
        LiveRows rows{programs, readers};
        look_into(rows, programs, some, outcomes);
        const std::uint64_t bytes_each = rows.bytes() / some.size() + 1;
        count = std::clamp<std::size_t>(rows_bytes_max / bytes_each, 16, look_batch_max);
    }
    return outcomes;
}

std::vector<Outcome> look_at_all(const Programs& programs, const TableReaders& readers,
                                 TaskPool& pool, std::span<const Suspect> suspects,
                                 std::vector<Gap>& gaps) {
    const bool searched =
        std::any_of(suspects.begin(), suspects.end(), [&](const Suspect& suspect) {
            return is_searched(programs, readers, suspect.index);
        });
    if (searched) return search_for_all(programs, readers, pool, suspects, gaps);
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
