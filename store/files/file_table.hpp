// store/files/file_table.hpp
//
// A table whose rows lie in files, as a spec declares it; FILES.md describes it.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "store/json/shape.hpp"
#include "store/value.hpp"

namespace idxfsck::store {

enum class FileFormat {
    by_name,  // as the file's name ends: .csv and .tsv, else NDJSON
    ndjson,
    csv,
};

// How the fields of a CSV file become values.
struct CsvDialect {
    char separator = '\0';           // none: a tab if the name ends in .tsv, else a comma
    std::map<Bytes, Kind> types;     // of columns that are not text
    bool empty_is_text = false;      // an unquoted empty field: "" instead of absent
    std::optional<Bytes> null_word;  // an unquoted field of these characters is null

    friend bool operator==(const CsvDialect&, const CsvDialect&) = default;
};

struct FileTable {
    Bytes name;
    std::vector<Bytes> key;          // names of the key components
    // Files, or folders of parts, in the folder of the store. None: found by the table's name.
    std::vector<std::string> files;
    FileFormat format = FileFormat::by_name;
    Shape shape = Shape::automatic;  // of NDJSON
    CsvDialect csv;

    friend bool operator==(const FileTable&, const FileTable&) = default;
};

using FileTables = std::vector<FileTable>;

}  // namespace idxfsck::store
