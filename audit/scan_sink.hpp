// audit/scan_sink.hpp
//
// Turns the rows of one table into fingerprints: base rows into the entries that they call for,
// index rows into the entries that they hold.
//
// Reads    Rows of one partition, cut to the table's projection.
// Gives    Entries to the worker's lanes, counts, damaged rows, pages to the worker's book.
// Threads  Belongs to one worker.

#pragma once

#include "audit/page_sink.hpp"
#include "audit/scan_worker.hpp"

namespace idxfsck::audit {

class ScanSink : public PageSink {
public:
    ScanSink(const Programs& programs, std::size_t table, ScanWorker& worker, Gate gate);

    void damaged(store::BytesView raw_key) override;

protected:
    void take(const store::RowView& row, std::uint64_t number) override;
    void turn(const store::Position& position) override;

private:
    void take_base(std::size_t base, const store::RowView& row, std::uint64_t number);
    void note_slots(const store::RowView& row);

    const Programs& programs_;
    const TableProgram& table_;
    ScanWorker& worker_;
    TableCounts& counts_;
    bool all_slots_seen_ = false;
};

}  // namespace idxfsck::audit
