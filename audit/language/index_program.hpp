// audit/language/index_program.hpp
//
// One index, compiled: the maker of its entries, their reader, writer and locator under one roof.

#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "audit/language/dependencies.hpp"
#include "audit/language/entry_maker.hpp"
#include "audit/language/entry_reader.hpp"
#include "audit/language/locator.hpp"
#include "audit/language/ranking.hpp"
#include "audit/program.hpp"

namespace idxfsck::audit::language {

// What an index is compiled from.
struct IndexSources {
    const IndexSpec& index;
    const BaseSpec& base;
    store::TableSchema index_schema;
    store::TableSchema base_schema;
    IndexLimits limits;             // of the index's store
    store::Projection& index_rows;  // projections of the two tables; they grow
    store::Projection& base_rows;
    std::int64_t now_ms = 0;
    bool by_dynamodb = false;  // deletes what expires in the index table
};

class IndexEntries : public IndexProgram {
public:
    // Every component of the schema's key must have a template.
    explicit IndexEntries(const IndexSources& sources);

    const IndexSpec& spec() const override { return spec_; }
    std::vector<std::string> needs() const override { return needs_of(spec_); }
    Derived derive(const store::RowView& row, Scratch& scratch, EntrySink& sink) const override;
    bool owns(const store::RowView& row, Scratch& scratch) const override;
    bool expired(const store::RowView& row, Scratch& scratch) const override;
    const QuickEntry* quick_derive() const override {
        return quick_derive_ ? &*quick_derive_ : nullptr;
    }
    const QuickEntry* quick_decode() const override {
        return quick_decode_ ? &*quick_decode_ : nullptr;
    }
    bool owns_every_row() const override { return owns_every_row_; }
    Derived screen(const store::RowView& row, Scratch& scratch) const override {
        return maker_->screen(row, scratch);
    }
    bool has_conditions() const override { return !spec_.covers.empty() || !spec_.when.empty(); }
    void decode(const store::RowView& row, Scratch& scratch, EntrySink& sink) const override;
    bool accusable(const store::RowView& row, Scratch& scratch) const override;
    std::optional<double> expires_ms(const store::RowView& row, Scratch& scratch) const override;
    std::optional<store::Key> locate(const EntryView& entry) const override;
    std::vector<store::Key> rows_of(const EntryView& entry) const override;
    store::Value rank_of(const store::Row& row) const override;
    std::vector<store::NamedValue> depends_on(const store::Row& base) const override;
    store::Row with_entry(const EntryView& entry,
                          const std::optional<store::Row>& before) const override;
    std::optional<store::Row> without_entry(const EntryView& entry,
                                            const store::Row& before) const override;

private:
    IndexSpec spec_;
    Layout layout_;
    NameSet dependencies_;
    std::unique_ptr<EntryMaker> maker_;
    std::unique_ptr<EntryReader> reader_;
    std::unique_ptr<Locator> locator_;
    std::unique_ptr<KeyAnyOf> any_of_;
    std::optional<QuickEntry> quick_derive_;
    std::optional<QuickEntry> quick_decode_;
    bool owns_every_row_;
    std::unique_ptr<Ranking> ranking_;  // null: the spec has no winner rule
};

// The key templates of the index in the order of the schema's components.
std::vector<NamedTemplate> ordered_key(const IndexSpec& index, const store::TableSchema& schema);

}  // namespace idxfsck::audit::language
