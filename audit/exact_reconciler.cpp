#include "audit/exact_reconciler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <tuple>

#include "audit/chance.hpp"
#include "audit/match.hpp"
#include "audit/state_file.hpp"
#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

constexpr unsigned parts_bits = 8;
constexpr std::size_t parts_max = std::size_t{1} << parts_bits;

// Records that a lane holds back for one part before it hands them over: 2 KiB, so that the buffers
// of all parts stay in the second-level cache.
constexpr std::size_t lane_records_max = 128;

constexpr std::uint64_t record_size = sizeof(ExactReconciler::Record);
constexpr std::uint64_t lane_bytes = parts_max * lane_records_max * record_size;

// Records of one part that lie together in memory, and on disk: 64 KiB, or less where the budget is
// small, for every part has one such chunk that is not full.
std::size_t chunk_records(std::uint64_t budget_bytes) {
    const std::uint64_t bytes = std::clamp<std::uint64_t>(budget_bytes / 4096, 2 << 10, 64 << 10);
    return bytes / record_size;
}

// Each time that room runs out for good, one entry of so many is kept.
constexpr unsigned thinning_bits = 2;
// Of fewer than one in 2^20, nothing would be left.
constexpr unsigned sample_bits_max = 20;

// Bits that neither the sample nor the hash table of the matching goes by.
std::uint64_t slice_of(std::uint64_t mark, unsigned slices_bits) {
    return (mark >> 48) & ((std::uint64_t{1} << slices_bits) - 1);
}

std::vector<ExactReconciler::Record> sorted_without_places(
    std::vector<ExactReconciler::Record> records) {
    for (auto& record : records) record.side_and_place &= side_bit(Side::index);
    std::sort(records.begin(), records.end(), [](const auto& a, const auto& b) {
        return std::tie(a.mark, a.side_and_place) < std::tie(b.mark, b.side_and_place);
    });
    return records;
}

std::size_t part_of(const Fingerprint& fingerprint) {
    return static_cast<std::size_t>(fingerprint.high >> (64 - parts_bits));
}

}  // namespace

struct ExactReconciler::Part {
    struct OnDisk {
        std::uint64_t offset = 0;
        std::size_t count = 0;
    };

    std::mutex mutex;
    std::vector<std::vector<Record>> chunks;  // all full but the last
    std::vector<OnDisk> on_disk;
    std::uint64_t count = 0;
};

class ExactReconciler::PartLane : public Lane {
public:
    explicit PartLane(ExactReconciler& owner) : owner_{owner}, buffers_(parts_max) {}

    void add(Side side, const Fingerprint& fingerprint, Place place,
             store::BytesView) override {
        const std::size_t part = part_of(fingerprint);
        std::vector<Record>& buffer = buffers_[part];
        if (buffer.capacity() == 0) buffer.reserve(lane_records_max);
        buffer.push_back({fingerprint.low, place.value | side_bit(side)});
        if (buffer.size() == lane_records_max) owner_.take(part, buffer);
    }

    void flush() {
        for (std::size_t part = 0; part < parts_max; ++part) owner_.take(part, buffers_[part]);
    }

private:
    ExactReconciler& owner_;
    std::vector<std::vector<Record>> buffers_;
};

ExactReconciler::ExactReconciler(Counting counting, MemoryBudget& budget,
                                 std::string spill_directory)
    : counting_{counting},
      budget_{budget},
      chunk_records_max_{chunk_records(budget.bytes_max())},
      file_{spill_directory},
      can_spill_{!spill_directory.empty()} {
    for (std::size_t part = 0; part < parts_max; ++part) parts_.push_back(std::make_unique<Part>());
}

ExactReconciler::~ExactReconciler() { clear(); }

void ExactReconciler::clear() {
    for (const auto& part : parts_) release(*part);
}

void ExactReconciler::release(Part& part) {
    budget_.give_back(part.chunks.size() * chunk_records_max_ * record_size);
    part.chunks = {};
    part.on_disk = {};
    part.count = 0;
}

Lane& ExactReconciler::lane() {
    const std::lock_guard lock{lanes_mutex_};
    lanes_.push_back(std::make_unique<PartLane>(*this));
    budget_.take(lane_bytes);
    return *lanes_.back();
}

void ExactReconciler::close() {
    for (const auto& lane : lanes_) lane->flush();
    budget_.give_back(lanes_.size() * lane_bytes);
    lanes_.clear();
}

std::size_t ExactReconciler::parts_count() const { return parts_max; }

// Takes over the records of a lane and leaves its buffer empty.
void ExactReconciler::take(std::size_t number, std::vector<Record>& records) {
    Part& part = *parts_[number];
    while (!records.empty()) {
        {
            const std::lock_guard lock{part.mutex};
            append(part, records);
        }
        if (!records.empty()) thin();
    }
}

// Takes records off the end until there are none, or no room.
void ExactReconciler::append(Part& part, std::vector<Record>& records) {
    if (sample_bits_ > 0) {
        std::erase_if(records, [&](const Record& record) { return !sampled(record); });
    }
    while (!records.empty()) {
        if (part.chunks.empty() || part.chunks.back().size() == chunk_records_max_) {
            const bool can_thin = sample_bits_ < sample_bits_max;
            if (budget_.exceeded() && !spill(part) && can_thin) return;
            part.chunks.emplace_back().reserve(chunk_records_max_);
            budget_.take(chunk_records_max_ * record_size);
        }
        std::vector<Record>& chunk = part.chunks.back();
        const std::size_t count =
            std::min(records.size(), chunk_records_max_ - chunk.size());
        const auto first = std::prev(records.end(), static_cast<std::ptrdiff_t>(count));
        chunk.insert(chunk.end(), first, records.end());
        records.erase(first, records.end());
        part.count += count;
    }
}

// Moves the chunks of a part, all of them full, to disk; false if they cannot go there.
bool ExactReconciler::spill(Part& part) {
    if (!can_spill_) return false;
    try {
        while (!part.chunks.empty()) {
            const std::vector<Record>& chunk = part.chunks.back();
            const std::uint64_t offset = file_.append(chunk.data(), chunk.size() * record_size);
            part.on_disk.push_back({offset, chunk.size()});
            budget_.give_back(chunk_records_max_ * record_size);
            part.chunks.pop_back();
        }
        return true;
    } catch (const store::Error&) {
        // No disk, or none that is left: then a sample is what can be kept.
        can_spill_ = false;
        return false;
    }
}

bool ExactReconciler::sampled(const Record& record) const {
    return (record.mark & ((std::uint64_t{1} << sample_bits_) - 1)) == 0;
}

// Keeps a smaller sample of all parts. What lies on disk is sampled when it is read back.
void ExactReconciler::thin() {
    const std::lock_guard thinning{thin_mutex_};
    if (!budget_.exceeded()) return;  // another worker has made room
    sample_bits_ += thinning_bits;
    for (const auto& part : parts_) keep_sampled(*part);
}

void ExactReconciler::keep_sampled(Part& part) {
    const std::lock_guard lock{part.mutex};
    std::vector<std::vector<Record>> before = std::move(part.chunks);
    part.chunks.clear();
    for (std::vector<Record>& chunk : before) {
        for (const Record& record : chunk) {
            if (!sampled(record)) continue;
            if (part.chunks.empty() || part.chunks.back().size() == chunk_records_max_) {
                part.chunks.emplace_back().reserve(chunk_records_max_);
            }
            part.chunks.back().push_back(record);
        }
        chunk = {};
    }
    budget_.give_back((before.size() - part.chunks.size()) * chunk_records_max_ * record_size);
}

template <typename Take>
void ExactReconciler::each_chunk(const Part& part, const Take& take) const {
    std::vector<Record> chunk;
    for (const Part::OnDisk& stored : part.on_disk) {
        chunk.resize(stored.count);
        file_.read(stored.offset, chunk.data(), stored.count * record_size);
        take(chunk);
    }
    for (const std::vector<Record>& held : part.chunks) take(held);
}

// The records of a part, or of one slice of it where the whole would not fit.
std::vector<ExactReconciler::Record> ExactReconciler::collect(Part& part, unsigned slice,
                                                              unsigned slices_bits) const {
    std::vector<Record> records;
    records.reserve((part.count >> slices_bits) + 1);
    const auto keep = [&](const std::vector<Record>& chunk) {
        for (const Record& record : chunk) {
            const bool here = slice_of(record.mark, slices_bits) == slice;
            if (here && sampled(record)) records.push_back(record);
        }
    };
    each_chunk(part, keep);
    return records;
}

// A state is how many bits are sampled and, for each part, the number of its records and then the
// records, two words each.
void ExactReconciler::save(StateWriter& writer, Places places) {
    for (const auto& lane : lanes_) lane->flush();
    writer.bytes(name());
    writer.number(sample_bits_);
    const auto write = [&](const std::vector<Record>& records) {
        for (const Record& record : records) {
            writer.words(std::array{record.mark, record.side_and_place});
        }
    };
    for (const auto& part : parts_) {
        if (places == Places::dropped) {
            const std::vector<Record> records = sorted_without_places(collect(*part, 0, 0));
            writer.number(records.size());
            write(records);
            continue;
        }
        std::uint64_t count = 0;
        each_chunk(*part, [&](const std::vector<Record>& chunk) { count += chunk.size(); });
        writer.number(count);
        each_chunk(*part, write);
    }
}

void ExactReconciler::load(StateReader& reader) {
    if (reader.bytes() != name()) reader.fail();
    const std::uint64_t bits = reader.number();
    if (bits > sample_bits_max) reader.fail();
    sample_bits_ = std::max(sample_bits_.load(), static_cast<unsigned>(bits));
    std::vector<Record> records;
    for (std::size_t part = 0; part < parts_max; ++part) {
        for (std::uint64_t left = reader.count(); left > 0; --left) {
            std::array<std::uint64_t, 2> words{};
            reader.words(words);
            records.push_back({words[0], words[1]});
            if (records.size() == lane_records_max || left == 1) take(part, records);
        }
    }
}

std::vector<Unmatched> ExactReconciler::unmatched(std::size_t number) {
    Part& part = *parts_[number];
    // Matching takes about five times the records: the copy, and a table a quarter to half full.
    // Several parts are matched at once, so each may have a sixteenth of the budget, but never less
    // than 2 MiB: cutting finer than that would only read the file oftener.
    const std::uint64_t share = std::max<std::uint64_t>(budget_.bytes_max() / 16, 2 << 20);
    unsigned slices_bits = 0;
    while ((part.count * record_size * 5) >> slices_bits > share && slices_bits < 16) ++slices_bits;

    std::vector<Unmatched> result;
    for (unsigned slice = 0; slice < (1U << slices_bits); ++slice) {
        const std::vector<Record> records = collect(part, slice, slices_bits);
        append_unmatched(result, records, counting_);
    }
    differences_ += result.size();
    release(part);
    return result;
}

double ExactReconciler::differences_estimate() const {
    return static_cast<double>(differences_) * std::pow(2.0, sample_bits_.load());
}

double ExactReconciler::differences_error() const {
    return 1 / std::sqrt(static_cast<double>(std::max<std::uint64_t>(differences_, 1)));
}

double ExactReconciler::miss_probability(std::uint64_t differences) const {
    if (exhausted()) return 1;
    // The mark and the number of the part.
    return odds_of_a_miss(differences, 64 + parts_bits);
}

}  // namespace idxfsck::audit
