#include "audit/language/index_program.hpp"

#include "audit/language/entry_writer.hpp"
#include "audit/language/quick.hpp"
#include "store/error.hpp"

namespace idxfsck::audit::language {

IndexEntries::IndexEntries(const IndexSources& sources)
    : spec_{sources.index},
      layout_{make_layout(spec_, sources.base, sources.index_schema, sources.base_schema)},
      dependencies_{dependencies_of(spec_, sources.base, layout_, sources.base_schema.key)} {
    const std::vector<NamedTemplate> key = ordered_key(spec_, layout_.schema);
    RowBinder binder{sources.base_rows, sources.now_ms};
    if (layout_.copies_all()) sources.base_rows.all = true;
    maker_ = std::make_unique<EntryMaker>(layout_, key, sources.limits, binder);
    reader_ = std::make_unique<EntryReader>(layout_, key, sources.limits, sources.index_rows,
                                            sources.now_ms, sources.by_dynamodb);
    locator_ = std::make_unique<Locator>(spec_, sources.base, key, sources.base_schema,
                                         sources.now_ms);
    any_of_ = std::make_unique<KeyAnyOf>(key);
    quick_derive_ = language::quick_derive(layout_, key, sources.limits, sources.base_rows);
    quick_decode_ = language::quick_decode(layout_, key, sources.limits, sources.index_rows);
    owns_every_row_ = language::owns_every_row(layout_, key);
    if (spec_.winner.wins != Wins::nobody) {
        ranking_ = std::make_unique<Ranking>(spec_.winner, sources.base_schema, sources.now_ms);
    }
}

Derived IndexEntries::derive(const store::RowView& row, Scratch& scratch, EntrySink& sink) const {
    return maker_->derive(row, scratch, sink);
}

bool IndexEntries::owns(const store::RowView& row, Scratch& scratch) const {
    return reader_->owns(row, scratch);
}

bool IndexEntries::expired(const store::RowView& row, Scratch& scratch) const {
    return reader_->expired(row, scratch);
}

void IndexEntries::decode(const store::RowView& row, Scratch& scratch, EntrySink& sink) const {
    reader_->decode(row, scratch, sink);
}

bool IndexEntries::accusable(const store::RowView& row, Scratch& scratch) const {
    return reader_->accusable(row, scratch);
}

std::optional<double> IndexEntries::expires_ms(const store::RowView& row,
                                               Scratch& scratch) const {
    return reader_->expires_ms(row, scratch);
}

std::vector<store::Key> IndexEntries::rows_of(const EntryView& entry) const {
    if (any_of_->given()) return any_of_->rows_of(entry);
    if (!spec_.inside) return IndexProgram::rows_of(entry);
    std::vector<store::Key> keys;
    if (auto key = locator_->locate(entry)) keys.push_back(std::move(*key));
    return keys;
}

store::Value IndexEntries::rank_of(const store::Row& row) const {
    return ranking_ ? ranking_->rank_of(row) : store::Value{};
}

std::optional<store::Key> IndexEntries::locate(const EntryView& entry) const {
    return locator_->locate(entry);
}

std::vector<store::NamedValue> IndexEntries::depends_on(const store::Row& base) const {
    return depended_values(dependencies_, layout_, base);
}

store::Row IndexEntries::with_entry(const EntryView& entry,
                                    const std::optional<store::Row>& before) const {
    return language::with_entry(layout_, entry, before);
}

std::optional<store::Row> IndexEntries::without_entry(const EntryView& entry,
                                                      const store::Row& before) const {
    return language::without_entry(layout_, entry, before);
}

std::vector<NamedTemplate> ordered_key(const IndexSpec& index, const store::TableSchema& schema) {
    // Inside the base row the key is attributes of it, in the order of the spec.
    if (index.inside) return index.key;
    std::vector<NamedTemplate> ordered;
    for (const std::string& component : schema.key) {
        for (const NamedTemplate& named : index.key) {
            if (named.name == component) ordered.push_back(named);
        }
    }
    store::ensure(ordered.size() == schema.key.size(), "every key component has one template");
    return ordered;
}

}  // namespace idxfsck::audit::language
