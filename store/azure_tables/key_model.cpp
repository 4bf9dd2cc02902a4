#include "store/azure_tables/key_model.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace idxfsck::store {

namespace {

using Units = std::u16string;

constexpr char16_t gap = 0;  // between partition key and row key
constexpr char16_t first_unit = 0x20;
constexpr char16_t ascii_end = 0x7f;
constexpr double gap_share = 1.0 / 32.0;
constexpr double other_share = 1.0 / 8.0;
// What a double can tell apart.
constexpr std::size_t depth_max = 6;

double weight_of(int unit) {
    const bool digit = unit >= '0' && unit <= '9';
    const bool small = unit >= 'a' && unit <= 'z';
    return digit || small ? 8.0 : unit >= 'A' && unit <= 'Z' ? 4.0 : 1.0;
}

struct Share {
    double begin;
    double size;
};

// Of the ASCII characters, by their code less first_unit.
const std::array<Share, ascii_end - first_unit>& ascii_shares() {
    static const auto made = [] {
        std::array<Share, ascii_end - first_unit> shares{};
        double sum = 0.0;
        for (int unit = first_unit; unit < ascii_end; ++unit) sum += weight_of(unit);
        const double scale = (1.0 - gap_share - other_share) / sum;
        double begin = gap_share;
        for (std::size_t place = 0; place < shares.size(); ++place) {
            shares[place] = {begin, weight_of(int(place) + first_unit) * scale};
            begin += shares[place].size;
        }
        return shares;
    }();
    return made;
}

Share share_of(char16_t unit) {
    if (unit == gap) return {0.0, gap_share};
    if (unit < ascii_end) {
        return ascii_shares()[std::size_t(std::max(unit, first_unit) - first_unit)];
    }
    const double size = other_share / double(0x10000 - ascii_end);
    return {1.0 - other_share + size * double(unit - ascii_end), size};
}

char16_t unit_at(double place) {
    if (place < gap_share) return gap;
    if (place >= 1.0 - other_share) {
        const double share = (place - 1.0 + other_share) / other_share;
        return char16_t(ascii_end + std::min(int(share * (0x10000 - ascii_end)),
                                             0xffff - ascii_end));
    }
    const auto& shares = ascii_shares();
    const auto is_before = [](double at, const Share& share) { return at < share.begin; };
    const auto next = std::upper_bound(shares.begin(), shares.end(), place, is_before);
    const auto place_in = next == shares.begin() ? 0 : next - shares.begin() - 1;
    return char16_t(first_unit + place_in);
}

void append_units(Units& out, BytesView text) {
    for (std::size_t index = 0; index < text.size();) {
        const auto lead = static_cast<std::uint8_t>(text[index]);
        const std::size_t size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
        std::uint32_t point = size == 1 ? lead : lead & (0x7fu >> size);
        for (std::size_t next = 1; next < size && index + next < text.size(); ++next) {
            point = point << 6 | (static_cast<std::uint8_t>(text[index + next]) & 0x3fu);
        }
        index += size;
        if (point >= 0x10000) {
            out.push_back(char16_t(0xd800 + ((point - 0x10000) >> 10)));
            point = 0xdc00 + (point & 0x3ff);
        }
        out.push_back(char16_t(point));
    }
}

Units units_of(const TablePlace& place) {
    Units out;
    append_units(out, place.partition_key);
    if (!place.row_key) return out;
    out.push_back(gap);
    append_units(out, *place.row_key);
    return out;
}

void append_utf8(Bytes& out, std::uint32_t point) {
    const auto tail = [&](int shift) { return char(0x80 | (point >> shift & 0x3f)); };
    if (point < 0x80) {
        out.push_back(char(point));
    } else if (point < 0x800) {
        out.append({char(0xc0 | point >> 6), tail(0)});
    } else if (point < 0x10000) {
        out.append({char(0xe0 | point >> 12), tail(6), tail(0)});
    } else {
        out.append({char(0xf0 | point >> 18), tail(12), tail(6), tail(0)});
    }
}

// Half a pair of surrogates becomes the character behind all pairs.
TablePlace place_of(const Units& units) {
    TablePlace out;
    for (std::size_t index = 0; index < units.size(); ++index) {
        std::uint32_t point = units[index];
        if (point == gap) {
            if (out.row_key) return out;
            out.row_key.emplace();
            continue;
        }
        const char16_t next = index + 1 < units.size() ? units[index + 1] : char16_t{0};
        if (point >= 0xd800 && point < 0xdc00 && next >= 0xdc00 && next < 0xe000) {
            point = 0x10000 + ((point - 0xd800) << 10) + (next - 0xdc00u);
            ++index;
        } else if (point >= 0xd800 && point < 0xe000) {
            point = 0xe000;
        }
        append_utf8(out.row_key ? *out.row_key : out.partition_key, point);
    }
    return out;
}

// The model's number for what follows the first `begin` units.
double number_of(const Units& units, std::size_t begin) {
    double out = 0.0;
    double scale = 1.0;
    const std::size_t end = std::min(units.size(), begin + depth_max);
    for (std::size_t place = begin; place < end; ++place) {
        const Share share = share_of(units[place]);
        out += scale * share.begin;
        scale *= share.size;
    }
    return out;
}

Units units_at(Units prefix, double number, double precision) {
    for (std::size_t depth = 0; depth < depth_max; ++depth) {
        const char16_t unit = unit_at(number);
        const Share share = share_of(unit);
        prefix.push_back(unit);
        number = std::clamp((number - share.begin) / share.size, 0.0, 1.0);
        precision /= share.size;
        // What follows tells apart no more than the distance to the next point.
        if (precision >= 1.0) break;
    }
    return prefix;
}

}  // namespace

std::vector<TablePlace> places_between(const TablePlace& low, const std::optional<TablePlace>& high,
                                       std::size_t count) {
    const Units from = units_of(low);
    const Units to = high ? units_of(*high) : Units{};
    const auto [left, right] = std::mismatch(from.begin(), from.end(), to.begin(), to.end());
    const std::size_t shared = high ? std::size_t(left - from.begin()) : 0;
    const double begin = number_of(from, shared);
    const double end = high ? number_of(to, shared) : 1.0;
    const double step = (end - begin) / double(count + 1);
    std::vector<TablePlace> out;
    for (std::size_t number = 1; number <= count && step > 0.0; ++number) {
        TablePlace place =
            place_of(units_at(from.substr(0, shared), begin + step * double(number), step));
        const bool between = compare_places(low, place) < 0 &&
                             (!high || compare_places(place, *high) < 0) &&
                             (out.empty() || compare_places(out.back(), place) < 0);
        if (between) out.push_back(std::move(place));
    }
    return out;
}

std::vector<TablePlace> places_behind_prefixes(const TablePlace& low, std::size_t count) {
    const Units units = units_of(low);
    std::vector<TablePlace> out;
    const std::size_t wanted = std::min(count, units.size());
    for (std::size_t number = wanted; number > 0; --number) {
        const std::size_t last = (number * units.size() - 1) / wanted;
        if (units[last] == 0xffff) continue;
        Units next = units.substr(0, last);
        next.push_back(units[last] == gap ? first_unit : char16_t(units[last] + 1));
        TablePlace place = place_of(next);
        if (compare_places(low, place) < 0) out.push_back(std::move(place));
    }
    return out;
}

}  // namespace idxfsck::store
