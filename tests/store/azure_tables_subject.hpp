// tests/store/azure_tables_subject.hpp
//
// A table service as the subject of the conformance suite. What such tables cannot hold is left
// out: a key is two texts, there are no decimal numbers and no lists, and no row can be damaged.

#pragma once

#include <algorithm>

#include "azure_tables_live.hpp"
#include "conformance.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::store::conformance {

class AzureTablesSubject : public Subject {
public:
    AzureTablesSubject(const std::string& endpoint, bool separate)
        : AzureTablesSubject{azure_settings_for(endpoint), endpoint, separate} {}
    // Tables are made and filled at `direct`, whatever stands before it.
    AzureTablesSubject(const AzureTablesSettings& settings, const std::string& direct,
                       bool separate)
        : tables_{direct} {
        writer_ = std::make_unique<AzureTablesStore>(settings, tables_.around());
        if (separate) reader_ = std::make_unique<AzureTablesReader>(settings, tables_.around());
        tables_.remove_all();
    }
    ~AzureTablesSubject() override { tables_.remove_all(); }

    Store& writer() override { return *writer_; }
    Reader& reader() override { return reader_ ? *reader_ : static_cast<Reader&>(*writer_); }

    void fill(const TableSchema& schema, const std::vector<Row>& rows) override {
        tables_.create(schema.name);
        tables_.put(schema.name, rows);
        writer().refresh();
        reader().refresh();
    }

    void damage(BytesView, const Key&) override {}
    bool can_be_damaged() const override { return false; }
    std::size_t partitions_max() const override { return 100; }

    TableSchema one() const override { return named("one"); }
    TableSchema two() const override { return named("two"); }
    Value number(int number) const override { return Value::int32(number); }
    std::vector<Value> parts() const override {
        return {Value::text(""), Value::text("8.0"), Value::text("it's %41 & + \xf0\x9f\x98\x80")};
    }

    // Whole numbers become their digits, a slash a bar; a row key that is missing is the empty one.
    Key key(const Key& key) const override {
        Key out = key;
        for (Value& component : out) {
            if (component.kind == Kind::int32) {
                component = Value::text(std::to_string(component.view().as_integer()));
            }
            Bytes& text = component.payload;
            std::replace(text.begin(), text.end(), '/', '|');
        }
        if (out.size() == 1) out.push_back(Value::text(""));
        return out;
    }

    std::vector<Row> key_rows() override {
        std::vector<Row> out;
        for (Row row : rows_of_every_key_kind()) {
            if (row.key[0].kind != Kind::text) continue;
            row.key = key(row.key);
            if (!possible_entity_key(row.key)) continue;
            row.set("list", ValueView{});
            out.push_back(row);
            row.key = {row.key[0], Value::text("\xef\xbf\xae")};
            out.push_back(row);
            row.key = {row.key[0], Value::text("\xf0\x9f\x98\x80")};
            out.push_back(std::move(row));
        }
        return out;
    }

private:
    static TableSchema named(const char* name) {
        return {name, entity_key_names(), {Kind::text, Kind::text}};
    }

    AzureTablesLive tables_;
    std::unique_ptr<AzureTablesStore> writer_;
    std::unique_ptr<AzureTablesReader> reader_;
};

}  // namespace idxfsck::store::conformance
