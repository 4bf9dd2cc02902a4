// store/files/export_folder.hpp
//
// A table's point-in-time export to S3, in the folder into which it was downloaded.
//
// Shape    The folder of an export holds its manifests and `data/`. Of all that the manifests name
//          only files in that `data/` are looked at, and only regular ones: no links.
// Errors   A data file that is not there or is no file keeps its problem, and so does a manifest
//          that does not fit; these are listed among the files, so that whoever reads the table
//          cannot overlook them. Throws Error (usage) for several exports that may be meant, and
//          what read_export_summary() throws.
// Threads  Plain values and functions.

#pragma once

#include "store/files/export_manifest.hpp"
#include "store/files/file_table.hpp"

namespace idxfsck::store {

struct ExportFile {
    std::string path;
    ExportPromise promise;
    std::optional<Error> problem;
};

struct TableExport {
    std::vector<ExportFile> files;       // manifests only if something is wrong with them
    std::optional<std::int64_t> time_ms;  // whose rows it holds
};

// The folder of the export of `table`; nothing if its files are no export. Looked for where `files`
// of the table says, else in the folder of its name, else by the name of the exported table; in
// each of these either the export itself or, perhaps below `AWSDynamoDB`, its folder.
std::optional<std::string> find_export(const std::string& folder, const FileTable& table);

TableExport read_export(const std::string& folder);

}  // namespace idxfsck::store
