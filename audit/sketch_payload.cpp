#include "audit/sketch_payload.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <optional>
#include <span>

#include "audit/copy_short.hpp"
#include "audit/fingerprint.hpp"
#include "audit/state_file.hpp"

namespace idxfsck::audit {

namespace {

constexpr std::size_t cell_words_max = 16;
constexpr std::size_t narrow_words = 8;
constexpr std::size_t lead_size = 8;  // bytes of the fingerprint before each chunk of many

// Count and header come before the bytes.
std::size_t room_of(std::size_t words) { return (words - 2) * 8; }

// Header: bytes in the chunk (8 bits), number of the chunk (12), chunks in all (12), tag (32).
constexpr std::uint64_t chunks_max = (1 << 12) - 1;

std::uint64_t header_of(std::size_t size, std::size_t number, std::size_t count,
                        std::uint64_t tag) {
    return size | (std::uint64_t{number} << 8) | (std::uint64_t{count} << 20) | (tag << 32);
}

struct Header {
    std::size_t size;
    std::size_t number;
    std::size_t count;
    std::uint64_t tag;

    explicit Header(std::uint64_t word)
        : size{word & 0xff},
          number{(word >> 8) & chunks_max},
          count{(word >> 20) & chunks_max},
          tag{word >> 32} {}
};

std::uint64_t tag_of(const Fingerprint& hash) { return (hash.low ^ (hash.high >> 7)) >> 32; }

// A whole entry goes by its fingerprint; a chunk of many by a hash that its number is part of.
std::uint64_t seed_of(std::uint64_t seed, std::size_t number) {
    return seed + (number + 1) * 0x9e3779b97f4a7c15;
}

struct Chunk {
    Side side;
    Header header;
    Fingerprint hash;
    store::Bytes bytes;
    std::uint64_t header_word;
};

}  // namespace

SketchPayload::SketchPayload(std::uint64_t seed, std::size_t cell_size, Pages pages)
    : seed_{seed},
      lines_per_cell_{cell_size / sizeof(Line)},
      lines_(sketch_cells_count * lines_per_cell_, PageAllocator<Line>{pages}) {}

void SketchPayload::add(Side side, const Fingerprint& fingerprint, store::BytesView bytes) {
    if (!fits(bytes)) return add_chunks(side, fingerprint, bytes);
    add_chunk(side, fingerprint, header_of(bytes.size(), 0, 1, tag_of(fingerprint)), bytes);
}

// An entry of more chunks than a header can count is left out of the cells but not of the counts:
// its first chunk goes in without the others, and peel() will miss them.
void SketchPayload::add_chunks(Side side, const Fingerprint& fingerprint,
                               store::BytesView bytes) {
    const std::size_t room = room_of(words_per_cell()) - lead_size;
    const std::size_t count = std::min<std::size_t>((bytes.size() + room - 1) / room, chunks_max);
    std::array<char, cell_words_max * 8> chunk;
    std::memcpy(chunk.data(), &fingerprint.low, lead_size);
    for (std::size_t number = 0; number < count; ++number) {
        const store::BytesView part = bytes.substr(number * room, room);
        std::memcpy(chunk.data() + lead_size, part.data(), part.size());
        const store::BytesView led{chunk.data(), lead_size + part.size()};
        const Fingerprint hash = fingerprint_of(led, seed_of(seed_, number));
        add_chunk(side, hash, header_of(led.size(), number, count, tag_of(hash)), led);
    }
}

namespace {

// Of a constant size, and apart, so that the compiler makes it a few wide additions.
template <std::size_t Words>
void add_words(std::uint64_t* __restrict cell, const std::uint64_t* __restrict words) {
    for (std::size_t word = 0; word < Words; ++word) cell[word] += words[word];
}

template <std::size_t Words>
void take_words(std::uint64_t* __restrict cell, const std::uint64_t* __restrict words) {
    for (std::size_t word = 0; word < Words; ++word) cell[word] -= words[word];
}

void fill(SketchChunk& chunk, Side side, const Fingerprint& hash, std::uint64_t header,
          store::BytesView bytes) {
    chunk.narrow = bytes.size() <= room_of(narrow_words);
    // In halves: of all at once, GCC makes a loop of the processor's that is slow to begin.
    std::memset(chunk.words.data(), 0, narrow_words * sizeof(std::uint64_t));
    if (!chunk.narrow) {
        std::memset(chunk.words.data() + narrow_words, 0, narrow_words * sizeof(std::uint64_t));
    }
    chunk.words[0] = 1;
    chunk.words[1] = header;
    copy_short(reinterpret_cast<char*>(chunk.words.data() + 2), bytes.data(), bytes.size());
    chunk.positions = sketch_positions(hash);
    chunk.side = side;
}

}  // namespace

void SketchPayload::make_ready(SketchChunk& chunk, Side side, const Fingerprint& fingerprint,
                               store::BytesView bytes) const {
    fill(chunk, side, fingerprint, header_of(bytes.size(), 0, 1, tag_of(fingerprint)), bytes);
    for (const std::uint32_t position : chunk.positions) {
        __builtin_prefetch(cell(position), 1);
        if (!chunk.narrow) __builtin_prefetch(cell(position) + narrow_words, 1);
    }
}

void SketchPayload::add_chunk(Side side, const Fingerprint& hash, std::uint64_t header,
                              store::BytesView bytes) {
    SketchChunk chunk;
    fill(chunk, side, hash, header, bytes);
    add(chunk);
}

void SketchPayload::add(const SketchChunk& chunk) {
    const std::uint64_t* const words = chunk.words.data();
    for (const std::uint32_t position : chunk.positions) {
        std::uint64_t* const at = cell(position);
        if (chunk.side == Side::base) {
            chunk.narrow ? add_words<narrow_words>(at, words)
                         : add_words<cell_words_max>(at, words);
        } else {
            chunk.narrow ? take_words<narrow_words>(at, words)
                         : take_words<cell_words_max>(at, words);
        }
    }
}

void SketchPayload::add(const SketchPayload& other) {
    for (std::size_t line = 0; line < lines_.size(); ++line) {
        add_words<narrow_words>(lines_[line].words.data(), other.lines_[line].words.data());
    }
}

void SketchPayload::save(StateWriter& writer) const {
    writer.number(words_per_cell());
    for (const Line& line : lines_) writer.words(line.words);
}

void SketchPayload::load(StateReader& reader) {
    if (reader.number() != words_per_cell()) reader.fail();
    for (Line& line : lines_) reader.words(line.words);
}

// Takes single chunks off the cells until none is left that is alone.
class SketchPeeler {
public:
    explicit SketchPeeler(SketchPayload sketch) : rest_{std::move(sketch)} {}

    bool peel(std::vector<PeeledEntry>& out) {
        std::vector<std::uint32_t> ready;
        for (std::uint32_t position = 0; position < sketch_cells_count; ++position) {
            ready.push_back(position);
        }
        while (!ready.empty() && chunks_.size() < sketch_cells_count) {
            const std::uint32_t position = ready.back();
            ready.pop_back();
            std::optional<Chunk> chunk = single(position);
            if (!chunk) continue;
            const Side other_side = chunk->side == Side::base ? Side::index : Side::base;
            rest_.add_chunk(other_side, chunk->hash, chunk->header_word, chunk->bytes);
            for (const std::uint32_t other : sketch_positions(chunk->hash)) ready.push_back(other);
            chunks_.push_back(std::move(*chunk));
        }
        const bool empty =
            std::all_of(rest_.lines_.begin(), rest_.lines_.end(), [](const auto& line) {
                return line.words == std::array<std::uint64_t, 8>{};
            });
        return put_together(out) && empty;
    }

private:
    std::optional<Chunk> single(std::uint32_t position) const {
        const std::uint64_t* const cell = rest_.cell(position);
        const auto count = static_cast<std::int64_t>(cell[0]);
        if (count != 1 && count != -1) return std::nullopt;
        std::array<std::uint64_t, cell_words_max> words{};
        for (std::size_t word = 1; word < rest_.words_per_cell(); ++word) {
            words[word] = cell[word] * cell[0];
        }
        const Header header{words[1]};
        if (header.size > room_of(rest_.words_per_cell()) || header.number >= header.count) {
            return std::nullopt;
        }
        store::Bytes bytes(reinterpret_cast<const char*>(words.data() + 2), header.size);
        const std::uint64_t seed =
            header.count == 1 ? rest_.seed_ : seed_of(rest_.seed_, header.number);
        const Fingerprint hash = fingerprint_of(bytes, seed);
        const auto at = sketch_positions(hash);
        const bool here = std::find(at.begin(), at.end(), position) != at.end();
        if (header.tag != tag_of(hash) || !here) return std::nullopt;
        const Side side = count == 1 ? Side::base : Side::index;
        return Chunk{side, header, hash, std::move(bytes), words[1]};
    }

    // True if every entry is whole.
    bool put_together(std::vector<PeeledEntry>& out) {
        std::map<std::pair<Side, store::Bytes>, std::vector<const Chunk*>> groups;
        for (Chunk& chunk : chunks_) {
            if (chunk.header.count == 1) {
                out.push_back({chunk.side, chunk.hash, std::move(chunk.bytes)});
            } else if (chunk.bytes.size() > lead_size) {
                groups[{chunk.side, chunk.bytes.substr(0, lead_size)}].push_back(&chunk);
            }
        }
        bool whole = true;
        for (auto& [key, group] : groups) whole = add_group(key.first, group, out) && whole;
        return whole;
    }

    bool add_group(Side side, std::vector<const Chunk*>& group, std::vector<PeeledEntry>& out) {
        std::sort(group.begin(), group.end(), [](const Chunk* a, const Chunk* b) {
            return a->header.number < b->header.number;
        });
        store::Bytes bytes;
        for (const Chunk* chunk : group) bytes.append(chunk->bytes, lead_size);
        const Fingerprint fingerprint = fingerprint_of(bytes, rest_.seed_);
        std::uint64_t led = 0;
        std::memcpy(&led, group.front()->bytes.data(), lead_size);
        if (group.size() != group.front()->header.count || fingerprint.low != led) return false;
        out.push_back({side, fingerprint, std::move(bytes)});
        return true;
    }

    SketchPayload rest_;
    std::vector<Chunk> chunks_;
};

bool SketchPayload::peel(std::vector<PeeledEntry>& out) const& {
    return SketchPeeler{*this}.peel(out);
}

bool SketchPayload::peel(std::vector<PeeledEntry>& out) && {
    return SketchPeeler{std::move(*this)}.peel(out);
}

}  // namespace idxfsck::audit
