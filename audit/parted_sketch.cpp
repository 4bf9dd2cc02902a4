#include "audit/parted_sketch.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "audit/chance.hpp"
#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

constexpr double chunks_a_table = 10'500;
constexpr double tables_max = 1024;
constexpr double deviations = 4;

// Entries that a lane gathers for one table.
constexpr std::size_t gathered_bytes_max = 4096;

// The finisher of SplitMix64, over all 128 bits: the cells within a table are chosen by plain bits
// of the fingerprint, and must not be bound to the table.
std::uint64_t mixed(const Fingerprint& fingerprint) {
    std::uint64_t word = fingerprint.low ^ (fingerprint.high * 0x9e3779b97f4a7c15);
    word ^= word >> 30;
    word *= 0xbf58476d1ce4e5b9;
    word ^= word >> 27;
    word *= 0x94d049bb133111eb;
    return word ^ (word >> 31);
}

// Before the bytes of an entry that is gathered.
struct Gathered {
    Fingerprint fingerprint;
    std::uint32_t size = 0;
    Side side = Side::base;
};

}  // namespace

std::size_t parted_sketch_tables(double chunks, double error) {
    const double tables = std::ceil(chunks * (1 + deviations * error) / chunks_a_table);
    if (!(tables <= tables_max)) return 0;
    return std::max<std::size_t>(1, static_cast<std::size_t>(tables));
}

std::uint64_t parted_sketch_bytes(std::size_t tables, std::size_t cell_size,
                                  std::size_t workers) {
    return tables * (sketch_cells_count * cell_size + workers * gathered_bytes_max);
}

struct PartedSketch::Table {
    Table(std::uint64_t seed, std::size_t cell_size) : cells{seed, cell_size, Pages::as_ever} {}

    std::mutex mutex;
    SketchPayload cells;
};

class PartedSketch::GatheringLane : public Lane {
public:
    explicit GatheringLane(PartedSketch& owner) : owner_{owner}, gathered_(owner.tables_.size()) {}

    void add(Side side, const Fingerprint& fingerprint, Place, store::BytesView bytes) override {
        const auto table = static_cast<std::size_t>(((mixed(fingerprint) >> 32) *
                                                     gathered_.size()) >> 32);
        store::Bytes& gathered = gathered_[table];
        const Gathered head{fingerprint, static_cast<std::uint32_t>(bytes.size()), side};
        gathered.append(reinterpret_cast<const char*>(&head), sizeof head).append(bytes);
        if (gathered.size() >= gathered_bytes_max) put_in(table);
    }

    void flush() {
        for (std::size_t table = 0; table < gathered_.size(); ++table) put_in(table);
    }

private:
    void put_in(std::size_t number) {
        Table& table = *owner_.tables_[number];
        store::BytesView rest{gathered_[number]};
        const std::lock_guard lock{table.mutex};
        while (!rest.empty()) {
            Gathered head;
            std::memcpy(&head, rest.data(), sizeof head);
            table.cells.add(head.side, head.fingerprint, rest.substr(sizeof head, head.size));
            rest.remove_prefix(sizeof head + head.size);
        }
        gathered_[number].clear();
    }

    PartedSketch& owner_;
    std::vector<store::Bytes> gathered_;
};

PartedSketch::PartedSketch(std::uint64_t seed, std::size_t cell_size, std::size_t tables,
                           MemoryBudget& budget)
    : budget_{budget}, table_bytes_{sketch_cells_count * cell_size} {
    for (std::size_t number = 0; number < tables; ++number) {
        tables_.push_back(std::make_unique<Table>(seed, cell_size));
    }
    budget_.take(tables * table_bytes_);
}

PartedSketch::~PartedSketch() {
    for (const auto& table : tables_) {
        if (table) budget_.give_back(table_bytes_);
    }
}

Lane& PartedSketch::lane() {
    const std::lock_guard lock{lanes_mutex_};
    lanes_.push_back(std::make_unique<GatheringLane>(*this));
    return *lanes_.back();
}

void PartedSketch::save(StateWriter&, Places) {
    store::ensure(false, "a second scan is never saved");
}

void PartedSketch::load(StateReader&) { store::ensure(false, "a second scan is never saved"); }

void PartedSketch::close() {
    for (const auto& lane : lanes_) lane->flush();
    lanes_.clear();
}

std::vector<Unmatched> PartedSketch::unmatched(std::size_t part) {
    std::vector<PeeledEntry> entries;
    if (!tables_[part]->cells.peel(entries)) exhausted_ = true;
    tables_[part].reset();
    budget_.give_back(table_bytes_);
    std::vector<Unmatched> result;
    result.reserve(entries.size());
    for (PeeledEntry& entry : entries) {
        result.push_back({entry.side, {}, entry.fingerprint.low, std::move(entry.bytes)});
    }
    return result;
}

double PartedSketch::miss_probability(std::uint64_t differences) const {
    return odds_of_a_miss(differences, 128);
}

}  // namespace idxfsck::audit
