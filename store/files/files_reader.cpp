#include "store/files/files_reader.hpp"

#include <algorithm>

#include "store/digest.hpp"
#include "store/files/file_cut.hpp"
#include "store/files/file_rows.hpp"
#include "store/files/row_collector.hpp"
#include "store/json/base64.hpp"

namespace idxfsck::store {

namespace {

// Streams that wait for their scan to go on: as many as there may be workers on a usual machine.
constexpr std::size_t suspended_max = 32;
// Less than this is read again as quickly.
constexpr std::uint64_t suspended_bytes_min = std::uint64_t{4} << 20;

constexpr std::uint64_t no_limit = static_cast<std::uint64_t>(-1);

// Equal for equal files, wherever they lie: so that parts of an audit on several machines, which
// have copies that keep their times, are of one store.
void append_stamp(Bytes& out, const FilePart& part) {
    append_varint(out, part.name.size());
    out.append(part.name);
    append_varint(out, part.stamp.size);
    append_varint(out, static_cast<std::uint64_t>(part.stamp.modified_ns));
}

Bytes damaged_name(const FileRows& rows) {
    return rows.part().name + " at byte " + std::to_string(rows.row_begin()) + ": " +
           std::string{rows.problem()};
}

}  // namespace

FilesReader::FilesReader(std::string folder, FileTables tables)
    : folder_{std::move(folder)}, declared_{std::move(tables)} {
    capabilities_.order = ScanOrder::none;
    capabilities_.snapshot = true;
    capabilities_.reads_by_scan = true;
    refresh();
}

void FilesReader::refresh() {
    tables_.clear();
    suspended_.clear();
    verified_.clear();
    cuts_.clear();
    for (const FileTable& declared : declared_) {
        TableParts found = find_parts(folder_, declared);
        tables_[declared.name] = {declared, std::move(found.parts), found.as_of_ms};
    }
    Bytes stamps;
    for (const auto& [name, table] : tables_) {
        append_varint(stamps, name.size());
        stamps.append(name);
        for (const FilePart& part : table.parts) append_stamp(stamps, part);
        if (table.as_of_ms) append_varint(stamps, static_cast<std::uint64_t>(*table.as_of_ms));
    }
    identity_ = "files " + digest(stamps);
}

std::vector<TableSchema> FilesReader::tables() const {
    std::vector<TableSchema> out;
    for (const auto& [name, table] : tables_) out.push_back(schema_of(table));
    return out;
}

std::optional<TableSchema> FilesReader::table(BytesView name) const {
    const auto found = tables_.find(name);
    if (found == tables_.end()) return std::nullopt;
    return schema_of(found->second);
}

TableSchema FilesReader::schema_of(const Table& table) const {
    return {table.declared.name, table.declared.key, key_kinds(table)};
}

// A table of DynamoDB takes keys of one kind, so that one row of it tells.
std::vector<Kind> FilesReader::key_kinds(const Table& table) const {
    const RowsWanted wanted{table.declared};
    for (std::size_t file = 0; file < table.parts.size(); ++file) {
        const FilePart& part = table.parts[file];
        if (!part.promise || part.promise->items == 0 || part.problem) continue;
        std::vector<Kind> kinds;
        try {
            const OpenFile opened = open(table, {file, 0}, {file + 1, 0}, wanted);
            if (opened.rows->next() != FileRows::Step::row) return {};
            for (const ValueView& component : opened.rows->row().key) {
                kinds.push_back(component.kind);
            }
        } catch (const Error&) {
            // What is wrong with the file is for the scan to say: it leaves a gap, and no more.
            return {};
        }
        return kinds;
    }
    return {};
}

const FilesReader::Table& FilesReader::find(BytesView name) const {
    const auto found = tables_.find(name);
    if (found != tables_.end()) return found->second;
    throw Error{"there is no such table"}
        .with("store", folder_)
        .with("table", name)
        .hint("the tables of a store of files are those that the spec names");
}

StoreInspection FilesReader::inspect() const {
    StoreInspection out;
    out.facts = {{"folder", folder_}, {"opened", "for reading only"}};
    return out;
}

TableInspection FilesReader::inspect_table(BytesView name, const TableUse&) const {
    TableInspection out = plain_inspection(*this, name);
    if (!out.schema) return out;
    std::uint64_t bytes = 0;
    for (const FilePart& part : find(name).parts) bytes += part.stamp.size;
    out.bytes = bytes;
    out.counted = "as the files lie there, compressed ones too";
    return out;
}

std::vector<Partition> FilesReader::split(BytesView name, std::size_t target) const {
    const Table& table = find(name);
    std::vector<Partition> out;
    for (const FileRange& piece : cut(table, target)) {
        out.push_back(make_file_partition(piece, table.parts));
    }
    return out;
}

// The rows of suspects are looked for in the same pieces that were scanned.
std::vector<FileRange> FilesReader::cut(const Table& table, std::size_t target) const {
    const std::pair name{table.declared.name, target};
    {
        const std::lock_guard lock{mutex_};
        const auto known = cuts_.find(name);
        if (known != cuts_.end()) return known->second;
    }
    std::vector<FileRange> pieces =
        cut_range({{}, {table.parts.size(), 0}}, table.parts, target);
    const std::lock_guard lock{mutex_};
    cuts_[name] = pieces;
    return pieces;
}

std::vector<Partition> FilesReader::split_rest(BytesView name, const Partition& partition,
                                               const Position& position) const {
    const Table& table = find(name);
    const FileRange rest = parse_file_rest(partition, position, table.parts);
    if (!has_rows(table, rest)) return {};
    std::vector<FileRange> pieces = cut_range(rest, table.parts, 2);
    // Around a compressed file there may be more than two.
    if (pieces.size() > 2) pieces = {pieces[0], {pieces[1].begin, rest.end}};
    std::vector<Partition> out;
    for (const FileRange& piece : pieces) out.push_back(make_file_partition(piece, table.parts));
    return out;
}

bool FilesReader::divisible(BytesView name, const Partition& partition) const {
    const Table& table = find(name);
    const FileRange range = parse_file_partition(partition, table.parts);
    const auto begin = table.parts.begin();
    const std::uint64_t end = range.end.file + (range.end.offset > 0 ? 1 : 0);
    return std::none_of(begin + static_cast<std::ptrdiff_t>(range.begin.file),
                        begin + static_cast<std::ptrdiff_t>(end),
                        [](const FilePart& part) { return part.in_one_piece(); });
}

std::optional<std::int64_t> FilesReader::as_of_ms(BytesView name) const {
    return find(name).as_of_ms;
}

ScanEnd FilesReader::scan(BytesView name, const Partition& partition, const ScanOptions& options,
                          RowSink& sink) const {
    const Table& table = find(name);
    FileRange rest = options.resume
                         ? parse_file_rest(partition, *options.resume, table.parts)
                         : parse_file_partition(partition, table.parts);
    const RowsWanted wanted{table.declared, options.projection, options.keys};
    const std::size_t page_rows_max = std::max<std::size_t>(options.page_rows_max, 1);
    std::size_t page_rows = 0;
    while (rest.begin < rest.end) {
        OpenFile file = open(table, rest.begin, rest.end, wanted);
        FileRows* const rows = file.rows.get();
        for (FileRows::Step step = rows->next(); step != FileRows::Step::end; step = rows->next()) {
            if (step == FileRows::Step::row) sink.row(rows->row());
            if (step == FileRows::Step::damaged) sink.damaged(damaged_name(*rows));
            ++file.rows_read;
            if (++page_rows < page_rows_max) continue;
            page_rows = 0;
            if (sink.page_end(make_file_position({rest.begin.file, rows->offset()}))) continue;
            suspend(file);
            return ScanEnd::stopped;
        }
        check_files(table, *rows);
        check_promise(file);
        rest.begin = {rest.begin.file + 1, 0};
    }
    return sink.page_end(make_file_position(rest.end)) ? ScanEnd::complete : ScanEnd::stopped;
}

std::vector<std::optional<Row>> FilesReader::read(BytesView name,
                                                  std::span<const Key> keys) const {
    const Table& table = find(name);
    RowCollector collector{{table.declared.name, table.declared.key}, keys};
    if (keys.empty()) return {};
    ScanOptions options;
    options.keys = &collector.filter();
    for (const Partition& partition : split(name, 1)) scan(name, partition, options, collector);
    return collector.take_rows();
}

FilesReader::OpenFile FilesReader::open(const Table& table, const FilePlace& begin,
                                        const FilePlace& end, const RowsWanted& wanted) const {
    const FilePart& part = table.parts[begin.file];
    if (part.problem) throw *part.problem;
    const std::uint64_t offset = std::max(begin.offset, part.rows_begin);
    Stream stream = stream_at(part, offset);
    check_unchanged(part, stream.window->input().descriptor());
    const std::uint64_t limit = end.file == begin.file ? end.offset : no_limit;
    return {open_rows(part, wanted, std::move(stream.window), limit), stream.rows_before};
}

bool FilesReader::is_verified(const FilePart& part) const {
    const std::lock_guard lock{mutex_};
    return verified_.contains(part.path);
}

FilesReader::Stream FilesReader::stream_at(const FilePart& part, std::uint64_t offset) const {
    {
        const std::lock_guard lock{mutex_};
        const auto waiting =
            std::find_if(suspended_.begin(), suspended_.end(), [&](const Suspended& stream) {
                return stream.path == part.path && stream.offset == offset;
            });
        if (waiting != suspended_.end()) {
            Stream stream = std::move(waiting->stream);
            suspended_.erase(waiting);
            return stream;
        }
    }
    if (!part.promise) return {std::make_unique<TextWindow>(part.path, offset), 0};
    // Its items are counted, and its MD5 is taken, from the start.
    Stream stream{std::make_unique<TextWindow>(part.path, 0, !is_verified(part)), 0};
    if (offset > 0) stream.rows_before = stream.window->skip_lines(offset);
    return stream;
}

void FilesReader::suspend(OpenFile& file) const {
    FileRows& rows = *file.rows;
    if (!rows.part().compressed || rows.offset() < suspended_bytes_min) return;
    const std::lock_guard lock{mutex_};
    if (suspended_.size() == suspended_max) suspended_.erase(suspended_.begin());
    const std::uint64_t offset = rows.offset();
    suspended_.push_back({rows.part().path, offset, {rows.release(), file.rows_read}});
}

bool FilesReader::has_rows(const Table& table, const FileRange& range) const {
    const RowsWanted wanted{table.declared};
    for (FilePlace begin = range.begin; begin < range.end; begin = {begin.file + 1, 0}) {
        if (open(table, begin, range.end, wanted).rows->next() != FileRows::Step::end) return true;
    }
    return false;
}

// At the end of a file: it is what its manifest says.
void FilesReader::check_promise(OpenFile& file) const {
    const FilePart& part = file.rows->part();
    if (!part.promise) return;
    const std::optional<Bytes> md5 = file.rows->md5();
    if (md5 && *md5 != part.promise->md5) {
        throw Error{"a data file of the export has another MD5 than its manifest says"}
            .with("file", part.name)
            .with("seen", to_base64(*md5))
            .with("manifest", to_base64(part.promise->md5))
            .hint("download it again");
    }
    if (file.rows_read != part.promise->items) {
        throw Error{"a data file of the export has another number of items than its manifest says"}
            .with("file", part.name)
            .with("seen", std::to_string(file.rows_read))
            .with("manifest", std::to_string(part.promise->items))
            .hint("download it again");
    }
    const std::lock_guard lock{mutex_};
    verified_.insert(part.path);
}

// At the end of a file: it is what it was, and the last one of its table finds no new ones.
void FilesReader::check_files(const Table& table, const FileRows& rows) const {
    check_unchanged(rows.part(), rows.descriptor());
    if (&rows.part() != &table.parts.back()) return;
    if (same_files(folder_, table.declared, table.parts)) return;
    throw Error{"the files of a table changed while they were audited"}
        .with("table", table.declared.name)
        .hint("the files are the snapshot: audit a copy that nobody writes to");
}

}  // namespace idxfsck::store
