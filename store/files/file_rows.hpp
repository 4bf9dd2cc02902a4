// store/files/file_rows.hpp
//
// The rows of one file, one after the other, from some place on.
//
// Shape    Positions are offsets of the uncompressed text: of the start of a line of NDJSON, of a
//          record of CSV.
// Errors   A line that is no row is `damaged`. Throws Error if the file cannot be read on, if it is
//          not the part as it was found, or if a row lies across `limit`.
// Threads  Belongs to one thread.

#pragma once

#include <memory>
#include <string_view>

#include "store/files/file_part.hpp"
#include "store/files/row_target.hpp"
#include "store/files/text_window.hpp"
#include "store/key_filter.hpp"

namespace idxfsck::store {

// What is wanted of the rows; all of it must outlive them.
struct RowsWanted {
    const FileTable& table;
    const Projection* projection = nullptr;
    const KeyFilter* keys = nullptr;
};

class FileRows {
public:
    enum class Step {
        row,
        left_out,  // a row that the filter does not want
        damaged,
        end,       // of the file, proven, or at the limit
    };

    virtual ~FileRows() = default;

    virtual Step next() = 0;

    // Valid until next() is called again.
    RowView row() const { return target_.row(); }
    // Where it begins; also of a damaged one.
    std::uint64_t row_begin() const { return row_begin_; }
    std::string_view problem() const { return problem_; }
    // Behind it.
    std::uint64_t offset() const { return window_->offset(); }

    const FilePart& part() const { return part_; }
    // Of the file, at its end, if it was asked for.
    std::optional<Bytes> md5() { return window_->md5(); }
    int descriptor() const { return window_->input().descriptor(); }
    // The text from offset() on, for whoever goes on there. Then nothing may be called any more.
    std::unique_ptr<TextWindow> release() { return std::move(window_); }

protected:
    FileRows(const FilePart& part, const RowsWanted& wanted, std::unique_ptr<TextWindow> window,
             std::uint64_t limit)
        : part_{part},
          wanted_{wanted},
          target_{wanted.table.key, wanted.projection},
          window_{std::move(window)},
          limit_{limit} {}

    // Has the limit been reached?
    bool at_limit() const {
        const std::uint64_t here = window_->offset();
        if (here > limit_) fail_across();
        return here == limit_;
    }
    [[noreturn]] void fail_across() const;

    Step damaged(std::string_view problem) {
        problem_ = problem;
        return Step::damaged;
    }

    const FilePart& part_;
    const RowsWanted wanted_;
    RowTarget target_;
    std::unique_ptr<TextWindow> window_;
    const std::uint64_t limit_;
    std::uint64_t row_begin_ = 0;
    std::string_view problem_;
};

// `window` stands where the rows shall begin. Rows that begin at `limit` or behind are left.
std::unique_ptr<FileRows> open_rows(const FilePart& part, const RowsWanted& wanted,
                                    std::unique_ptr<TextWindow> window, std::uint64_t limit);

}  // namespace idxfsck::store
