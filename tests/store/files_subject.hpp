// tests/store/files_subject.hpp
//
// Files that the test writes, as the subject of the conformance suite: NDJSON in the plain shape,
// plain or gzip, in one file or in parts, or CSV.
//
// There is no writer: the checks of reads are given one that only reads. What a CSV file cannot say
// is left out: keys of one component are texts, of two a text and an int32.

#pragma once

#include <fstream>

#include "conformance.hpp"
#include "json_lines.hpp"
#include "scratch_folder.hpp"
#include "store/error.hpp"
#include "store/files/files_reader.hpp"
#include "store/json/row_writer.hpp"

namespace idxfsck::store::conformance {

// A reader that calls itself a store.
class ReadOnlyStore : public Store {
public:
    explicit ReadOnlyStore(Reader& reader) : reader_{reader} {}

    const Capabilities& capabilities() const override { return reader_.capabilities(); }
    Bytes identity() const override { return reader_.identity(); }
    std::vector<TableSchema> tables() const override { return reader_.tables(); }
    std::optional<TableSchema> table(BytesView name) const override { return reader_.table(name); }
    std::vector<Partition> split(BytesView table, std::size_t target) const override {
        return reader_.split(table, target);
    }
    std::vector<Partition> split_rest(BytesView table, const Partition& partition,
                                      const Position& position) const override {
        return reader_.split_rest(table, partition, position);
    }
    ScanEnd scan(BytesView table, const Partition& partition, const ScanOptions& options,
                 RowSink& sink) const override {
        return reader_.scan(table, partition, options, sink);
    }
    std::vector<std::optional<Row>> read(BytesView table,
                                         std::span<const Key> keys) const override {
        return reader_.read(table, keys);
    }
    void refresh() override { reader_.refresh(); }
    WriteOutcome write(const GuardedWrite&) override { throw Error{"files are read-only"}; }
    void sync() override {}

private:
    Reader& reader_;
};

struct FilesForm {
    bool csv = false;
    bool compressed = false;
    std::size_t parts = 1;
};

class FilesSubject : public Subject {
public:
    explicit FilesSubject(FilesForm form) : form_{form} { open(); }

    Store& writer() override { return *writer_; }
    Reader& reader() override { return *reader_; }

    void fill(const TableSchema& schema, const std::vector<Row>& rows) override {
        FileTable table;
        table.name = schema.name;
        table.key = schema.key;
        std::vector<Bytes> parts(form_.parts);
        for (std::size_t index = 0; index < rows.size(); ++index) {
            append_row(parts[index % parts.size()], schema, rows[index]);
        }
        for (std::size_t part = 0; part < parts.size(); ++part) {
            const Bytes head = form_.csv ? header(schema) : Bytes{};
            const std::string name = schema.name + std::to_string(part) + ending();
            write(name, head + parts[part]);
            table.files.push_back(name);
        }
        if (form_.csv && schema.key.size() == 2) {
            table.csv.types = {{"number", Kind::int32}, {schema.key[1], Kind::int32}};
        }
        tables_.push_back(table);
        open();
    }

    void damage(BytesView table, const Key&) override {
        const std::string name = Bytes{table} + "0" + ending();
        texts_[name] += damaged_line;
        write(name, texts_[name]);
        open();
    }

    Bytes raw_key(BytesView table, const Key&) override {
        const std::string name = Bytes{table} + "0" + ending();
        return name + " at byte " + std::to_string(texts_[name].size() - damaged_line.size()) +
               ": " + (form_.csv ? "a quote within a field" : "bad JSON");
    }

    std::vector<Row> key_rows() override {
        std::vector<Row> rows;
        for (Row& row : rows_of_every_key_kind()) {
            const bool sayable = row.key[0].kind == Kind::text && row.key[0].payload != "\xff\xfe";
            if (!form_.csv || sayable) rows.push_back(std::move(row));
        }
        if (!form_.csv) return rows;
        for (Row& row : rows) row.attributes = encode_attributes({{"name", row.key[0]}});
        return rows;
    }

private:
    static constexpr BytesView damaged_line{"dam\"aged\n"};

    std::string ending() const {
        return std::string{form_.csv ? ".csv" : ".ndjson"} + (form_.compressed ? ".gz" : "");
    }

    void write(const std::string& name, const Bytes& text) {
        texts_[name] = text;
        std::ofstream file{folder_.path() + "/" + name, std::ios::binary};
        file << (form_.compressed ? gzip(text) : text);
    }

    static Bytes header(const TableSchema& schema) {
        return schema.key.size() == 2 ? "number,id,part,name\r\n" : "name,id\r\n";
    }

    void append_row(Bytes& out, const TableSchema& schema, const Row& row) const {
        if (!form_.csv) {
            const std::vector<ValueView> key{row.key.begin(), row.key.end()};
            RowWriter{Shape::plain, schema.key}.append(out, key, row.attributes);
            return;
        }
        if (schema.key.size() == 2) {
            const Bytes number = std::to_string(row.attribute("number")->as_integer());
            out += number + ",";
            append_field(out, row.key[0].payload);
            out += "," + number + ",";
            append_field(out, row.attribute("name")->payload);
        } else {
            append_field(out, row.attribute("name")->payload);
            out += ",";
            append_field(out, row.key[0].payload);
        }
        out += "\r\n";
    }

    static void append_field(Bytes& out, BytesView text) {
        out += '"';
        for (const char character : text) out.append(character == '"' ? 2 : 1, character);
        out += '"';
    }

    void open() {
        reader_ = std::make_unique<FilesReader>(folder_.path(), tables_);
        writer_ = std::make_unique<ReadOnlyStore>(*reader_);
    }

    const FilesForm form_;
    const ScratchFolder folder_;
    FileTables tables_;
    std::map<std::string, Bytes> texts_;
    std::unique_ptr<FilesReader> reader_;
    std::unique_ptr<ReadOnlyStore> writer_;
};

}  // namespace idxfsck::store::conformance
