#include "store/files/ndjson_rows.hpp"

#include <cstring>

#include "store/json/line_reader.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t learnt_line_bytes_max = std::size_t{64} * 1024;

bool is_blank(BytesView line) { return line.find_first_not_of(" \t\r\n") == BytesView::npos; }

static_assert(LinePattern::no_place == RowTarget::no_place);

}  // namespace

NdjsonRows::NdjsonRows(const FilePart& part, const RowsWanted& wanted,
                       std::unique_ptr<TextWindow> window, std::uint64_t limit)
    : FileRows{part, wanted, std::move(window), limit}, parser_{part.shape} {
    if (target_.whole() && wanted.keys == nullptr) return;
    // Of rows that are picked by their keys, the rest is looked at if they are wanted.
    if (target_.whole()) values_max_ = target_.values().size();
    pattern_.emplace(part.shape, [this](BytesView name) { return target_.place_of(name); });
}

FileRows::Step NdjsonRows::next() {
    for (;;) {
        if (at_limit()) return Step::end;
        row_begin_ = window_->offset();
        target_.begin();
        const BytesView rest = window_->rest();
        const std::size_t matched =
            pattern_ ? pattern_->match(rest, target_.values(), values_max_) : 0;
        if (matched > 0) {
            window_->drop(matched);
            return finish_matched(rest.substr(0, matched));
        }
        const std::size_t size = line_size();
        if (size == 0) return Step::end;
        const BytesView line = window_->rest().substr(0, size);
        window_->drop(size);
        if (!is_blank(line)) return parse(line);
    }
}

std::size_t NdjsonRows::line_size() {
    std::size_t searched = 0;
    for (;;) {
        const BytesView rest = window_->rest();
        const std::size_t found = rest.find('\n', searched);
        if (found != BytesView::npos) return found + 1;
        searched = rest.size();
        if (searched > line_bytes_max_default) {
            throw Error{"a line of rows is too long"}
                .with("file", part_.name)
                .with("offset", std::to_string(row_begin_))
                .with("limit_bytes", std::to_string(line_bytes_max_default));
        }
        if (!window_->more()) return 0;
    }
}

FileRows::Step NdjsonRows::finish_matched(BytesView line) {
    const std::string_view problem = target_.finish_key();
    if (!problem.empty()) return damaged(problem);
    if (wanted_.keys != nullptr && !wanted_.keys->may_hold(target_.key())) return Step::left_out;
    // The pattern has read the key alone.
    return target_.whole() ? parse(line) : Step::row;
}

FileRows::Step NdjsonRows::parse(BytesView text) {
    BytesView line = text;
    line.remove_suffix(1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (const std::optional<LineProblem> problem = parser_.parse(line)) {
        return damaged(problem->cause);
    }
    target_.begin();
    take_attributes();
    const std::string_view problem = target_.finish_key();
    if (!problem.empty()) return damaged(problem);
    if (pattern_ && text.size() <= learnt_line_bytes_max) {
        pattern_->learn(text, parser_.attributes());
    }
    if (wanted_.keys != nullptr && !wanted_.keys->may_hold(target_.key())) return Step::left_out;
    return Step::row;
}

void NdjsonRows::take_attributes() {
    for (const ParsedAttribute& attribute : parser_.attributes()) {
        const std::size_t place = target_.place_of(attribute.name);
        if (place != RowTarget::no_place) target_.values()[place] = attribute.value;
        if (!target_.whole() || target_.in_key(attribute.name)) continue;
        Bytes& attributes = target_.attributes();
        append_varint(attributes, attribute.name.size());
        attributes.append(attribute.name);
        append_element(attributes, attribute.value);
    }
}

}  // namespace idxfsck::store
