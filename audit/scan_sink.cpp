#include "audit/scan_sink.hpp"

#include <utility>

namespace idxfsck::audit {

namespace {

// Sends the entries of one row to the lane of one index.
class LaneSink : public EntrySink {
public:
    LaneSink(ScanWorker& worker, std::size_t index, Side side, const store::RowView& row,
             std::uint64_t row_number)
        : worker_{worker}, index_{index}, side_{side}, row_{row}, row_number_{row_number} {}

    void entry(const EntryView& entry) override {
        const Fingerprint fingerprint = worker_.fingerprinter.of(entry);
        worker_.lanes[index_]->add(side_, fingerprint, worker_.book.place(row_number_),
                                  worker_.fingerprinter.bytes());
        ++entries;
    }

    void damage(Damage, store::BytesView) override {
        if (noted_) return;
        noted_ = true;
        DamagedRow damaged{index_, side_, {}};
        for (const store::ValueView& part : row_.key) damaged.key.emplace_back(part);
        worker_.damaged.push_back(std::move(damaged));
    }

    std::uint64_t entries = 0;

private:
    ScanWorker& worker_;
    std::size_t index_;
    Side side_;
    const store::RowView& row_;
    std::uint64_t row_number_;
    bool noted_ = false;
};

}  // namespace

ScanSink::ScanSink(const Programs& programs, std::size_t table, ScanWorker& worker, Gate gate)
    : PageSink{std::move(gate)},
      programs_{programs},
      table_{programs.tables[table]},
      worker_{worker},
      counts_{worker.tables[table]} {}

void ScanSink::take(const store::RowView& row, std::uint64_t number) {
    ++counts_.rows;
    bool claimed = false;
    for (const std::size_t base : table_.bases) {
        const RowClass what = programs_.bases[base].program->classify(row, worker_.scratch);
        if (what == RowClass::other) continue;
        claimed = true;
        if (what == RowClass::real) take_base(base, row, number);
        if (what == RowClass::partial) ++worker_.bases[base].partial;
        const bool ends = what == RowClass::expired || what == RowClass::expiring;
        if (ends) ++worker_.bases[base].expired;
    }
    for (const std::size_t index : table_.indexes) {
        if (worker_.lanes[index] == nullptr) continue;
        const IndexProgram& program = *programs_.indexes[index].program;
        if (!program.owns(row, worker_.scratch)) continue;
        claimed = true;
        LaneSink sink{worker_, index, Side::index, row, number};
        program.decode(row, worker_.scratch, sink);
        worker_.indexes[index].held += sink.entries;
    }
    if (!claimed) ++counts_.rows_other;
}

void ScanSink::take_base(std::size_t base, const store::RowView& row, std::uint64_t number) {
    ++worker_.bases[base].real;
    if (!all_slots_seen_) note_slots(row);
    for (const std::size_t index : programs_.bases[base].indexes) {
        if (worker_.lanes[index] == nullptr) continue;
        LaneSink sink{worker_, index, Side::base, row, number};
        const Derived derived =
            programs_.indexes[index].program->derive(row, worker_.scratch, sink);
        worker_.indexes[index].expected += sink.entries;
        if (derived == Derived::exempt) ++worker_.indexes[index].exempt;
        if (derived == Derived::uncovered) ++worker_.indexes[index].uncovered;
    }
}

// An attribute that no row has is most likely misspelt in the spec: see doubts.hpp.
void ScanSink::note_slots(const store::RowView& row) {
    all_slots_seen_ = true;
    for (std::size_t slot = 0; slot < row.slots.size(); ++slot) {
        if (row.slots[slot].present()) counts_.slots_seen[slot] = true;
        all_slots_seen_ = all_slots_seen_ && counts_.slots_seen[slot];
    }
}

void ScanSink::damaged(store::BytesView raw_key) {
    ++counts_.rows_damaged;
    keep_damaged(counts_.damaged, raw_key);
}

void ScanSink::turn(const store::Position& position) { worker_.book.turn(position); }

}  // namespace idxfsck::audit
