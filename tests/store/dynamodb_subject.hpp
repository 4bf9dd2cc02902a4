// tests/store/dynamodb_subject.hpp
//
// A DynamoDB server as the subject of the conformance suite. What DynamoDB cannot hold is left out:
// a key component is of one kind, and no row can be damaged.

#pragma once

#include "conformance.hpp"
#include "live_tables.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::store::conformance {

class DynamodbSubject : public Subject {
public:
    DynamodbSubject(const std::string& endpoint, bool separate) : tables_{endpoint} {
        const DynamodbSettings settings = settings_for(endpoint);
        writer_ = std::make_unique<DynamodbStore>(settings, tables_.around());
        if (separate) reader_ = std::make_unique<DynamodbReader>(settings, tables_.around());
        tables_.remove_all();
    }
    ~DynamodbSubject() override { tables_.remove_all(); }

    Store& writer() override { return *writer_; }
    Reader& reader() override { return reader_ ? *reader_ : static_cast<Reader&>(*writer_); }

    void fill(const TableSchema& schema, const std::vector<Row>& rows) override {
        tables_.create(schema);
        tables_.put(schema, rows);
        writer().refresh();
        reader().refresh();
    }

    void damage(BytesView, const Key&) override {}
    bool can_be_damaged() const override { return false; }
    std::size_t partitions_max() const override { return 100; }

    TableSchema one() const override { return {"one", {"id"}, {Kind::text}}; }
    TableSchema two() const override {
        return {"two", {"id", "part"}, {Kind::text, Kind::number}};
    }

    // Those that a key of kind text may be.
    std::vector<Row> key_rows() override {
        std::vector<Row> out;
        for (const Row& row : rows_of_every_key_kind()) {
            const Value& key = row.key[0];
            const bool fits = key.kind == Kind::text && is_utf8(key.payload);
            if (fits && !key.payload.empty()) out.push_back(row);
        }
        return out;
    }

private:
    LiveTables tables_;
    std::unique_ptr<DynamodbStore> writer_;
    std::unique_ptr<DynamodbReader> reader_;
};

}  // namespace idxfsck::store::conformance
