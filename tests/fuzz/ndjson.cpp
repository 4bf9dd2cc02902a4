// Lines of NDJSON in the three shapes.
//
// Promised: a line that is no row of the shape is a problem with a place in the line, never a
// crash; a row that was read is written and read again without loss, in its own shape and in the
// plain one. Method: the input as one line, read in every shape and in the shape that is found for
// it.

#include "store/error.hpp"
#include "store/json/row_parser.hpp"
#include "store/json/row_writer.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/target.hpp"

namespace idxfsck::tests {

namespace {

using store::Bytes;
using store::BytesView;
using store::Shape;

using Attributes = std::vector<store::NamedValue>;

// Nothing if the line is no row.
std::optional<Attributes> parsed(Shape shape, BytesView line) {
    store::RowParser parser{shape};
    Bytes padded{line};
    padded.append(store::line_padding, '}');
    const BytesView text{padded.data(), line.size()};
    if (const auto problem = parser.parse(text)) {
        store::ensure(!problem->cause.empty(), "a problem has a cause");
        store::ensure(problem->offset <= line.size(), "a problem lies in the line");
        return std::nullopt;
    }
    Attributes attributes;
    for (const store::ParsedAttribute& attribute : parser.attributes()) {
        store::ensure(attribute.offset <= line.size(), "a value lies in the line");
        attributes.push_back({Bytes{attribute.name}, store::Value{attribute.value}});
    }
    return attributes;
}

// Nothing if the shape cannot say it.
std::optional<Bytes> written(Shape shape, const Attributes& attributes) {
    const std::vector<Bytes> no_key;
    store::RowWriter writer{shape, no_key};
    Bytes out;
    try {
        writer.append(out, {}, store::encode_attributes(attributes));
    } catch (const store::Error&) {
        return std::nullopt;
    }
    store::ensure(!out.empty() && out.back() == '\n', "a row is one line");
    out.pop_back();
    store::ensure(out.find('\n') == Bytes::npos, "a row is one line");
    return out;
}

void check_again(Shape shape, const Attributes& attributes) {
    const std::optional<Bytes> line = written(shape, attributes);
    if (!line) {
        store::ensure(shape != Shape::plain, "the plain shape can say everything");
        return;
    }
    store::ensure(parsed(shape, *line) == attributes, "a row comes back as it was");
}

}  // namespace

void fuzz_ndjson(BytesView line) {
    if (line.find('\n') != BytesView::npos) return;
    Bytes padded{line};
    padded.append(store::line_padding, ' ');
    const Shape found = store::detect_shape({padded.data(), line.size()});
    store::ensure(found != Shape::automatic, "a shape is found");
    for (const Shape shape : {Shape::plain, Shape::dynamodb, Shape::azure}) {
        const std::optional<Attributes> attributes = parsed(shape, line);
        if (!attributes) continue;
        check_again(shape, *attributes);
        check_again(Shape::plain, *attributes);
    }
}

}  // namespace idxfsck::tests
