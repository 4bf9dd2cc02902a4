#include "store/rocksdb/key_split.hpp"

#include <algorithm>
#include <cmath>

#include "store/rocksdb/rocksdb_error.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t counted_rows_max = 4096;
constexpr int search_steps_max = 128;
constexpr double share_error_max = 0.02;
constexpr std::size_t window_size = 8;

rocksdb::ReadOptions read_options() {
    rocksdb::ReadOptions options;
    options.fill_cache = false;
    return options;
}

// The eight bytes of `key` from `offset`, as a number; zeros where it is shorter.
std::uint64_t window(BytesView key, std::size_t offset) {
    std::uint64_t out = 0;
    for (std::size_t index = offset; index < offset + window_size; ++index) {
        out = out << 8 | (index < key.size() ? static_cast<std::uint8_t>(key[index]) : 0u);
    }
    return out;
}

// All keys of a short range, or the first ones and `more`.
std::vector<Bytes> first_keys(KeyWalk& at, bool& more) {
    std::vector<Bytes> out;
    for (; at.valid() && out.size() < counted_rows_max; at.next()) out.emplace_back(at.key());
    more = at.valid();
    at.check();
    return out;
}

std::vector<Bytes> cut_counted(const std::vector<Bytes>& keys, std::size_t parts) {
    std::vector<Bytes> out;
    for (std::size_t part = 1; part < parts; ++part) {
        const std::size_t index = keys.size() * part / parts;
        if (index > 0 && (out.empty() || out.back() < keys[index])) out.push_back(keys[index]);
    }
    return out;
}

std::uint64_t estimated_size(const KeySpace& space, BytesView low, BytesView high) {
    rocksdb::SizeApproximationOptions options;
    options.include_memtables = true;
    options.include_files = true;
    rocksdb::Range range{{low.data(), low.size()}, {high.data(), high.size()}};
    if (is_reversed(space)) std::swap(range.start, range.limit);
    std::uint64_t size = 0;
    check_status(space.db.GetApproximateSizes(options, space.family, &range, 1, &size), space.path);
    return size;
}

// A real key before which about `share` of the bytes between `low` and `high` lie; nothing if the
// search finds none that is strictly between.
std::optional<Bytes> find_cut(const KeySpace& space, BytesView low, BytesView high, double share) {
    const auto total = static_cast<double>(estimated_size(space, low, high));
    if (total <= 0) return std::nullopt;
    Bytes below{low};
    Bytes above{high};
    Bytes middle;
    for (int step = 0; step < search_steps_max; ++step) {
        middle = middle_key(below, above);
        if (middle <= below) break;
        const double seen = static_cast<double>(estimated_size(space, low, middle)) / total;
        if (std::abs(seen - share) <= share_error_max) break;
        (seen < share ? below : above) = middle;
    }
    const KeyRange behind{middle, {}, false};
    const KeyWalk at{space, behind, read_options()};
    if (!at.valid() || at.key() <= low || at.key() >= high) return std::nullopt;
    return Bytes{at.key()};
}

// Depth: the logarithm of `parts`.
void cut_estimated(const KeySpace& space, BytesView low, BytesView high, std::size_t parts,
                   std::vector<Bytes>& out) {
    if (parts < 2) return;
    const std::size_t left = parts / 2;
    const double share = static_cast<double>(left) / static_cast<double>(parts);
    const std::optional<Bytes> cut = find_cut(space, low, high, share);
    if (!cut) return;
    cut_estimated(space, low, *cut, left, out);
    out.push_back(*cut);
    cut_estimated(space, *cut, high, parts - left, out);
}

}  // namespace

Bytes middle_key(BytesView low, BytesView high) {
    const std::size_t shorter = std::min(low.size(), high.size());
    std::size_t shared = 0;
    while (shared < shorter && low[shared] == high[shared]) ++shared;
    const std::uint64_t from = window(low, shared);
    const std::uint64_t to = window(high, shared);
    if (to <= from || to - from < 2) return Bytes{low};
    const std::uint64_t middle = from + (to - from) / 2;
    Bytes out{low.substr(0, shared)};
    for (int shift = 56; shift >= 0; shift -= 8) out.push_back(static_cast<char>(middle >> shift));
    return out;
}

std::vector<Bytes> cut_keys(const KeySpace& space, const KeyRange& range, std::size_t parts) {
    if (parts < 2) return {};
    KeyWalk at{space, range, read_options()};
    bool more = false;
    const std::vector<Bytes> keys = first_keys(at, more);
    if (!more) return cut_counted(keys, std::min(parts, std::max<std::size_t>(keys.size(), 1)));
    std::vector<Bytes> out;
    if (!at.seek_last()) return out;
    const Bytes last{at.key()};
    cut_estimated(space, keys.front(), last, parts, out);
    return out;
}

}  // namespace idxfsck::store
