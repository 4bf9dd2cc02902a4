#include "audit/row_search.hpp"

#include <set>

namespace idxfsck::audit {

namespace {

// What one worker has found in one table.
struct Found {
    std::vector<store::Row> rows;
    std::vector<std::size_t> origins;  // the partition of each
    bool damaged = false;
};

class SearchSink : public PageSink {
public:
    SearchSink(const store::KeyFilter& wanted, Found& found, std::size_t origin, Gate gate)
        : PageSink{std::move(gate)}, wanted_{wanted}, found_{found}, origin_{origin} {}

    void damaged(store::BytesView) override { found_.damaged = true; }

protected:
    void take(const store::RowView& row, std::uint64_t) override {
        if (!wanted_.may_hold(row.key)) return;
        found_.origins.push_back(origin_);
        store::Row& whole = found_.rows.emplace_back();
        for (const store::ValueView& part : row.key) whole.key.emplace_back(part);
        whole.attributes = row.attributes;
        whole.version = row.version;
    }

private:
    const store::KeyFilter& wanted_;
    Found& found_;
    const std::size_t origin_;
};

// Bytes before the place of a damage may be wrong as well: of a partition that could not be read to
// its end no row counts as seen.
void append_sound(Found& part, const std::set<std::size_t>& failed, std::vector<store::Row>& out) {
    for (std::size_t place = 0; place < part.rows.size(); ++place) {
        if (failed.contains(part.origins[place])) continue;
        out.push_back(std::move(part.rows[place]));
    }
}

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
                                            found[worker][stretch.table], stretch.origin,
                                            std::move(gate));
    };
    const WalkResult walk = run_walk_pass(programs, readers, pool, settings, make_sink);
    for (const std::size_t number : settings.tables) {
        SearchedTable& table = tables[number];
        const std::set<std::size_t>& failed = walk.partitions[number].failed;
        table.whole = failed.empty();
        for (std::vector<Found>& of_worker : found) {
            Found& part = of_worker[number];
            append_sound(part, failed, table.rows);
            table.whole = table.whole && !part.damaged;
        }
    }
    return walk.gaps;
}

}  // namespace idxfsck::audit
