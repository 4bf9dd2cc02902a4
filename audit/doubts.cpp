#include "audit/doubts.hpp"

#include <algorithm>

namespace idxfsck::audit {

namespace {

// In fewer rows than these, an attribute that none of them has may well be plain truth.
constexpr std::uint64_t rows_to_miss_an_attribute_min = 20;

class DoubtFinder {
public:
    DoubtFinder(const Programs& programs, const ScanResult& scan)
        : programs_{programs}, scan_{scan} {
        result_.silenced.resize(programs.indexes.size());
    }

    Doubts run() {
        for (std::size_t base = 0; base < programs_.bases.size(); ++base) check_base(base);
        for (std::size_t index = 0; index < programs_.indexes.size(); ++index) check_index(index);
        return std::move(result_);
    }

private:
    std::uint64_t real_rows(std::size_t base) const {
        std::uint64_t rows = 0;
        for (const auto& worker : scan_.workers) rows += worker->bases[base].real;
        return rows;
    }

    std::uint64_t held(std::size_t index) const {
        std::uint64_t entries = 0;
        for (const auto& worker : scan_.workers) entries += worker->indexes[index].held;
        return entries;
    }

    // No row may also mean that the table was listed wrongly, or that the spec names the wrong one:
    // then every entry would look stale.
    void check_base(std::size_t number) {
        const CompiledBase& base = programs_.bases[number];
        const BaseSpec& spec = base.program->spec();
        if (spec.may_be_empty || real_rows(number) > 0) return;
        const bool has_entries = std::any_of(base.indexes.begin(), base.indexes.end(),
                                             [&](std::size_t index) { return held(index) > 0; });
        if (!has_entries && spec.rows.empty()) return;
        result_.doubts.push_back(
            {"base " + spec.name,
             spec.rows.empty() ? "the base table has no rows, but the index has entries"
                               : "no row of the table matches the selector: " + spec.rows,
             "check `table` and `rows`; if it may be empty, say `may_be_empty = true`"});
        for (const std::size_t index : base.indexes) result_.silenced[index] = true;
    }

    void check_index(std::size_t number) {
        if (result_.silenced[number]) return;
        const CompiledIndex& index = programs_.indexes[number];
        if (real_rows(index.base) < rows_to_miss_an_attribute_min) return;
        for (const std::string& name : index.program->needs()) {
            if (seen(programs_.bases[index.base].table, name)) continue;
            result_.doubts.push_back(
                {"index " + index.program->spec().name,
                 "no row of the base table has the attribute `" + name + "`",
                 "check the spelling in `key`, `pointer` and `each`"});
            result_.silenced[number] = true;
        }
    }

    bool seen(std::size_t table, const std::string& name) const {
        const auto& names = programs_.tables[table].projection.names;
        const auto place = std::find(names.begin(), names.end(), name);
        if (place == names.end()) return true;
        const auto slot = static_cast<std::size_t>(place - names.begin());
        return std::any_of(scan_.workers.begin(), scan_.workers.end(), [&](const auto& worker) {
            return static_cast<bool>(worker->tables[table].slots_seen[slot]);
        });
    }

    const Programs& programs_;
    const ScanResult& scan_;
    Doubts result_;
};

}  // namespace

Doubts find_doubts(const Programs& programs, const ScanResult& scan) {
    return DoubtFinder{programs, scan}.run();
}

}  // namespace idxfsck::audit
