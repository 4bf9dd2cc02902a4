#include "store/files/csv_rows.hpp"

#include <algorithm>

namespace idxfsck::store {

namespace {

constexpr std::size_t columns_max = 16384;

Error header_error(std::string_view cause, const std::string& file) {
    return Error{"a CSV file has no header that names its columns"}
        .with("file", file)
        .with("cause", cause);
}

void check_columns(const std::vector<Bytes>& columns, const std::string& file,
                   const FileTable& table) {
    if (columns.size() > columns_max) throw header_error("too many columns", file);
    std::vector<Bytes> sorted = columns;
    std::sort(sorted.begin(), sorted.end());
    const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
    if (sorted.front().empty()) throw header_error("a column has no name", file);
    if (twice != sorted.end()) {
        throw header_error("two columns have one name", file).with("column", *twice);
    }
    for (const Bytes& name : table.key) {
        if (std::binary_search(sorted.begin(), sorted.end(), name)) continue;
        throw header_error("a column of the key is missing", file).with("column", name);
    }
    for (const auto& [name, kind] : table.csv.types) {
        if (std::binary_search(sorted.begin(), sorted.end(), name)) continue;
        throw header_error("a column that `types` names is missing", file).with("column", name);
    }
}

}  // namespace

CsvRows::CsvRows(const FilePart& part, const RowsWanted& wanted,
                 std::unique_ptr<TextWindow> window, std::uint64_t limit)
    : FileRows{part, wanted, std::move(window), limit}, records_{*window_, part.separator} {
    for (std::size_t column = 0; column < part.columns.size(); ++column) {
        const Bytes& name = part.columns[column];
        const CsvColumn reader{name, wanted.table.csv};
        const std::size_t place = target_.place_of(name);
        if (place != RowTarget::no_place) columns_.push_back({column, place, reader});
        if (target_.whole() && !target_.in_key(name)) attributes_.push_back({column, reader});
    }
    std::sort(attributes_.begin(), attributes_.end(), [&](const auto& a, const auto& b) {
        return part.columns[a.column] < part.columns[b.column];
    });
}

FileRows::Step CsvRows::next() {
    if (at_limit()) return Step::end;
    const CsvRecords::Step step = records_.next();
    if (step == CsvRecords::Step::end) return Step::end;
    row_begin_ = records_.begin();
    if (step == CsvRecords::Step::damaged) return damaged(records_.problem());
    const std::span<const CsvField> fields = records_.fields();
    if (fields.size() != part_.columns.size()) {
        return damaged("more or fewer fields than the header has");
    }
    target_.begin();
    for (Wanted& wanted : columns_) {
        const CsvField& field = fields[wanted.column];
        const std::string_view problem = wanted.reader.read(
            records_.text(field), field.quoted, target_.values()[wanted.place]);
        if (!problem.empty()) return damaged(problem);
    }
    const std::string_view problem = target_.finish_key();
    if (!problem.empty()) return damaged(problem);
    if (wanted_.keys != nullptr && !wanted_.keys->may_hold(target_.key())) return Step::left_out;
    const std::string_view in_attribute = take_attributes();
    return in_attribute.empty() ? Step::row : damaged(in_attribute);
}

std::string_view CsvRows::take_attributes() {
    for (Attribute& attribute : attributes_) {
        // A field is undoubled once: one that is a slot, too, has been.
        const std::size_t place = target_.place_of(part_.columns[attribute.column]);
        ValueView value;
        if (place != RowTarget::no_place) {
            value = target_.values()[place];
        } else {
            const CsvField& field = records_.fields()[attribute.column];
            const std::string_view problem =
                attribute.reader.read(records_.text(field), field.quoted, value);
            if (!problem.empty()) return problem;
        }
        if (!value.present()) continue;
        const Bytes& name = part_.columns[attribute.column];
        append_varint(target_.attributes(), name.size());
        target_.attributes().append(name);
        append_element(target_.attributes(), value);
    }
    return {};
}

CsvHeader read_csv_header(const std::string& file, char separator, const FileTable& table) {
    TextWindow window{file, 0};
    CsvRecords records{window, separator};
    const CsvRecords::Step step = records.next();
    if (step == CsvRecords::Step::end) throw header_error("the file is empty", file);
    if (step == CsvRecords::Step::damaged) throw header_error(records.problem(), file);
    CsvHeader header;
    for (const CsvField& field : records.fields()) {
        header.columns.emplace_back(records.text(field));
    }
    check_columns(header.columns, file, table);
    header.end = window.offset();
    return header;
}

}  // namespace idxfsck::store
