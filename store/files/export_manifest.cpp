#include "store/files/export_manifest.hpp"

#include <algorithm>
#include <filesystem>

#include "store/json/base64.hpp"
#include "store/json/md5.hpp"
#include "store/json/scalar_text.hpp"
#include "store/json/value_json.hpp"
#include "store/private_file.hpp"

namespace idxfsck::store {

namespace {

namespace files = std::filesystem;

constexpr std::uint64_t summary_bytes_max = 1 << 20;
// A line has about 200 bytes, and an export about a file for each 10 GB at the least.
constexpr std::uint64_t manifest_bytes_max = std::uint64_t{256} << 20;
constexpr std::uint64_t checksum_bytes_max = 4096;
constexpr std::int64_t ticks_per_ms = 10'000;
constexpr std::int64_t unix_epoch_ticks = 621'355'968'000'000'000;

const char* const whole_hint = "download the export again, all of it";

Error problem_of(const char* text, const std::string& file) {
    return Error{text}.with("file", file).hint(whole_hint);
}

std::optional<Json> object_in(BytesView text) {
    Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) return std::nullopt;
    return json;
}

std::string text_in(const Json& json, const char* name) {
    const auto found = json.find(name);
    return found != json.end() && found->is_string() ? found->get<std::string>() : std::string{};
}

std::optional<std::uint64_t> count_in(const Json& json, const char* name) {
    const auto found = json.find(name);
    if (found == json.end() || !found->is_number_unsigned()) return std::nullopt;
    return found->get<std::uint64_t>();
}

bool is_there(const Json& json, const char* name) {
    const auto found = json.find(name);
    return found != json.end() && !found->is_null();
}

// The MD5 that a checksum file holds; nothing if it holds something else.
std::optional<Bytes> md5_in(BytesView text) {
    constexpr BytesView blank{" \t\r\n"};
    while (!text.empty() && blank.find(text.back()) != BytesView::npos) text.remove_suffix(1);
    constexpr std::size_t hex_digits = 2 * Md5::size;
    auto md5 = text.size() == hex_digits ? from_hex(text) : from_base64(text);
    if (md5 && md5->size() != Md5::size) md5.reset();
    return md5;
}

bool fits_checksum(const std::string& path, BytesView content) {
    const std::string checksum = files::path{path}.replace_extension(".checksum").string();
    std::error_code ignored;
    if (!files::exists(files::symlink_status(checksum, ignored))) return true;
    const auto promised = md5_in(read_file(checksum, checksum_bytes_max));
    return !promised || *promised == md5_of(content);
}

// A manifest as it lies there.
struct Manifest {
    Bytes content;
    std::optional<Error> problem;
};

Manifest read_manifest(const std::string& folder, const char* name, std::uint64_t bytes_max) {
    const std::string path = folder + "/" + name;
    std::error_code ignored;
    if (!files::exists(files::symlink_status(path, ignored))) {
        return {{}, Error{"a manifest of the export is not there"}
                        .with("file", path)
                        .hint("an export has its manifests when it has ended; download all of it")};
    }
    try {
        Manifest manifest{read_file(path, bytes_max), {}};
        if (!fits_checksum(path, manifest.content)) {
            manifest.problem = problem_of("a manifest is not the one of its .checksum file", path);
        }
        return manifest;
    } catch (const Error& error) {
        return {{}, error};
    }
}

[[noreturn]] void refuse(const char* text, const std::string& folder, const std::string& seen,
                         const char* hint) {
    throw Error{text, Trouble::usage}.with("folder", folder).with("seen", seen).hint(hint);
}

void check_kind(const Json& summary, const std::string& folder) {
    const std::string type = text_in(summary, "exportType");
    const bool full = type.empty() || type == "FULL_EXPORT";
    if (!full || is_there(summary, "outputView") || is_there(summary, "exportFromTime")) {
        refuse("an incremental export holds changes and not the table", folder,
               full ? "outputView" : type, "export the table with --export-type FULL_EXPORT");
    }
    const std::string format = text_in(summary, "outputFormat");
    if (format != "DYNAMODB_JSON") {
        refuse("the format of the export is not read", folder, format,
               "export the table with --export-format DYNAMODB_JSON");
    }
}

std::string table_of(const std::string& arn) {
    constexpr std::string_view before{":table/"};
    const std::size_t found = arn.find(before);
    return found == std::string::npos ? std::string{} : arn.substr(found + before.size());
}

// One line of the manifest of files; false if it is none.
bool take_line(BytesView line, ExportedFiles& out) {
    const std::optional<Json> json = object_in(line);
    if (!json) return false;
    const std::string key = text_in(*json, "dataFileS3Key");
    const auto md5 = from_base64(text_in(*json, "md5Checksum"));
    const auto items = count_in(*json, "itemCount");
    const std::string name = key.substr(key.rfind('/') + 1);
    if (!is_file_name(name) || !md5 || md5->size() != Md5::size || !items) return false;
    if (__builtin_add_overflow(out.items, *items, &out.items)) return false;
    out.files.push_back({name, {*items, *md5}});
    return true;
}

void keep_each_once(ExportedFiles& out, const std::string& path) {
    auto& all = out.files;
    std::sort(all.begin(), all.end(),
              [](const ExportedFile& a, const ExportedFile& b) { return a.name < b.name; });
    const auto same = [](const ExportedFile& a, const ExportedFile& b) { return a.name == b.name; };
    const auto twice = std::adjacent_find(all.begin(), all.end(), same);
    if (twice == all.end()) return;
    if (!out.problem) {
        out.problem = problem_of("the manifest names a file twice", path);
        out.problem->with("twice", twice->name);
    }
    all.erase(std::unique(all.begin(), all.end(), same), all.end());
}

}  // namespace

ExportSummary read_export_summary(const std::string& folder) {
    Manifest manifest = read_manifest(folder, export_summary_name, summary_bytes_max);
    ExportSummary out;
    out.problem = std::move(manifest.problem);
    const std::string path = folder + "/" + export_summary_name;
    const std::optional<Json> json = object_in(manifest.content);
    if (!json) {
        if (!out.problem) out.problem = problem_of("the manifest is no JSON object", path);
        return out;
    }
    check_kind(*json, folder);
    const auto ticks = date_time_from_text(text_in(*json, "exportTime"));
    if (ticks) out.time_ms = (*ticks - unix_epoch_ticks) / ticks_per_ms;
    const auto items = count_in(*json, "itemCount");
    out.items = items.value_or(0);
    if (!out.problem && (!ticks || !items)) {
        out.problem = problem_of("the manifest has no exportTime or no itemCount", path);
    }
    return out;
}

std::string exported_table(const std::string& folder) {
    const Manifest manifest = read_manifest(folder, export_summary_name, summary_bytes_max);
    const std::optional<Json> json = object_in(manifest.content);
    return json ? table_of(text_in(*json, "tableArn")) : std::string{};
}

ExportedFiles read_export_files(const std::string& folder) {
    Manifest manifest = read_manifest(folder, export_files_name, manifest_bytes_max);
    ExportedFiles out;
    out.problem = std::move(manifest.problem);
    const std::string path = folder + "/" + export_files_name;
    BytesView rest = manifest.content;
    for (std::uint64_t number = 1; !rest.empty(); ++number) {
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const BytesView line = rest.substr(0, end);
        rest.remove_prefix(std::min(end + 1, rest.size()));
        if (line.find_first_not_of(" \t\r") == BytesView::npos || take_line(line, out)) continue;
        if (out.problem) continue;
        out.problem = problem_of("a line of the manifest is not as documented", path)
                          .with("line", std::to_string(number));
    }
    keep_each_once(out, path);
    return out;
}

bool is_file_name(const std::string& name) {
    return !name.empty() && name != "." && name != ".." &&
           name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
}

}  // namespace idxfsck::store
