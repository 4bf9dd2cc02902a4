// store/files/csv_rows.hpp
//
// Rows of a CSV file: a column is an attribute, named by the header.

#pragma once

#include <vector>

#include "store/files/csv_records.hpp"
#include "store/files/csv_values.hpp"
#include "store/files/file_rows.hpp"

namespace idxfsck::store {

class CsvRows : public FileRows {
public:
    CsvRows(const FilePart& part, const RowsWanted& wanted, std::unique_ptr<TextWindow> window,
            std::uint64_t limit);

    Step next() override;

private:
    // A column that is read of every row, and where its value goes.
    struct Wanted {
        std::size_t column;
        std::size_t place;
        CsvColumn reader;
    };

    // One that is only read of rows that are handed over: outside the key, of whole rows.
    struct Attribute {
        std::size_t column;
        CsvColumn reader;
    };

    std::string_view take_attributes();

    CsvRecords records_;
    std::vector<Wanted> columns_;
    std::vector<Attribute> attributes_;  // in order of name
};

// Reads the header of a CSV file, behind which its rows begin. Throws Error for one that is none:
// empty, damaged, with a column twice or without a name, or without one of the key.
struct CsvHeader {
    std::vector<Bytes> columns;
    std::uint64_t end = 0;
};

CsvHeader read_csv_header(const std::string& file, char separator, const FileTable& table);

}  // namespace idxfsck::store
