#include "store/files/file_part.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include <sys/stat.h>

#include "store/files/csv_rows.hpp"
#include "store/files/export_folder.hpp"
#include "store/files/file_search.hpp"
#include "store/json/line_reader.hpp"

namespace idxfsck::store {

namespace {

constexpr std::int64_t ns_per_second = 1'000'000'000;
constexpr char comma = ',';
constexpr char tab = '\t';

FileStamp stamp_of(const struct stat& seen) {
    return {static_cast<std::uint64_t>(seen.st_size),
            seen.st_mtim.tv_sec * ns_per_second + seen.st_mtim.tv_nsec,
            static_cast<std::uint64_t>(seen.st_dev), static_cast<std::uint64_t>(seen.st_ino)};
}

std::optional<FileStamp> stamp_at(const std::string& path) {
    struct stat seen {};
    if (::stat(path.c_str(), &seen) != 0) return std::nullopt;
    return stamp_of(seen);
}

Shape shape_of(const std::string& path, Shape declared) {
    if (declared != Shape::automatic) return declared;
    LineReader lines{path};
    const std::optional<BytesView> line = lines.next();
    return line ? detect_shape(*line) : Shape::plain;
}

char separator_of(const std::string& path, const CsvDialect& dialect) {
    if (dialect.separator != '\0') return dialect.separator;
    return is_tab_name(path) ? tab : comma;
}

// Looks into the file. What is wrong with it is for the scan to say: the other files can be read.
void look_into(FilePart& part, const FileTable& table) {
    try {
        part.compressed = InputStream{part.path}.compressed();
        if (part.csv) {
            part.separator = separator_of(part.path, table.csv);
            CsvHeader header = read_csv_header(part.path, part.separator, table);
            part.columns = std::move(header.columns);
            part.rows_begin = header.end;
        } else {
            part.shape = shape_of(part.path, table.shape);
        }
    } catch (const Error& error) {
        part.problem = error;
    }
}

std::string name_in(const std::string& folder, const std::string& path) {
    return std::filesystem::path{path}.lexically_proximate(folder).string();
}

FilePart part_at(const std::string& path, const std::string& folder, const FileTable& table) {
    const std::optional<FileStamp> stamp = stamp_at(path);
    if (!stamp) {
        throw Error{"cannot look at a file of rows"}
            .with("table", table.name)
            .with("file", path)
            .with("cause", std::strerror(errno));
    }
    FilePart part;
    part.path = path;
    part.name = name_in(folder, path);
    part.stamp = *stamp;
    part.csv = table.format == FileFormat::csv ||
               (table.format == FileFormat::by_name && is_csv_name(path));
    look_into(part, table);
    return part;
}

// Not through a link: it may lead out of the folder.
FileStamp stamp_of_export_file(ExportFile& file) {
    struct stat seen {};
    if (::lstat(file.path.c_str(), &seen) != 0) return {};
    if (!S_ISREG(seen.st_mode) && !file.problem) {
        file.problem = Error{"a data file of the export is no regular file"};
        file.problem->with("file", file.path);
    }
    return stamp_of(seen);
}

FilePart exported_part(ExportFile file, const std::string& folder) {
    FilePart part;
    part.path = file.path;
    part.name = name_in(folder, file.path);
    part.stamp = stamp_of_export_file(file);
    part.shape = Shape::dynamodb;
    part.problem = std::move(file.problem);
    part.promise = std::move(file.promise);
    try {
        if (!part.problem) part.compressed = InputStream{part.path}.compressed();
    } catch (const Error& error) {
        part.problem = error;
    }
    return part;
}

TableParts exported_parts(const std::string& where, const std::string& folder,
                          const FileTable& table) {
    if (table.format == FileFormat::csv ||
        (table.shape != Shape::automatic && table.shape != Shape::dynamodb)) {
        throw Error{"an export of DynamoDB has a shape of its own", Trouble::usage}
            .with("table", table.name)
            .with("folder", where)
            .hint("leave out `shape`");
    }
    TableExport exported = read_export(where);
    TableParts out{{}, exported.time_ms};
    for (ExportFile& file : exported.files) {
        out.parts.push_back(exported_part(std::move(file), folder));
    }
    return out;
}

bool same_export(const std::string& where, const std::vector<FilePart>& parts) {
    TableExport now = read_export(where);
    return std::equal(now.files.begin(), now.files.end(), parts.begin(), parts.end(),
                      [](ExportFile& file, const FilePart& part) {
                          return file.path == part.path && file.promise == part.promise &&
                                 stamp_of_export_file(file) == part.stamp;
                      });
}

}  // namespace

TableParts find_parts(const std::string& folder, const FileTable& table) {
    if (const auto where = find_export(folder, table)) {
        return exported_parts(*where, folder, table);
    }
    TableParts out;
    for (const std::string& path : find_files(folder, table)) {
        out.parts.push_back(part_at(path, folder, table));
    }
    return out;
}

void check_unchanged(const FilePart& part, int descriptor) {
    struct stat seen {};
    const bool known = ::fstat(descriptor, &seen) == 0;
    if (known && stamp_of(seen) == part.stamp) return;
    throw Error{"a file of rows changed while it was audited"}
        .with("file", part.name)
        .hint("the files are the snapshot: audit a copy that nobody writes to");
}

bool same_files(const std::string& folder, const FileTable& table,
                const std::vector<FilePart>& parts) {
    if (const auto where = find_export(folder, table)) return same_export(*where, parts);
    const std::vector<std::string> now = find_files(folder, table);
    if (now.size() != parts.size()) return false;
    for (std::size_t index = 0; index < now.size(); ++index) {
        if (now[index] != parts[index].path || stamp_at(now[index]) != parts[index].stamp) {
            return false;
        }
    }
    return true;
}

}  // namespace idxfsck::store
