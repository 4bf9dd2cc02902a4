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
    // An index that has a lane, with its short way, if it has one.
    struct Index {
        std::size_t number;  // position in Programs::indexes
        const IndexProgram& program;
        const QuickEntry* quick;
        bool asks;  // a program must say first whether the row is one of the index, or calls for it
    };
    struct Base {
        std::size_t number;  // position in Programs::bases
        const BaseProgram& program;
        const std::vector<std::size_t>* real_slots;
        std::vector<Index> indexes;
    };

    RowClass classify(const Base& base, const store::RowView& row);
    void take_base(const Base& base, const store::RowView& row, std::uint64_t number);
    Derived derive(const Index& index, const store::RowView& row, std::uint64_t number);
    void take_index(const Index& index, const store::RowView& row, std::uint64_t number);
    // False if the row has to go the long way.
    bool take_quick(const Index& index, Side side, const store::RowView& row,
                    std::uint64_t number);
    void note_slots(const store::RowView& row);

    const TableProgram& table_;
    ScanWorker& worker_;
    TableCounts& counts_;
    std::vector<Base> bases_;
    std::vector<Index> indexes_;
    bool all_slots_seen_ = false;
};

}  // namespace idxfsck::audit
