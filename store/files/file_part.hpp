// store/files/file_part.hpp
//
// The files of a table: which they are, how they are to be read, and what tells whether one of them
// has changed since.
//
// Shape    In order of name within a folder. FILES.md says how they are found.
// Errors   Throws Error with the fields `table` and `file` or `folder`: no file, several that might
//          be meant, something in a folder of parts that is no part. A file that is found but
//          cannot be read as rows keeps its problem, for whoever scans it.
// Threads  Plain values and functions.

#pragma once

#include <string>
#include <vector>

#include "store/files/export_manifest.hpp"
#include "store/files/file_table.hpp"

namespace idxfsck::store {

// What a file looks like from outside.
struct FileStamp {
    std::uint64_t size = 0;
    std::int64_t modified_ns = 0;
    std::uint64_t device = 0;
    std::uint64_t number = 0;  // on the device

    friend bool operator==(const FileStamp&, const FileStamp&) = default;
};

struct FilePart {
    std::string path;
    std::string name;  // for people: as it lies in the folder of the store
    FileStamp stamp;
    bool compressed = false;
    bool csv = false;
    Shape shape = Shape::plain;   // of NDJSON; never automatic
    char separator = ',';         // of CSV
    std::vector<Bytes> columns;   // of CSV
    std::uint64_t rows_begin = 0; // behind the header of CSV
    std::optional<ExportPromise> promise;  // of a data file of an export
    std::optional<Error> problem; // why it cannot be read

    // Can it only be read from its start to its end?
    bool in_one_piece() const { return compressed || promise || problem; }
};

struct TableParts {
    std::vector<FilePart> parts;
    std::optional<std::int64_t> as_of_ms;  // of an export: the moment whose rows it holds
};

// The parts of `table`, in `folder`.
TableParts find_parts(const std::string& folder, const FileTable& table);

// Throws Error if the file that is open is not the part as it was found.
void check_unchanged(const FilePart& part, int descriptor);

// Are the parts of the table still the same files, none more and none less?
bool same_files(const std::string& folder, const FileTable& table,
                const std::vector<FilePart>& parts);

}  // namespace idxfsck::store
