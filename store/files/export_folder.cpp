#include "store/files/export_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <set>

#include "store/files/file_search.hpp"

namespace idxfsck::store {

namespace {

namespace files = std::filesystem;

constexpr const char* exports_name = "AWSDynamoDB";
constexpr const char* data_name = "data";

// Links count neither as files nor as folders.
bool is_file(const files::path& path) {
    std::error_code ignored;
    return files::is_regular_file(files::symlink_status(path, ignored));
}

bool is_folder(const files::path& path) {
    std::error_code ignored;
    return files::is_directory(files::symlink_status(path, ignored));
}

bool has_manifest(const files::path& folder) {
    return is_file(folder / export_summary_name) || is_file(folder / export_files_name);
}

void append_children(const files::path& folder, std::vector<std::string>& out) {
    std::error_code ignored;
    for (const auto& entry : files::directory_iterator{folder, ignored}) {
        if (is_folder(entry.path()) && has_manifest(entry.path())) {
            out.push_back(entry.path().string());
        }
    }
}

// The exports that lie there, in order of name.
std::vector<std::string> exports_at(const files::path& path) {
    if (has_manifest(path)) return {path.string()};
    std::vector<std::string> out;
    append_children(path, out);
    append_children(path / exports_name, out);
    std::sort(out.begin(), out.end());
    return out;
}

[[noreturn]] void fail(const char* text, const FileTable& table, const std::string& folder,
                       const char* hint) {
    throw Error{text, Trouble::usage}
        .with("table", table.name)
        .with("folder", folder)
        .hint(hint);
}

// Those of the table.
std::vector<std::string> exports_of(std::vector<std::string> found, const FileTable& table) {
    std::erase_if(found, [&](const std::string& folder) {
        return exported_table(folder) != table.name;
    });
    if (found.size() > 1) {
        fail("several exports of the table lie there", table, found[1],
             "name the one to read: `files = \"AWSDynamoDB/…\"` of the table");
    }
    return found;
}

// Of a path that the spec names, or of the folder with the table's name.
std::optional<std::string> named_export(const files::path& path, const FileTable& table) {
    const std::vector<std::string> found = exports_at(path);
    if (found.empty()) return std::nullopt;
    if (found.size() == 1) return found[0];
    const std::vector<std::string> left = exports_of(found, table);
    if (!left.empty()) return left[0];
    fail("several exports lie there, and none of them is of the table", table, path.string(),
         "name the one to read: `files = \"AWSDynamoDB/…\"` of the table");
}

std::optional<std::string> export_by_name(const std::string& folder, const FileTable& table) {
    const std::vector<std::string> found = exports_of(exports_at(folder), table);
    const bool file_too = has_files_of_name(folder, table);
    if (found.empty()) return std::nullopt;
    if (!file_too) return found[0];
    fail("an export and other files may hold the table", table, found[0],
         "name what holds it: `files = \"AWSDynamoDB/…\"`");
}

// The data files as the manifest has them, with what can be seen of each from outside.
void add_data(const ExportedFiles& listed, const files::path& data, TableExport& out) {
    for (const ExportedFile& file : listed.files) {
        const files::path path = data / file.name;
        ExportFile& added = out.files.emplace_back(
            ExportFile{path.string(), file.promise, std::nullopt});
        if (is_folder(data) && is_file(path)) continue;
        added.problem = Error{"a data file of the export is not there, or is no regular file"}
                            .with("file", path.string())
                            .hint("download the export again, all of it");
    }
}

// What lies among the data and is not in the manifest may be of another export.
void add_unnamed(const ExportedFiles& listed, const files::path& data, TableExport& out) {
    std::set<std::string> names;
    for (const ExportedFile& file : listed.files) names.insert(file.name);
    std::vector<std::string> unnamed;
    std::error_code ignored;
    for (const auto& entry : files::directory_iterator{data, ignored}) {
        const std::string name = entry.path().filename().string();
        if (!names.contains(name) && !is_hidden_name(name)) unnamed.push_back(entry.path());
    }
    std::sort(unnamed.begin(), unnamed.end());
    for (const std::string& path : unnamed) {
        out.files.push_back({path, {}, Error{"the manifest of the export does not name the file"}
                                           .with("file", path)
                                           .hint("move it away if it is not of this export")});
    }
}

void add_problem(const std::string& folder, const char* name, std::optional<Error> problem,
                 TableExport& out) {
    if (problem) out.files.push_back({folder + "/" + name, {}, std::move(problem)});
}

}  // namespace

std::optional<std::string> find_export(const std::string& folder, const FileTable& table) {
    if (table.files.empty()) {
        const files::path own = files::path{folder} / table.name;
        std::optional<std::string> found;
        if (is_file_name(table.name) && is_folder(own)) found = named_export(own, table);
        return found ? found : export_by_name(folder, table);
    }
    std::optional<std::string> found;
    for (const std::string& file : table.files) {
        found = named_export(files::path{folder} / file, table);
        if (!found) continue;
        if (table.files.size() == 1) return found;
        fail("an export is a whole table, and `files` names more", table, *found,
             "name the export alone");
    }
    return found;
}

TableExport read_export(const std::string& folder) {
    TableExport out;
    ExportSummary summary = read_export_summary(folder);
    if (!summary.time_ms && summary.problem) {
        // Of what kind it is and when it was is not known: its data may be anything.
        add_problem(folder, export_summary_name, std::move(summary.problem), out);
        return out;
    }
    out.time_ms = summary.time_ms;
    ExportedFiles listed = read_export_files(folder);
    const files::path data = files::path{folder} / data_name;
    add_data(listed, data, out);
    if (!listed.problem) add_unnamed(listed, data, out);
    if (!summary.problem && !listed.problem && summary.items != listed.items) {
        summary.problem = Error{"the item counts of the manifests do not fit"}
                              .with("summary", std::to_string(summary.items))
                              .with("files", std::to_string(listed.items))
                              .hint("download the export again, all of it");
    }
    add_problem(folder, export_files_name, std::move(listed.problem), out);
    add_problem(folder, export_summary_name, std::move(summary.problem), out);
    return out;
}

}  // namespace idxfsck::store
