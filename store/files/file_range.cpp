#include "store/files/file_range.hpp"

#include "store/error.hpp"

namespace idxfsck::store {

namespace {

constexpr char position_mark = '\x01';

void append_place(Bytes& out, const FilePlace& place) {
    append_varint(out, place.file);
    append_varint(out, place.offset);
}

bool take_place(BytesView& in, FilePlace& place) {
    return take_varint(in, place.file) && take_varint(in, place.offset);
}

[[noreturn]] void fail(const char* text, BytesView token) {
    throw Error{text}.with("token", to_hex(token));
}

// May rows begin or end there? Whether they do is seen when the file is read.
bool is_cut(const FilePlace& place, const std::vector<FilePart>& parts) {
    if (place.file >= parts.size()) return place.file == parts.size() && place.offset == 0;
    const FilePart& part = parts[place.file];
    return part.compressed || place.offset <= part.stamp.size;
}

}  // namespace

Partition make_file_partition(const FileRange& range, const std::vector<FilePart>& parts) {
    Partition out;
    append_place(out.token, range.begin);
    append_place(out.token, range.end);
    if (range.begin.file >= parts.size()) {
        out.label = "no files";
        return out;
    }
    out.label = parts[range.begin.file].name;
    if (range.begin.offset > 0) out.label += " from byte " + std::to_string(range.begin.offset);
    const std::uint64_t last = range.end.offset > 0 ? range.end.file : range.end.file - 1;
    if (last > range.begin.file) out.label += " to " + parts[last].name;
    return out;
}

Position make_file_position(const FilePlace& place) {
    Position out{Bytes(1, position_mark)};
    append_place(out.token, place);
    return out;
}

FileRange parse_file_partition(const Partition& partition, const std::vector<FilePart>& parts) {
    BytesView rest = partition.token;
    FileRange range;
    const bool whole = take_place(rest, range.begin) && take_place(rest, range.end);
    if (!whole || !rest.empty() || range.end < range.begin || !is_cut(range.begin, parts) ||
        !is_cut(range.end, parts)) {
        fail("a partition token was not made by this store", partition.token);
    }
    return range;
}

FileRange parse_file_rest(const Partition& partition, const Position& position,
                          const std::vector<FilePart>& parts) {
    FileRange range = parse_file_partition(partition, parts);
    BytesView rest = position.token;
    FilePlace place;
    const bool whole = rest.starts_with(position_mark) &&
                       (rest.remove_prefix(1), take_place(rest, place)) && rest.empty();
    if (!whole || place < range.begin || range.end < place) {
        fail("a position is not one of its partition", position.token);
    }
    range.begin = place;
    return range;
}

}  // namespace idxfsck::store
