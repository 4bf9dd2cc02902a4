#include "store/files/file_cut.hpp"

#include <algorithm>
#include <bit>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include "store/files/text_window.hpp"

namespace idxfsck::store {

namespace {

// About how much text a byte of a compressed file holds.
constexpr std::uint64_t compression = 5;

#if defined(__SSE2__)

bool odd_quotes(BytesView text) {
    const __m128i quotes = _mm_set1_epi8('"');
    __m128i parity = _mm_setzero_si128();
    std::size_t done = 0;
    for (; done + sizeof(__m128i) <= text.size(); done += sizeof(__m128i)) {
        const __m128i bytes =
            _mm_loadu_si128(reinterpret_cast<const __m128i*>(text.data() + done));
        parity = _mm_xor_si128(parity, _mm_cmpeq_epi8(bytes, quotes));
    }
    const auto bits = static_cast<unsigned>(_mm_movemask_epi8(parity));
    const auto rest = std::count(text.begin() + static_cast<std::ptrdiff_t>(done), text.end(), '"');
    return ((static_cast<unsigned>(std::popcount(bits)) + static_cast<unsigned>(rest)) & 1) != 0;
}

#else

bool odd_quotes(BytesView text) { return std::count(text.begin(), text.end(), '"') % 2 != 0; }

#endif

using Start = std::optional<std::uint64_t>;

// The start of the first line at `wanted` or behind, if there is one.
Start line_start(const FilePart& part, std::uint64_t wanted) {
    InputStream input{part.path};
    check_unchanged(part, input.descriptor());
    if (!input.skip(wanted - 1)) return std::nullopt;
    std::vector<char> block(input_block_bytes);
    for (std::uint64_t offset = wanted - 1;;) {
        const BytesView text{block.data(), input.read(block.data(), block.size())};
        if (text.empty()) return std::nullopt;
        const std::size_t feed = text.find('\n');
        if (feed == BytesView::npos) {
            offset += text.size();
            continue;
        }
        const std::uint64_t start = offset + feed + 1;
        return start < part.stamp.size ? Start{start} : std::nullopt;
    }
}

// A walk over records of CSV, to the first that begins at some place or behind.
class RecordStart {
public:
    // A record begins at `from`.
    RecordStart(const FilePart& part, std::uint64_t from) : part_{part}, window_{part.path, from} {
        check_unchanged(part, window_.input().descriptor());
    }

    Start at_or_behind(std::uint64_t wanted) {
        while (window_.offset() < wanted - 1) {
            if (window_.rest().empty() && !window_.more()) return std::nullopt;
            take(window_.rest().substr(0, wanted - 1 - window_.offset()));
        }
        for (;;) {
            if (window_.rest().empty() && !window_.more()) return std::nullopt;
            const std::size_t feed = window_.rest().find('\n');
            take(window_.rest().substr(0, feed == BytesView::npos ? feed : feed + 1));
            if (feed != BytesView::npos && !inside_) break;
        }
        const std::uint64_t start = window_.offset();
        return start < part_.stamp.size ? Start{start} : std::nullopt;
    }

private:
    void take(BytesView text) {
        inside_ = inside_ != odd_quotes(text);
        window_.drop(text.size());
    }

    const FilePart& part_;
    TextWindow window_;
    bool inside_ = false;  // of quotes
};

std::uint64_t weight_of(const FilePart& part) {
    // An empty file is a piece as well.
    return 1 + part.stamp.size * (part.compressed ? compression : 1);
}

class Cutter {
public:
    Cutter(const FileRange& range, const std::vector<FilePart>& parts, std::size_t target)
        : range_{range}, parts_{parts}, target_{std::max<std::size_t>(target, 1)} {}

    std::vector<FileRange> run() {
        for (std::uint64_t file = range_.begin.file; file < end_file(); ++file) {
            total_ += end_of(file) - begin_of(file);
        }
        cuts_.push_back(range_.begin);
        for (std::uint64_t file = range_.begin.file; file < end_file(); ++file) {
            if (parts_[file].in_one_piece()) {
                cut_around(file);
            } else {
                cut_inside(file);
            }
            before_ += end_of(file) - begin_of(file);
        }
        cuts_.push_back(range_.end);
        std::vector<FileRange> pieces;
        for (std::size_t cut = 1; cut < cuts_.size(); ++cut) {
            pieces.push_back({cuts_[cut - 1], cuts_[cut]});
        }
        return pieces;
    }

private:
    std::uint64_t end_file() const {
        return range_.end.file + (range_.end.offset > 0 ? 1 : 0);
    }

    // Weights within a file; of a compressed one, whose positions are those of its text, all of it.
    std::uint64_t begin_of(std::uint64_t file) const {
        const bool first = file == range_.begin.file && !parts_[file].compressed;
        return first ? range_.begin.offset : 0;
    }
    std::uint64_t end_of(std::uint64_t file) const {
        return file == range_.end.file ? range_.end.offset : weight_of(parts_[file]);
    }

    // The wanted cuts that lie in a file: multiples of a share of the whole.
    std::size_t first_cut(std::uint64_t weight) const {
        return static_cast<std::size_t>(weight * target_ / total_) + 1;
    }
    std::uint64_t place_of_cut(std::size_t cut) const {
        return (total_ * cut + target_ - 1) / target_;
    }

    void cut_around(std::uint64_t file) {
        const std::uint64_t end = before_ + end_of(file) - begin_of(file);
        const bool holds_cut = place_of_cut(first_cut(before_)) < end;
        // What is wrong with a file of an export must not hide the files behind it.
        if (!holds_cut && !parts_[file].promise) return;
        add({file, 0});
        add({file + 1, 0});
    }

    void cut_inside(std::uint64_t file) {
        const FilePart& part = parts_[file];
        const std::uint64_t begin = begin_of(file);
        const std::uint64_t size = end_of(file) - begin;
        std::optional<RecordStart> records;
        for (std::size_t cut = first_cut(before_); cut < target_; ++cut) {
            const std::uint64_t inside = place_of_cut(cut) - before_;
            if (inside >= size) return;
            if (inside == 0) {
                add({file, begin});
                continue;
            }
            const std::uint64_t wanted = begin + inside;
            if (wanted <= part.rows_begin) continue;
            if (part.csv && !records) records.emplace(part, std::max(begin, part.rows_begin));
            const Start start =
                part.csv ? records->at_or_behind(wanted) : line_start(part, wanted);
            if (!start) return;
            add({file, *start});
        }
    }

    // What lies on a cut already, or outside, is left out.
    void add(const FilePlace& place) {
        if (cuts_.back() < place && place < range_.end) cuts_.push_back(place);
    }

    const FileRange& range_;
    const std::vector<FilePart>& parts_;
    const std::size_t target_;
    std::uint64_t total_ = 0;
    std::uint64_t before_ = 0;  // of the files that have been cut
    std::vector<FilePlace> cuts_;
};

}  // namespace

std::vector<FileRange> cut_range(const FileRange& range, const std::vector<FilePart>& parts,
                                 std::size_t target) {
    if (!(range.begin < range.end)) return {range};
    return Cutter{range, parts, target}.run();
}

}  // namespace idxfsck::store
