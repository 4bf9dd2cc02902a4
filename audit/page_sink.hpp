// audit/page_sink.hpp
//
// A sink of rows that knows where the scan has come to, and asks at the end of each page whether to
// go on.
//
// Threads  Belongs to one worker.

#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "store/reader.hpp"

namespace idxfsck::audit {

class PageSink : public store::RowSink {
public:
    // Asked at the end of each page, with the rows of that page: false stops the scan.
    using Gate = std::function<bool(std::uint64_t rows)>;

    explicit PageSink(Gate gate) : gate_{std::move(gate)} {}

    void row(const store::RowView& row) final {
        take(row, page_rows_);
        ++page_rows_;
    }

    bool page_end(const store::Position& position) final {
        position_ = position;
        turn(position);
        return gate_(std::exchange(page_rows_, 0));
    }

    // Where the scan came to.
    const std::optional<store::Position>& position() const { return position_; }

protected:
    // One row; `number` counts from 0 in each page.
    virtual void take(const store::RowView& row, std::uint64_t number) = 0;
    // A page has ended at `position`.
    virtual void turn(const store::Position&) {}

private:
    Gate gate_;
    std::uint64_t page_rows_ = 0;
    std::optional<store::Position> position_;
};

}  // namespace idxfsck::audit
