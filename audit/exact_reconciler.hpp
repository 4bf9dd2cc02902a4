// audit/exact_reconciler.hpp
//
// Exact reconciling: fingerprints are dealt out by their high bits into 256 parts, and each part is
// matched in a hash table of its own. Grows with the data, at 16 bytes an entry; what goes over the
// memory budget lies in a temporary file until it is matched.
//
// Shape    A record is the low half of the fingerprint and a place whose top bit is the side. With
//          the part number an entry is known by 72 bits of its hash.
// Units    Budgets are in bytes, shared by all that an audit holds.
// Errors   Where neither memory nor disk can take more, it keeps the entries alone whose lowest
//          hash bits are zero: a fair sample, both sides of each entry. Then it is exhausted, and
//          says so. Throws Error if what lies on disk cannot be read back.
// Threads  As Reconciler says.
// Source   Radix partitioning before a hash join: Manegold, Boncz, Kersten, "Optimizing Main-Memory
//          Join on Modern Hardware", IEEE TKDE 14(4), 2002.

#pragma once

#include <atomic>
#include <deque>
#include <mutex>
#include <string>

#include "audit/memory_budget.hpp"
#include "audit/reconcile.hpp"

namespace idxfsck::audit {

// An anonymous file that vanishes with its owner.
class SpillFile {
public:
    explicit SpillFile(std::string directory) : directory_{std::move(directory)} {}
    ~SpillFile();
    SpillFile(const SpillFile&) = delete;
    SpillFile& operator=(const SpillFile&) = delete;

    // Appends, from any thread; returns where the bytes lie.
    std::uint64_t append(const void* bytes, std::uint64_t size);
    void read(std::uint64_t offset, void* bytes, std::uint64_t size) const;

private:
    void open();

    std::string directory_;
    std::once_flag opened_;
    int descriptor_ = -1;
    std::atomic<std::uint64_t> size_{0};
};

class ExactReconciler : public Reconciler {
public:
    ExactReconciler(Counting counting, MemoryBudget& budget, std::string spill_directory);
    ~ExactReconciler() override;

    std::string_view name() const override { return "exact"; }
    Lane& lane() override;
    void save(StateWriter& writer, Places places) override;
    void load(StateReader& reader) override;
    void close() override;
    std::size_t parts_count() const override;
    std::vector<Unmatched> unmatched(std::size_t part) override;
    bool exhausted() const override { return sample_bits_ > 0; }
    double differences_estimate() const override;
    double differences_error() const override;
    double miss_probability(std::uint64_t differences) const override;

    // Forgets everything; only after close().
    void clear();

    struct Record {
        std::uint64_t mark = 0;
        std::uint64_t side_and_place = 0;
    };

private:
    class PartLane;
    struct Part;

    void take(std::size_t part, std::vector<Record>& records);
    void append(Part& part, std::vector<Record>& records);
    bool spill(Part& part);
    void thin();
    void keep_sampled(Part& part);
    bool sampled(const Record& record) const;
    void release(Part& part);
    // Hands over each run of records of a part, those on disk too.
    template <typename Take>
    void each_chunk(const Part& part, const Take& take) const;
    std::vector<Record> collect(Part& part, unsigned slice, unsigned slices_bits) const;

    Counting counting_;
    MemoryBudget& budget_;
    std::size_t chunk_records_max_;
    SpillFile file_;
    std::atomic<bool> can_spill_;
    std::atomic<unsigned> sample_bits_{0};       // that must be zero; 0: everything is kept
    std::atomic<std::uint64_t> differences_{0};  // found so far
    std::mutex thin_mutex_;
    std::vector<std::unique_ptr<Part>> parts_;
    std::mutex lanes_mutex_;
    std::deque<std::unique_ptr<PartLane>> lanes_;
};

}  // namespace idxfsck::audit
