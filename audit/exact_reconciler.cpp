#include "audit/exact_reconciler.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <tuple>

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

// Records of one part that lie together in memory, and on disk: 64 KiB.
constexpr std::size_t chunk_records_max = 4096;

constexpr std::uint64_t record_size = sizeof(ExactReconciler::Record);

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
      file_{spill_directory},
      spilling_allowed_{!spill_directory.empty()} {
    for (std::size_t part = 0; part < parts_max; ++part) parts_.push_back(std::make_unique<Part>());
}

ExactReconciler::~ExactReconciler() {
    for (const auto& part : parts_) {
        budget_.give_back(part->chunks.size() * chunk_records_max * record_size);
    }
}

Lane& ExactReconciler::lane() {
    const std::lock_guard lock{lanes_mutex_};
    lanes_.push_back(std::make_unique<PartLane>(*this));
    return *lanes_.back();
}

void ExactReconciler::close() {
    for (const auto& lane : lanes_) lane->flush();
    lanes_.clear();
}

std::size_t ExactReconciler::parts_count() const { return parts_max; }

// Takes over the records of a lane and leaves its buffer empty.
void ExactReconciler::take(std::size_t number, std::vector<Record>& records) {
    if (records.empty()) return;
    Part& part = *parts_[number];
    const std::lock_guard lock{part.mutex};
    part.count += records.size();
    std::size_t done = 0;
    while (done < records.size()) {
        if (part.chunks.empty() || part.chunks.back().size() == chunk_records_max) {
            if (budget_.exceeded()) spill(part);
            part.chunks.emplace_back().reserve(chunk_records_max);
            budget_.take(chunk_records_max * record_size);
        }
        std::vector<Record>& chunk = part.chunks.back();
        const std::size_t count = std::min(records.size() - done, chunk_records_max - chunk.size());
        const auto first = std::next(records.begin(), static_cast<std::ptrdiff_t>(done));
        chunk.insert(chunk.end(), first, std::next(first, static_cast<std::ptrdiff_t>(count)));
        done += count;
    }
    records.clear();
}

// Moves the chunks of a part, all of them full, to disk.
void ExactReconciler::spill(Part& part) {
    if (!spilling_allowed_) {
        throw store::Error{"the memory budget is used up and there is no folder to spill into"}
            .with("budget_bytes", std::to_string(budget_.bytes_max()))
            .hint("allow more with --memory");
    }
    for (const std::vector<Record>& chunk : part.chunks) {
        const std::uint64_t offset = file_.append(chunk.data(), chunk.size() * record_size);
        part.on_disk.push_back({offset, chunk.size()});
        budget_.give_back(chunk_records_max * record_size);
    }
    part.chunks.clear();
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

// The records of a part, or of one slice of it where the whole would not fit: those whose mark ends
// in `slice`.
std::vector<ExactReconciler::Record> ExactReconciler::collect(Part& part, unsigned slice,
                                                              unsigned slices_bits) const {
    const std::uint64_t mask = (std::uint64_t{1} << slices_bits) - 1;
    std::vector<Record> records;
    records.reserve((part.count >> slices_bits) + 1);
    const auto keep = [&](const std::vector<Record>& chunk) {
        for (const Record& record : chunk) {
            if ((record.mark & mask) == slice) records.push_back(record);
        }
    };
    each_chunk(part, keep);
    return records;
}

// A state is, for each part, the number of its records and then the records, two words each.
void ExactReconciler::save(StateWriter& writer, Places places) {
    for (const auto& lane : lanes_) lane->flush();
    writer.bytes(name());
    const auto write = [&](const std::vector<Record>& records) {
        for (const Record& record : records) {
            writer.words(std::array{record.mark, record.side_and_place});
        }
    };
    for (const auto& part : parts_) {
        writer.number(part->count);
        if (places == Places::kept) {
            each_chunk(*part, write);
        } else {
            write(sorted_without_places(collect(*part, 0, 0)));
        }
    }
}

void ExactReconciler::load(StateReader& reader) {
    if (reader.bytes() != name()) reader.fail();
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
    // Matching takes about three times the records: the copy, and a table half full. Several parts
    // are matched at once, so each may have a sixteenth of the budget, but never less than 16 MiB:
    // cutting finer than that would only read the file oftener.
    const std::uint64_t share = std::max<std::uint64_t>(budget_.bytes_max() / 16, 16 << 20);
    unsigned slices_bits = 0;
    while ((part.count * record_size * 3) >> slices_bits > share && slices_bits < 16) ++slices_bits;

    std::vector<Unmatched> result;
    for (unsigned slice = 0; slice < (1U << slices_bits); ++slice) {
        const std::vector<Record> records = collect(part, slice, slices_bits);
        append_unmatched(result, records, counting_);
    }
    budget_.give_back(part.chunks.size() * chunk_records_max * record_size);
    part.chunks.clear();
    part.chunks.shrink_to_fit();
    return result;
}

double ExactReconciler::miss_probability(std::uint64_t differences) const {
    // A difference is missed if an entry that only the base calls for and one that only the index
    // holds share 72 bits: about (d/2)^2 pairs.
    const double half = static_cast<double>(differences) / 2 + 1;
    return half * half * std::pow(2.0, -static_cast<double>(64 + parts_bits));
}

}  // namespace idxfsck::audit
