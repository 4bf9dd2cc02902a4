#include "audit/row_search.hpp"

#include <iterator>

namespace idxfsck::audit {

namespace {

// What one worker has found in one table.
struct Found {
    std::vector<store::Row> rows;
    bool damaged = false;
};

class SearchSink : public PageSink {
public:
    SearchSink(const store::KeyFilter& wanted, Found& found, Gate gate)
        : PageSink{std::move(gate)}, wanted_{wanted}, found_{found} {}

    void damaged(store::BytesView) override { found_.damaged = true; }

protected:
    void take(const store::RowView& row, std::uint64_t) override {
        if (!wanted_.may_hold(row.key)) return;
        store::Row& whole = found_.rows.emplace_back();
        for (const store::ValueView& part : row.key) whole.key.emplace_back(part);
        whole.attributes = row.attributes;
        whole.version = row.version;
    }

private:
    const store::KeyFilter& wanted_;
    Found& found_;
};

}  // namespace

std::vector<Gap> search_rows(const Programs& programs, const TableReaders& readers,
                             TaskPool& pool, std::vector<SearchedTable>& tables) {
    WalkSettings settings;
    settings.whole_rows = true;
    settings.keys.resize(tables.size());
    std::vector<std::unique_ptr<store::KeyFilter>> filters(tables.size());
    for (std::size_t table = 0; table < tables.size(); ++table) {
        if (tables[table].wanted.empty()) continue;
        filters[table] = std::make_unique<store::KeyFilter>(tables[table].wanted);
        settings.keys[table] = filters[table].get();
        settings.tables.push_back(table);
    }
    if (settings.tables.empty()) return {};
    std::vector<std::vector<Found>> found(pool.workers(), std::vector<Found>(tables.size()));
    const auto make_sink = [&](const Stretch& stretch, std::size_t worker, PageSink::Gate gate) {
        return std::make_unique<SearchSink>(*filters[stretch.table],
                                            found[worker][stretch.table], std::move(gate));
    };
    const WalkResult walk = run_walk_pass(programs, readers, pool, settings, make_sink);
    for (const std::size_t number : settings.tables) {
        SearchedTable& table = tables[number];
        table.whole = walk.partitions[number].failed.empty();
        for (std::vector<Found>& of_worker : found) {
            Found& part = of_worker[number];
            std::move(part.rows.begin(), part.rows.end(), std::back_inserter(table.rows));
            table.whole = table.whole && !part.damaged;
        }
    }
    return walk.gaps;
}

}  // namespace idxfsck::audit
