#include "store/json/line_pattern.hpp"

#include <algorithm>
#include <array>

#include "store/json/dynamodb_skip.hpp"
#include "store/json/scalar_text.hpp"
#include "store/json/text_scan.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t nodes_max = 128;
constexpr std::size_t names_max = 64;  // bits of a word
constexpr std::size_t edges_max = 16;

constexpr BytesView space{" \t\r\n"};
constexpr std::array<char, 2> booleans{'\0', '\1'};

bool is_number_character(char character) {
    return (character >= '0' && character <= '9') || character == '-' || character == '+' ||
           character == '.' || character == 'e' || character == 'E';
}

// Behind the type of a DynamoDB value whose brace stands at `offset`: at what it holds. npos if
// that is not found.
std::size_t behind_type(BytesView line, std::size_t offset) {
    const std::size_t tag = line.find_first_not_of(space, offset + 1);
    if (tag == BytesView::npos || line[tag] != '"') return BytesView::npos;
    const std::size_t tag_end = line.find('"', tag + 1);
    if (tag_end == BytesView::npos) return BytesView::npos;
    const std::size_t colon = line.find_first_not_of(space, tag_end + 1);
    if (colon == BytesView::npos || line[colon] != ':') return BytesView::npos;
    return line.find_first_not_of(space, colon + 1);
}

}  // namespace

// What is compared with the end of a text may reach as far beyond it.
static_assert(line_padding >= scan_step_bytes);

LinePattern::LinePattern(Shape shape, PlaceOf place_of)
    : shape_{shape}, place_of_{std::move(place_of)}, nodes_(2) {}

// The first one that is no digit.
inline const char* skip_digits(const char* at, const char* end) {
    while (at < end && static_cast<unsigned char>(*at - '0') < 10) ++at;
    return at;
}

const char* LinePattern::take_bare_number(const char* at, const char* end, ValueView& value) {
    const char* const begin = at;
    while (at < end && is_number_character(*at)) ++at;
    value = {Kind::number, {begin, static_cast<std::size_t>(at - begin)}};
    return is_json_number(value.payload) ? at : nullptr;
}

const char* LinePattern::take_quoted_number(const char* at, const char* end, ValueView& value) {
    const char* const begin = at;
    at = skip_digits(at, end);
    const bool plain = at > begin && *at == '"';
    if (!plain) {
        bool ignored = false;
        at = skip_plain_text(begin, end, ignored);
    }
    if (at >= end || *at != '"') return nullptr;
    value = {Kind::number, {begin, static_cast<std::size_t>(at - begin)}};
    return plain || is_number(value.payload) ? at : nullptr;
}

// The end of the value, or null if it is none of its kind.
inline const char* LinePattern::take_value(const Node& node, const char* at, const char* end,
                                           ValueView& value) {
    switch (node.content) {
        case Content::none: value = node.constant; return at;
        case Content::bare_number: return take_bare_number(at, end, value);
        case Content::quoted_number: return take_quoted_number(at, end, value);
        case Content::container: return skip_dynamodb_container(node.constant.kind, at, end);
        case Content::text: break;
    }
    bool beyond_ascii = false;
    const char* const stop = skip_plain_text(at, end, beyond_ascii);
    if (stop >= end || *stop != '"') return nullptr;
    value = {Kind::text, {at, static_cast<std::size_t>(stop - at)}};
    return !beyond_ascii || is_utf8(value.payload) ? stop : nullptr;
}

inline bool LinePattern::goes_on_with(const char* at, const char* end, const Edge& edge) {
    return edge.size <= static_cast<std::size_t>(end - at) &&
           begins_with(at, edge.between.data(), edge.size);
}

std::size_t LinePattern::match(BytesView text, std::span<ValueView> values,
                               std::size_t values_max) {
    const char* at = text.data();
    const char* const end = at + text.size();
    std::uint64_t seen = 0;
    const Node* node = &nodes_[start_node];
    ValueView ignored;
    for (;;) {
        const Edge* edge = node->edges.data();
        const Edge* const edges_end = edge + node->edges.size();
        while (edge != edges_end && !goes_on_with(at, end, *edge)) ++edge;
        if (edge == edges_end) return 0;
        at += edge->size;
        if (edge->to == end_node) return static_cast<std::size_t>(at - text.data());
        node = &nodes_[edge->to];
        if ((seen & node->name_bit) != 0) return 0;
        seen |= node->name_bit;
        const bool wanted = node->place != no_place;
        at = take_value(*node, at, end, wanted ? values[node->place] : ignored);
        if (at == nullptr) return 0;
        if (wanted && --values_max == 0) {
            // Within a line there is no line feed, not even inside of a text.
            const std::size_t size = text.find('\n', static_cast<std::size_t>(at - text.data()));
            return size == BytesView::npos ? 0 : size + 1;
        }
    }
}

void LinePattern::learn(BytesView text, std::span<const ParsedAttribute> attributes) {
    if (shape_ == Shape::azure || attributes.empty()) return;
    const std::size_t size = text.find('\n');
    if (size == BytesView::npos) return;
    std::vector<Found> values(attributes.size());
    for (std::size_t index = 0; index < attributes.size(); ++index) {
        if (!find_value(text.substr(0, size), attributes[index], values[index])) return;
    }
    std::sort(values.begin(), values.end(),
              [](const Found& a, const Found& b) { return a.begin < b.begin; });
    const BytesView line_end = text.substr(values.back().end, size + 1 - values.back().end);
    if (!fits_depth(line_end)) return;
    std::size_t from = start_node;
    std::size_t begin = 0;
    for (const Found& found : values) {
        const std::size_t node = node_of(found);
        if (node == start_node) return;
        if (!connect(from, text.substr(begin, found.begin - begin), node)) return;
        from = node;
        begin = found.end;
    }
    connect(from, line_end, end_node);
}

// Where the value stands, if it is one that match() can read.
bool LinePattern::find_value(BytesView line, const ParsedAttribute& attribute,
                             Found& found) const {
    // An attribute of this name is not told from the wrapper around an item.
    if (attribute.name == "Item" || attribute.offset >= line.size()) return false;
    const bool typed = shape_ == Shape::dynamodb;
    std::size_t begin = typed ? behind_type(line, attribute.offset) : attribute.offset;
    if (begin >= line.size()) return false;
    const BytesView payload = attribute.value.payload;
    found = {&attribute, Content::none, begin, begin};
    switch (attribute.value.kind) {
        case Kind::null:
        case Kind::boolean:
            // The word is a part of what stands between values.
            found.end = found.begin += line.substr(begin).starts_with("false") ? 5 : 4;
            return true;
        case Kind::text: found.content = Content::text; break;
        case Kind::number:
            found.content = typed ? Content::quoted_number : Content::bare_number;
            break;
        default: return find_container(line, attribute, found);
    }
    // Text with escapes does not stand in the line as it is.
    const bool quoted = found.content != Content::bare_number;
    if (quoted) ++found.begin;
    found.end = found.begin + payload.size();
    const bool as_it_is = line.substr(found.begin).starts_with(payload);
    if (!as_it_is || (quoted && line[begin] != '"')) return false;
    return !quoted || line.substr(found.end).starts_with('"');
}

// One that nobody wants to see.
bool LinePattern::find_container(BytesView line, const ParsedAttribute& attribute,
                                 Found& found) const {
    const Kind kind = attribute.value.kind;
    if (shape_ != Shape::dynamodb || !is_container(kind)) return false;
    if (place_of_(attribute.name) != no_place) return false;
    const char* const end = skip_dynamodb_container(kind, line.data() + found.begin,
                                                    line.data() + line.size());
    if (end == nullptr) return false;
    found.content = Content::container;
    found.end = static_cast<std::size_t>(end - line.data());
    return true;
}

bool LinePattern::fits_depth(BytesView line_end) {
    const auto depth = static_cast<std::size_t>(std::count(line_end.begin(), line_end.end(), '}'));
    if (depth_ == 0) depth_ = depth;
    return depth == depth_;
}

// The node for values of this name and type; that of the start if there is no room for it.
std::size_t LinePattern::node_of(const Found& found) {
    const ParsedAttribute& attribute = *found.attribute;
    Node fresh;
    fresh.name = attribute.name;
    fresh.content = found.content;
    if (found.content == Content::none || found.content == Content::container) {
        fresh.constant.kind = attribute.value.kind;
        const bool is_true = attribute.value.as_boolean();
        if (attribute.value.kind == Kind::boolean) {
            fresh.constant.payload = {&booleans[is_true ? 1 : 0], 1};
        }
    }
    for (std::size_t node = end_node + 1; node < nodes_.size(); ++node) {
        const Node& known = nodes_[node];
        if (known.name == fresh.name && known.content == fresh.content &&
            known.constant == fresh.constant) {
            return node;
        }
    }
    const auto name = std::find(names_.begin(), names_.end(), fresh.name);
    const auto number = static_cast<std::size_t>(name - names_.begin());
    if (nodes_.size() >= nodes_max || number >= names_max) return start_node;
    if (name == names_.end()) names_.push_back(fresh.name);
    fresh.name_bit = std::uint64_t{1} << number;
    fresh.place = place_of_(fresh.name);
    nodes_.push_back(std::move(fresh));
    return nodes_.size() - 1;
}

bool LinePattern::connect(std::size_t from, BytesView between, std::size_t to) {
    if (between.size() > between_bytes_max) return false;
    std::vector<Edge>& edges = nodes_[from].edges;
    for (const Edge& edge : edges) {
        if (edge.to == to && BytesView{edge.between.data(), edge.size} == between) return true;
    }
    if (edges.size() >= edges_max) return false;
    Edge& edge = edges.emplace_back();
    std::copy(between.begin(), between.end(), edge.between.begin());
    edge.size = between.size();
    edge.to = to;
    return true;
}

}  // namespace idxfsck::store
