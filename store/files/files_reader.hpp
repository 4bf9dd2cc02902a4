// store/files/files_reader.hpp
//
// Tables whose rows lie in files, for reading: NDJSON in its three shapes and CSV, plain or gzip,
// one file or several. FILES.md describes what may lie there.
//
// The files are the snapshot: they are looked at when the store is opened, and one that is another
// file, or has another size or time, when it is read, is an Error. Files have no index, so read()
// goes through the whole table; Capabilities::reads_by_scan says so, and who has many keys scans
// with a KeyFilter.
//
// A compressed file can only be read from its start. A scan that is stopped in one leaves its
// stream to the scan that goes on from there, so that stopping costs nothing.
//
// A data file of an export is complete only if it holds as many items as its manifest says and has
// the MD5 that is said there, which is taken the first time that the file is read to its end.
//
// Errors   As the contract. A line that is no row is damaged; its key is the file's name, the
//          offset of the line and what is wrong with it. read() throws if a key is in no row while
//          some are damaged, and if it is in two rows.
// Threads  As the contract.

#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <set>

#include "store/files/file_range.hpp"
#include "store/files/text_window.hpp"
#include "store/inspection.hpp"

namespace idxfsck::store {

class FileRows;
struct RowsWanted;

class FilesReader : public Reader, public Inspectable {
public:
    FilesReader(std::string folder, FileTables tables);

    const Capabilities& capabilities() const override { return capabilities_; }
    Bytes identity() const override { return identity_; }
    std::vector<TableSchema> tables() const override;
    std::optional<TableSchema> table(BytesView name) const override;
    StoreInspection inspect() const override;
    TableInspection inspect_table(BytesView table, const TableUse& use) const override;
    std::vector<Partition> split(BytesView table, std::size_t target) const override;
    std::vector<Partition> split_rest(BytesView table, const Partition& partition,
                                      const Position& position) const override;
    bool divisible(BytesView table, const Partition& partition) const override;
    ScanEnd scan(BytesView table, const Partition& partition, const ScanOptions& options,
                 RowSink& sink) const override;
    std::vector<std::optional<Row>> read(BytesView table,
                                         std::span<const Key> keys) const override;
    // Looks for the files anew.
    void refresh() override;
    // Of the export that the table is.
    std::optional<std::int64_t> as_of_ms(BytesView table) const override;

private:
    struct Table {
        FileTable declared;
        std::vector<FilePart> parts;
        std::optional<std::int64_t> as_of_ms;
    };

    // A file that is read from some place on.
    struct Stream {
        std::unique_ptr<TextWindow> window;
        std::uint64_t rows_before = 0;  // that place; counted in exports
    };

    struct OpenFile {
        std::unique_ptr<FileRows> rows;
        std::uint64_t rows_read = 0;  // from its start
    };

    // The stream of a stopped scan, for the one that goes on.
    struct Suspended {
        std::string path;
        std::uint64_t offset;
        Stream stream;
    };

    const Table& find(BytesView name) const;
    TableSchema schema_of(const Table& table) const;
    // As the first row of an export has them; empty: it is none, or there is no such row.
    std::vector<Kind> key_kinds(const Table& table) const;
    OpenFile open(const Table& table, const FilePlace& begin, const FilePlace& end,
                  const RowsWanted& wanted) const;
    Stream stream_at(const FilePart& part, std::uint64_t offset) const;
    bool is_verified(const FilePart& part) const;
    void suspend(OpenFile& file) const;
    void check_promise(OpenFile& file) const;
    std::vector<FileRange> cut(const Table& table, std::size_t target) const;
    bool has_rows(const Table& table, const FileRange& range) const;
    void check_files(const Table& table, const FileRows& rows) const;

    const std::string folder_;
    const FileTables declared_;
    Capabilities capabilities_;
    std::map<Bytes, Table, std::less<>> tables_;
    Bytes identity_;
    mutable std::mutex mutex_;
    mutable std::vector<Suspended> suspended_;  // the oldest first
    mutable std::set<std::string> verified_;    // files of exports that hold what was promised
    // Tables that have been cut, and into how many: for that, their quotes had to be counted.
    mutable std::map<std::pair<Bytes, std::size_t>, std::vector<FileRange>> cuts_;
};

}  // namespace idxfsck::store
