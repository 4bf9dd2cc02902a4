// A table in a file of CSV, or of NDJSON, from its first byte to its last.
//
// Promised: whatever the file holds, a scan ends, with rows, damaged rows or an Error; cut into
// pieces it gives the same rows in the same order, or an Error; a key that a scan gave is read
// again. Method: the input as such a file; its first byte chooses the dialect and the cuts.

#include "store/error.hpp"
#include "store/files/files_reader.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/target.hpp"

namespace idxfsck::tests {

namespace {

using store::Bytes;
using store::BytesView;
using store::Row;

class Rows : public store::RowSink {
public:
    void row(const store::RowView& view) override {
        Row& row = rows.emplace_back();
        for (const store::ValueView& part : view.key) row.key.emplace_back(part);
        row.attributes = view.attributes;
        store::ensure(store::well_formed(view.attributes), "a row is well formed");
    }
    void damaged(BytesView name) override { damages.emplace_back(name); }
    bool page_end(const store::Position&) override { return true; }

    std::vector<Row> rows;
    std::vector<Bytes> damages;
};

// Nothing if the file cannot be read.
std::optional<Rows> scanned(const store::FilesReader& reader, std::size_t pieces) {
    Rows rows;
    try {
        for (const store::Partition& piece : reader.split("t", pieces)) {
            reader.scan("t", piece, {}, rows);
        }
    } catch (const store::Error&) {
        return std::nullopt;
    }
    return rows;
}

store::FileTable table_of(std::uint8_t choice, std::string path) {
    store::FileTable table{"t", {"id"}, {std::move(path)}, {}, {}, {}};
    table.format = choice % 4 == 3 ? store::FileFormat::ndjson : store::FileFormat::csv;
    table.csv.separator = choice % 2 == 0 ? ',' : ';';
    table.csv.empty_is_text = (choice & 4) != 0;
    if ((choice & 8) != 0) table.csv.types = {{"n", store::Kind::number}};
    if ((choice & 16) != 0) table.csv.null_word = "NULL";
    return table;
}

void check_reads(const store::FilesReader& reader, const Rows& rows) {
    if (rows.rows.empty()) return;
    const std::vector<store::Key> keys{rows.rows.front().key};
    try {
        const auto read = reader.read("t", keys);
        store::ensure(read.at(0) == rows.rows.front(), "a row is read as it was scanned");
    } catch (const store::Error&) {
        // It may stand there twice.
    }
}

}  // namespace

void fuzz_csv(BytesView input) {
    if (input.empty()) return;
    const auto choice = static_cast<std::uint8_t>(input[0]);
    const MemoryFile file{input.substr(1)};
    try {
        const store::FilesReader reader{"/", {table_of(choice, file.path())}};
        const std::optional<Rows> whole = scanned(reader, 1);
        if (!whole) return;
        check_reads(reader, *whole);
        const std::optional<Rows> pieces = scanned(reader, 2 + choice % 7);
        if (!pieces) return;
        store::ensure(pieces->rows == whole->rows, "a cut changes no row");
        store::ensure(pieces->damages == whole->damages, "a cut changes no damage");
    } catch (const store::Error&) {
    }
}

}  // namespace idxfsck::tests
