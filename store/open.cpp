#include "store/open.hpp"

#include <algorithm>
#include <filesystem>

#include "store/error.hpp"
#include "store/files/files_reader.hpp"
#include "store/json/scalar_text.hpp"
#include "store/open_azure_tables.hpp"
#include "store/open_dynamodb.hpp"
#include "store/open_setting.hpp"
#include "store/rocksdb/raw_reader.hpp"
#include "store/rocksdb/rocksdb_reader.hpp"

namespace idxfsck::store {

namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out.append(out.empty() ? "" : ", ").append(word);
    return out;
}

}  // namespace

const std::vector<std::string>& store_kinds() {
    static const std::vector<std::string> kinds{"azure_tables", "dynamodb", "files", "rocksdb",
                                                "rocksdb_raw"};
    return kinds;
}

std::vector<std::string> store_settings(const std::string& kind) {
    if (kind == "azure_tables") return azure_tables_setting_names();
    if (kind == "dynamodb") return dynamodb_setting_names();
    if (kind == "rocksdb") return {"path"};
    if (kind == "files") return {"live", "path"};
    if (kind == "rocksdb_raw") return {"checkpoint", "path"};
    return {};
}

void check_settings(const std::string& kind, const Settings& settings) {
    const std::vector<std::string>& kinds = store_kinds();
    if (std::find(kinds.begin(), kinds.end(), kind) == kinds.end()) {
        throw Error{"unknown kind of store", Trouble::usage}
            .with("kind", kind)
            .hint("known kinds: " + joined(kinds));
    }
    const std::vector<std::string> known = store_settings(kind);
    for (const auto& [name, value] : settings) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        throw Error{"unknown setting of a store", Trouble::usage}
            .with("kind", kind)
            .with("setting", name)
            .hint("a store of this kind has: " + joined(known));
    }
}

std::string path_setting(const Settings& settings, const std::string& base_folder) {
    const auto found = settings.find("path");
    if (found == settings.end() || found->second.empty()) {
        throw Error{"the store has no path", Trouble::usage}.hint(
            "add `path = \"FOLDER\"` to the store; it starts at the folder of the spec");
    }
    return (std::filesystem::path{base_folder} / found->second).lexically_normal().string();
}

std::string text_setting(const Settings& settings, const std::string& name) {
    const auto found = settings.find(name);
    return found == settings.end() ? std::string{} : found->second;
}

double rate_setting(const Settings& settings, const std::string& units) {
    const std::string text = text_setting(settings, "rate");
    if (text.empty()) return 0.0;
    const std::optional<std::uint32_t> rate = integer_from_text<std::uint32_t>(text);
    if (rate && *rate > 0) return *rate;
    throw Error{"a rate is a whole number of " + units + " a second", Trouble::usage}
        .with("setting", "rate")
        .with("seen", text);
}

bool flag_setting(const Settings& settings, const std::string& name) {
    const auto found = settings.find(name);
    if (found == settings.end() || found->second == "false") return false;
    if (found->second == "true") return true;
    throw Error{"a setting of a store is neither true nor false", Trouble::usage}
        .with("setting", name)
        .with("seen", found->second);
}

std::unique_ptr<Reader> open_reader(const std::string& kind, const Settings& settings,
                                    const std::string& base_folder, const RawTables& raw_tables,
                                    const FileTables& file_tables) {
    check_settings(kind, settings);
    if (kind == "dynamodb") {
        return std::make_unique<DynamodbReader>(dynamodb_settings(settings), system_surroundings());
    }
    if (kind == "azure_tables") {
        return std::make_unique<AzureTablesReader>(azure_tables_settings(settings),
                                                   system_surroundings());
    }
    const std::string path = path_setting(settings, base_folder);
    if (kind == "files") return std::make_unique<FilesReader>(path, file_tables);
    if (kind != "rocksdb_raw") return std::make_unique<RocksdbReader>(path);
    return std::make_unique<RawReader>(path, raw_tables, flag_setting(settings, "checkpoint"));
}

}  // namespace idxfsck::store
