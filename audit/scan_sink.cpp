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
        worker_.queue.add(entry, {worker_.lanes[index_], side_, worker_.place(row_number_)});
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
      table_{programs.tables[table]},
      worker_{worker},
      counts_{worker.tables[table]} {
    for (const std::size_t base : table_.bases) {
        const BaseProgram& program = *programs.bases[base].program;
        bases_.push_back({base, program, program.real_slots(), {}});
        for (const std::size_t index : programs.bases[base].indexes) {
            if (worker.lanes[index] == nullptr) continue;
            const IndexProgram& of_index = *programs.indexes[index].program;
            bases_.back().indexes.push_back(
                {index, of_index, of_index.quick_derive(), of_index.has_conditions()});
        }
    }
    for (const std::size_t index : table_.indexes) {
        if (worker.lanes[index] == nullptr) continue;
        const IndexProgram& program = *programs.indexes[index].program;
        indexes_.push_back({index, program, program.quick_decode(), !program.owns_every_row()});
    }
}

RowClass ScanSink::classify(const Base& base, const store::RowView& row) {
    if (base.real_slots == nullptr) return base.program.classify(row, worker_.scratch);
    for (const std::size_t slot : *base.real_slots) {
        const store::Kind kind = row.slots[slot].kind;
        if (kind == store::Kind::absent || kind == store::Kind::null) return RowClass::partial;
    }
    return RowClass::real;
}

bool ScanSink::take_quick(const Index& index, Side side, const store::RowView& row,
                          std::uint64_t number) {
    if (index.quick == nullptr || row.key.size() != table_.schema.key.size()) return false;
    return worker_.queue.add(*index.quick, row,
                             {worker_.lanes[index.number], side, worker_.place(number)});
}

void ScanSink::take(const store::RowView& row, std::uint64_t number) {
    ++counts_.rows;
    bool claimed = false;
    for (const Base& base : bases_) {
        const RowClass what = classify(base, row);
        if (what == RowClass::other) continue;
        claimed = true;
        if (what == RowClass::real) take_base(base, row, number);
        if (what == RowClass::partial) ++worker_.bases[base.number].partial;
        const bool ends = what == RowClass::expired || what == RowClass::expiring;
        if (ends) ++worker_.bases[base.number].expired;
    }
    for (const Index& index : indexes_) {
        if (index.asks && !index.program.owns(row, worker_.scratch)) continue;
        claimed = true;
        take_index(index, row, number);
    }
    if (!claimed) ++counts_.rows_other;
}

void ScanSink::take_base(const Base& base, const store::RowView& row, std::uint64_t number) {
    ++worker_.bases[base.number].real;
    if (!all_slots_seen_) note_slots(row);
    for (const Index& index : base.indexes) {
        const Derived derived = derive(index, row, number);
        if (derived == Derived::exempt) ++worker_.indexes[index.number].exempt;
        if (derived == Derived::uncovered) ++worker_.indexes[index.number].uncovered;
    }
}

Derived ScanSink::derive(const Index& index, const store::RowView& row, std::uint64_t number) {
    std::uint64_t& expected = worker_.indexes[index.number].expected;
    if (index.quick != nullptr && index.asks) {
        const Derived screened = index.program.screen(row, worker_.scratch);
        if (screened != Derived::entries) return screened;
    }
    if (take_quick(index, Side::base, row, number)) {
        ++expected;
        return Derived::entries;
    }
    LaneSink sink{worker_, index.number, Side::base, row, number};
    const Derived derived = index.program.derive(row, worker_.scratch, sink);
    expected += sink.entries;
    return derived;
}

void ScanSink::take_index(const Index& index, const store::RowView& row, std::uint64_t number) {
    IndexCounts& counts = worker_.indexes[index.number];
    if (take_quick(index, Side::index, row, number)) {
        ++counts.held;
        return;
    }
    LaneSink sink{worker_, index.number, Side::index, row, number};
    index.program.decode(row, worker_.scratch, sink);
    counts.held += sink.entries;
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

void ScanSink::turn(const store::Position& position) {
    if (worker_.keeps_places) worker_.book.turn(position);
}

}  // namespace idxfsck::audit
