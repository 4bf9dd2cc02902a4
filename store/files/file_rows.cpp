#include "store/files/file_rows.hpp"

#include "store/files/csv_rows.hpp"
#include "store/files/ndjson_rows.hpp"

namespace idxfsck::store {

void FileRows::fail_across() const {
    throw Error{"a row lies across a cut: the quotes of the file do not pair up"}
        .with("file", part_.name)
        .with("offset", std::to_string(limit_));
}

std::unique_ptr<FileRows> open_rows(const FilePart& part, const RowsWanted& wanted,
                                    std::unique_ptr<TextWindow> window, std::uint64_t limit) {
    if (part.csv) return std::make_unique<CsvRows>(part, wanted, std::move(window), limit);
    return std::make_unique<NdjsonRows>(part, wanted, std::move(window), limit);
}

}  // namespace idxfsck::store
