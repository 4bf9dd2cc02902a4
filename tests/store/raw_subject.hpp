// tests/store/raw_subject.hpp
//
// A database that the test lays out by hand, as the subject of the conformance suite.
//
// What the layouts cannot hold is left out: as keys of one component every kind but text (a field
// has one kind), and text that is no UTF-8. Attributes of every kind are JSON with wrappers.

#pragma once

#include "conformance.hpp"
#include "raw_layouts.hpp"
#include "scratch_folder.hpp"
#include "store/json/scalar_text.hpp"
#include "store/json/value_text.hpp"
#include "store/rocksdb/raw_store.hpp"
#include "store/rocksdb/raw_reader.hpp"

namespace idxfsck::store::conformance {

class RawSubject : public Subject {
public:
    RawSubject(bool separate, bool reverse) : separate_{separate} {
        if (reverse) options_.comparator = rocksdb::ReverseBytewiseComparator();
        RawDatabase{path(), options_};
        open();
    }

    Store& writer() override { return *writer_; }
    Reader& reader() override { return reader_ ? *reader_ : static_cast<Reader&>(*writer_); }

    void fill(const TableSchema& schema, const std::vector<Row>& rows) override {
        close();
        {
            RawDatabase database{path(), options_, {family_of(schema.name)}};
            for (const Row& row : rows) {
                Bytes value;
                append_value_text(value, {Kind::map, row.attributes}, Numbers::exact);
                database.put(family_of(schema.name), raw_key(schema.name, row.key), value);
            }
        }
        tables_.push_back(layout_of(schema));
        open();
    }

    void damage(BytesView table, const Key& key) override {
        close();
        RawDatabase{path(), options_, {family_of(table)}}.put(family_of(table),
                                                            raw_key(table, key), "no row");
        open();
    }

    Bytes raw_key(BytesView table, const Key& key) override {
        Bytes out{prefix_of(table)};
        out.append(key[0].payload);
        if (key.size() == 1) return out;
        const auto number = static_cast<std::uint32_t>(key[1].view().as_integer()) ^ 0x80000000u;
        out.push_back('\0');
        return out + big_endian(number, 4);
    }

    std::vector<Row> key_rows() override {
        std::vector<Row> out;
        for (const Row& row : rows_of_every_key_kind()) {
            if (row.key[0].kind == Kind::text && is_utf8(row.key[0].payload)) out.push_back(row);
        }
        return out;
    }

private:
    std::string path() const { return folder_.path() + "/database"; }

    static Bytes family_of(BytesView table) { return table == "empty" ? "other" : "default"; }
    static Bytes prefix_of(BytesView table) { return table == "one" ? "1/" : "2/"; }

    static RawTable layout_of(const TableSchema& schema) {
        RawTable table;
        table.name = schema.name;
        table.family = family_of(schema.name);
        table.prefix = prefix_of(schema.name);
        if (schema.key.size() == 1) {
            table.key = {rest_field(schema.key[0])};
        } else {
            RawField number = integer_field(schema.key[1], 4);
            number.sign = RawSign::flipped;
            number.kind = Kind::int32;
            table.key = {ended_field(schema.key[0], Bytes(1, '\0')), number};
        }
        table.value = {members_field(RawForm::typed_json)};
        return table;
    }

    void close() {
        reader_.reset();
        writer_.reset();
    }

    void open() {
        writer_ = std::make_unique<RawStore>(path(), tables_);
        if (separate_) reader_ = std::make_unique<RawReader>(path(), tables_);
    }

    const ScratchFolder folder_;
    const bool separate_;
    rocksdb::Options options_;
    RawTables tables_;
    std::unique_ptr<RawStore> writer_;
    std::unique_ptr<RawReader> reader_;
};

}  // namespace idxfsck::store::conformance
