#include "store/files/file_search.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "store/error.hpp"
#include "store/files/export_manifest.hpp"

namespace idxfsck::store {

namespace {

namespace files = std::filesystem;

constexpr std::array<std::string_view, 5> endings{".csv", ".json", ".jsonl", ".ndjson", ".tsv"};

std::string without_gzip(std::string name) {
    if (name.ends_with(".gz")) name.resize(name.size() - 3);
    return name;
}

// The ending of a file of rows, or nothing.
std::string_view ending_of(const std::string& name) {
    const std::string plain = without_gzip(name);
    for (const std::string_view ending : endings) {
        if (plain.ends_with(ending)) return ending;
    }
    return {};
}

[[noreturn]] void fail(const char* text, const FileTable& table, const files::path& path,
                       std::string hint) {
    throw Error{text, Trouble::usage}
        .with("table", table.name)
        .with("file", path.string())
        .hint(std::move(hint));
}

std::vector<std::string> parts_in(const files::path& folder, const FileTable& table) {
    std::vector<std::string> parts;
    std::error_code error;
    for (const auto& entry : files::directory_iterator{folder, error}) {
        const std::string name = entry.path().filename().string();
        if (is_hidden_name(name)) continue;
        std::error_code ignored;
        if (!entry.is_regular_file(ignored) || ending_of(name).empty()) {
            fail("a folder of parts holds something else", table, entry.path(),
                 "parts end in .ndjson, .jsonl, .json, .csv or .tsv, or in one of these and .gz; "
                 "names that begin with a dot or an underscore are left out");
        }
        parts.push_back(entry.path().string());
    }
    if (error) {
        throw Error{"cannot read a folder of parts"}
            .with("table", table.name)
            .with("folder", folder.string())
            .with("cause", error.message());
    }
    if (parts.empty()) fail("a folder of parts is empty", table, folder, "is this the folder?");
    std::sort(parts.begin(), parts.end());
    return parts;
}

std::vector<std::string> files_at(const files::path& path, const FileTable& table) {
    std::error_code ignored;
    if (files::is_directory(path, ignored)) return parts_in(path, table);
    if (files::is_regular_file(path, ignored)) return {path.string()};
    fail("there is no such file of rows", table, path,
         "`files` of a table starts at the `path` of its store");
}

// By the table's name: `Users/`, `Users.ndjson`, `Users.csv.gz`.
std::vector<files::path> paths_of_name(const files::path& base) {
    std::vector<files::path> there;
    std::error_code ignored;
    if (files::is_directory(base, ignored)) there.push_back(base);
    for (const std::string_view ending : endings) {
        for (const std::string_view gzip : {"", ".gz"}) {
            files::path path = base;
            path += ending;
            path += gzip;
            if (files::is_regular_file(path, ignored)) there.push_back(path);
        }
    }
    return there;
}

std::vector<std::string> files_of_name(const files::path& folder, const FileTable& table) {
    const files::path base = folder / table.name;
    const std::vector<files::path> there = paths_of_name(base);
    if (there.empty()) {
        fail("no file holds the table", table, base,
             "looked for a folder of this name, for .csv, .json, .jsonl, .ndjson and .tsv, each "
             "also with .gz, and for an export of this table; or name them: `files = \"…\"`");
    }
    if (there.size() > 1) {
        fail("several files may hold the table", table, there[1],
             "name those that do: `files = \"" + there[0].filename().string() + "\"`");
    }
    return files_at(there[0], table);
}

}  // namespace

std::vector<std::string> find_files(const std::string& folder, const FileTable& table) {
    if (table.files.empty()) {
        if (is_file_name(table.name)) return files_of_name(folder, table);
        fail("the name of the table is no name of a file", table, table.name,
             "name its files: `files = \"…\"`");
    }
    std::vector<std::string> all;
    for (const std::string& file : table.files) {
        const std::vector<std::string> found = files_at(files::path{folder} / file, table);
        all.insert(all.end(), found.begin(), found.end());
    }
    std::vector<std::string> sorted = all;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (twice != sorted.end()) {
        fail("a file of rows is named twice", table, *twice, "its rows would count twice");
    }
    return all;
}

bool has_files_of_name(const std::string& folder, const FileTable& table) {
    return is_file_name(table.name) && !paths_of_name(files::path{folder} / table.name).empty();
}

bool is_hidden_name(const std::string& name) {
    return name.starts_with('.') || name.starts_with('_');
}

bool is_csv_name(const std::string& name) {
    return ending_of(name) == ".csv" || ending_of(name) == ".tsv";
}

bool is_tab_name(const std::string& name) { return ending_of(name) == ".tsv"; }

}  // namespace idxfsck::store
