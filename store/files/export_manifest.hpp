// store/files/export_manifest.hpp
//
// The two manifests of a point-in-time export of a DynamoDB table: what was exported, and which
// data files hold it.
//
// Shape    manifest-summary.json is one JSON object; manifest-files.json has one a line, for each
//          data file. Only the last part of a data file's key counts, for whoever downloads chooses
//          the folder. Beside each manifest lies NAME.checksum; where it holds an MD5, in base64 or
//          hexadecimal digits, the manifest must have it (what it holds is not documented).
// Units    Times are Unix milliseconds.
// Errors   What is not there, is cut or does not fit is a `problem`: what the export holds is then
//          not known. Throws Error (usage) for an export of another kind: incremental, or not in
//          DYNAMODB_JSON.
// Threads  Plain values and functions.
// Source   "DynamoDB table export output format", Amazon DynamoDB developer guide.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "store/bytes.hpp"
#include "store/error.hpp"

namespace idxfsck::store {

inline constexpr const char* export_summary_name = "manifest-summary.json";
inline constexpr const char* export_files_name = "manifest-files.json";

struct ExportSummary {
    std::optional<std::int64_t> time_ms;
    std::uint64_t items = 0;
    std::optional<Error> problem;
};

ExportSummary read_export_summary(const std::string& folder);

// The name of the table that was exported, in whatever way; "" if it is not said.
std::string exported_table(const std::string& folder);

// What a manifest promises of a data file.
struct ExportPromise {
    std::uint64_t items = 0;
    Bytes md5;  // of the file as it lies there, 16 bytes

    friend bool operator==(const ExportPromise&, const ExportPromise&) = default;
};

struct ExportedFile {
    std::string name;  // in the folder of data
    ExportPromise promise;
};

struct ExportedFiles {
    std::vector<ExportedFile> files;  // in order of name, each once
    std::uint64_t items = 0;          // of all lines; at most 2^64 - 1
    std::optional<Error> problem;
};

ExportedFiles read_export_files(const std::string& folder);

// Is it a name, and no way to somewhere else?
bool is_file_name(const std::string& name);

}  // namespace idxfsck::store
