// store/json/row_parser.hpp
//
// One line of NDJSON as a row's attributes, key attributes included.
//
// Shape    Attributes sorted by name, each once. Views point into the line, or into the parser.
// Units    An offset is in bytes from the start of the line.
// Errors   A line that is no row of the shape is a LineProblem, a value. Nesting deeper than
//          value_depth_max (value_text.hpp) is one too.
// Threads  A RowParser belongs to one thread.

#pragma once

#include <memory>
#include <optional>
#include <span>

#include "store/json/shape.hpp"
#include "store/value.hpp"

namespace idxfsck::store {

// One attribute of a parsed line.
struct ParsedAttribute {
    BytesView name;
    ValueView value;
    std::size_t offset = 0;  // where its value stands in the line
};

struct LineProblem {
    std::string_view cause;  // a fixed text
    std::size_t offset = 0;
    Bytes attribute;  // the attribute that it is about; "" if none
    Bytes detail;     // what was seen there, cut to some length; "" if there is nothing to show
};

// A line handed to a parser must be followed by as many readable bytes, of any content.
constexpr std::size_t line_padding = 64;

// Of the plain shape: are objects such as {"$guid": "…"} wrappers, or objects like all others? The
// latter is for JSON that other programs wrote.
enum class Wrappers { read, literal };

class RowParser {
public:
    // `shape` is not automatic.
    explicit RowParser(Shape shape, Wrappers wrappers = Wrappers::read);
    RowParser(RowParser&&) noexcept;
    RowParser& operator=(RowParser&&) noexcept;
    ~RowParser();

    // Nothing if all is well; then attributes() are those of `line`, valid until the next call and
    // as long as `line` is.
    std::optional<LineProblem> parse(BytesView line);

    std::span<const ParsedAttribute> attributes() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace idxfsck::store
