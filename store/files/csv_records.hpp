// store/files/csv_records.hpp
//
// Records of a CSV file, cut into fields.
//
// Shape    RFC 4180: fields between separators, records between line ends (LF or CR LF); a field
//          that begins with a quote goes on to the next single one and may hold separators, line
//          ends and doubled quotes. Blank lines are no records.
// Errors   A quote within a field that does not begin with one, and what follows a closing quote,
//          make the record damaged; the next one begins behind the next line end. So does a quote
//          that the file does not close. Throws Error for a record beyond line_bytes_max_default,
//          and what TextWindow throws.
// Threads  Belongs to one thread.
// Source   RFC 4180, section 2.

#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "store/files/csv_specials.hpp"
#include "store/files/text_window.hpp"

namespace idxfsck::store {

struct CsvField {
    std::uint32_t begin = 0;  // in the record, without its quotes
    std::uint32_t end = 0;
    bool quoted = false;
    bool doubled = false;  // quotes in it are doubled
};

class CsvRecords {
public:
    CsvRecords(TextWindow& window, char separator);

    enum class Step { record, damaged, end };

    // Moves to the next record; views of the last one are no longer valid.
    Step next();

    std::span<const CsvField> fields() const { return std::span{fields_}.first(fields_count_); }
    // What the field says. Undoubles its quotes in place, so ask for each field once.
    BytesView text(const CsvField& field) const;
    // Where the record begins in the file.
    std::uint64_t begin() const { return begin_; }
    // Of a damaged record: a fixed text.
    std::string_view problem() const { return problem_; }

private:
    enum class Parsed { whole, cut, damaged };

    Parsed parse();
    Parsed take_quoted(CsvSpecials& specials, const char* begin, const char*& stop,
                       CsvField& field);
    Parsed parse_damaged(const char* from, const char* end, std::string_view problem);
    Step finish(Parsed parsed);
    bool is_blank() const;

    TextWindow& window_;
    CsvSpecials specials_;
    std::vector<CsvField> fields_;  // as many as a record has had
    std::size_t fields_count_ = 0;
    char* record_ = nullptr;
    std::size_t size_ = 0;
    const char* expected_ = nullptr;  // where the walk of specials goes on
    const char* expected_end_ = nullptr;
    std::uint64_t begin_ = 0;
    std::string_view problem_;
};

}  // namespace idxfsck::store
