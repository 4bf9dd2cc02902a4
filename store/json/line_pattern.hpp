// store/json/line_pattern.hpp
//
// Reads lines that are put together as earlier ones were, without looking at their grammar again.
//
// The rows of an export differ in their values and hardly ever in what stands between them. So
// whatever row_parser has found well formed is remembered as a graph: a node for each attribute of
// one type, and on each edge the characters from the end of one value to the begin of the next. A
// line that walks along the edges has the same grammar, and only its values are looked at. All
// others are for row_parser.
//
// Shape    Of the plain and the DynamoDB shape, rows of texts, numbers, booleans and nulls; of the
//          latter also containers that have no place. Texts are those without escapes. Depth of
//          nesting is one number for all lines of a pattern, so that the characters between two
//          values mean the same in each of them.
// Limits   nodes_max attributes with their types, edges_max ways on from each. Beyond that nothing
//          more is learnt.
// Errors   None: a line that does not match, whatever is wrong with it, is not matched. A match has
//          the values that row_parser would give.
// Threads  Belongs to one thread.

#pragma once

#include <array>
#include <functional>
#include <span>
#include <vector>

#include "store/json/row_parser.hpp"

namespace idxfsck::store {

class LinePattern {
public:
    // The place of an attribute's value among those that match() fills in, or no_place.
    using PlaceOf = std::function<std::size_t(BytesView name)>;
    static constexpr std::size_t no_place = static_cast<std::size_t>(-1);

    LinePattern(Shape shape, PlaceOf place_of);

    // Reads the line at the front of `text`, which is padded as for a RowParser. Gives its size
    // with its line end, or 0 if it does not match; then some values may have been set. Once
    // `values_max` of them are, the rest of the line is not looked at: it may be damaged.
    std::size_t match(BytesView text, std::span<ValueView> values,
                      std::size_t values_max = static_cast<std::size_t>(-1));

    // Remembers how a line is put together. `text` begins with it and holds its end;
    // `attributes` are what row_parser found in it.
    void learn(BytesView text, std::span<const ParsedAttribute> attributes);

private:
    enum class Content { none, text, quoted_number, bare_number, container };

    // In place, so that a match follows no pointers to it. Longer ones are not learnt.
    static constexpr std::size_t between_bytes_max = 128;

    struct Edge {
        std::array<char, between_bytes_max + 16> between{};  // padded
        std::size_t size = 0;
        std::size_t to = 0;
    };

    struct Node {
        Bytes name;
        Content content = Content::none;
        ValueView constant;       // of content none; of a container, its kind
        std::size_t place = no_place;
        std::uint64_t name_bit = 0;
        std::vector<Edge> edges;
    };

    // An attribute of a line that is being learnt: where its value begins and ends.
    struct Found {
        const ParsedAttribute* attribute;
        Content content;
        std::size_t begin;
        std::size_t end;
    };

    bool find_value(BytesView line, const ParsedAttribute& attribute, Found& found) const;
    bool find_container(BytesView line, const ParsedAttribute& attribute, Found& found) const;
    bool fits_depth(BytesView line_end);
    std::size_t node_of(const Found& found);
    bool connect(std::size_t from, BytesView between, std::size_t to);
    static bool goes_on_with(const char* at, const char* end, const Edge& edge);
    static const char* take_value(const Node& node, const char* at, const char* end,
                                  ValueView& value);
    static const char* take_bare_number(const char* at, const char* end, ValueView& value);
    static const char* take_quoted_number(const char* at, const char* end, ValueView& value);

    static constexpr std::size_t start_node = 0;
    static constexpr std::size_t end_node = 1;

    Shape shape_;
    PlaceOf place_of_;
    std::vector<Node> nodes_;
    std::vector<Bytes> names_;
    std::size_t depth_ = 0;  // braces that close a line
};

}  // namespace idxfsck::store
