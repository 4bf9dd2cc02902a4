#include "store/json/shape.hpp"

#include "store/json/azure_type.hpp"
#include "store/json/dynamodb_tag.hpp"
#include "store/json/line_walk.hpp"

namespace idxfsck::store {

namespace {

// What a value looks like, as far as the shapes can be told apart by it.
struct Look {
    bool typed = false;    // an object of one member that is a DynamoDB type
    bool wrapper = false;  // an object of such objects
    bool scalar = false;   // neither object nor list
};

bool is_object(LineWalk& walk, ondemand::value& value, ondemand::object& object) {
    if (!token_of(value).starts_with('{')) return false;
    return value.get_object().get(object) == simdjson::SUCCESS || walk.fail_json();
}

// Looks at names only, and at no more of them than it must.
bool is_typed(LineWalk& walk, ondemand::value& value) {
    ondemand::object object;
    if (!is_object(walk, value, object)) return false;
    std::size_t count = 0;
    return each_member(walk, object, [&](BytesView name, ondemand::value&) {
        return ++count == 1 && find_dynamodb_kind(name) != Kind::absent;
    }) && count == 1;
}

Look look_at(LineWalk& walk, ondemand::value& value) {
    const BytesView token = token_of(value);
    const bool scalar = !token.starts_with('{') && !token.starts_with('[');
    ondemand::object object;
    if (!is_object(walk, value, object)) return {false, false, scalar};
    std::size_t count = 0;
    std::size_t tags = 0;
    std::size_t typed = 0;
    each_member(walk, object, [&](BytesView name, ondemand::value& member) {
        ++count;
        if (find_dynamodb_kind(name) != Kind::absent) ++tags;
        if (is_typed(walk, member)) ++typed;
        return !walk.broken && (tags == count || typed == count);
    });
    return {count == 1 && tags == 1, count > 0 && typed == count, false};
}

// What the members of a row say about its shape.
struct RowLook {
    std::size_t count = 0;
    std::size_t typed = 0;
    bool item = false;  // the wrapper of an item
    bool partition_key = false;
    bool row_key = false;
    bool odata = false;
    bool flat = true;  // as all rows of Azure are, while the plain shape has wrappers

    void add(BytesView name, const Look& look) {
        ++count;
        if (look.typed) ++typed;
        flat = flat && look.scalar;
        item = item || (name == "Item" && look.wrapper);
        partition_key = partition_key || name == "PartitionKey";
        row_key = row_key || name == "RowKey";
        odata = odata || name.starts_with("odata.") || name.ends_with(azure_annotation);
    }

    Shape shape() const {
        if (count > 0 && (typed == count || (item && count == 1))) return Shape::dynamodb;
        return flat && (odata || (partition_key && row_key)) ? Shape::azure : Shape::plain;
    }
};

}  // namespace

Shape detect_shape(BytesView line) {
    ondemand::parser parser;
    ondemand::document document;
    const simdjson::padded_string_view padded{line, line.size() + line_padding};
    if (parser.iterate(padded).get(document) != simdjson::SUCCESS) return Shape::plain;
    ondemand::object row;
    if (document.get_object().get(row) != simdjson::SUCCESS) return Shape::plain;
    LineWalk walk;
    walk.start(line);
    RowLook look;
    const bool whole = each_member(walk, row, [&](BytesView name, ondemand::value& value) {
        look.add(name, look_at(walk, value));
        return !walk.broken;
    });
    return whole ? look.shape() : Shape::plain;
}

}  // namespace idxfsck::store
