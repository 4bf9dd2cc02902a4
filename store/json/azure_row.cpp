// The Azure shape: JSON scalars, with the type of some said by a member "name@odata.type".

#include <algorithm>

#include "store/json/azure_type.hpp"
#include "store/json/line_walk.hpp"
#include "store/json/scalar_text.hpp"
#include "store/json/wrapper.hpp"

namespace idxfsck::store {

namespace {

using Result = Decoded<Value>;

constexpr std::string_view wrong_content = "a type that does not fit what it holds";

// A property as it stands in the line, before its annotation is known.
struct Property {
    std::size_t place;  // in LineWalk::row
    TokenKind kind;
    BytesView content;  // the characters of a text, the token of anything else
    Kind type = Kind::absent;  // as annotated
};

struct Annotation {
    BytesView target;
    Kind type;
    BytesView token;
};

struct Line {
    LineWalk& walk;
    std::vector<Property> properties;
    std::vector<Annotation> annotations;
};

bool read_annotation(Line& line, BytesView name, ondemand::value& value) {
    const BytesView token = token_of(value);
    BytesView word;
    if (!expect_text(line.walk, value, "unknown type", word)) return false;
    const Kind type = find_azure_kind(word);
    if (type == Kind::absent) return line.walk.fail("unknown type", token.data(), token);
    name.remove_suffix(azure_annotation.size());
    line.annotations.push_back({name, type, token});
    return true;
}

bool read_property(Line& line, BytesView name, ondemand::value& value) {
    LineWalk& walk = line.walk;
    const BytesView token = token_of(value);
    Property property{walk.row.size(), kind_of(value, token), token};
    walk.row.push_back({name, {}, walk.offset_of(token.data())});
    switch (property.kind) {
        case TokenKind::broken: return walk.fail_json();
        case TokenKind::list:
        case TokenKind::map: return walk.fail("a property that is no scalar", token.data());
        case TokenKind::text:
            if (!read_text(walk, value, property.content)) return false;
            break;
        default: break;
    }
    line.properties.push_back(property);
    return true;
}

// Gives each annotation to its property. Sorted, so that a line of many members costs no square.
bool annotate(Line& line) {
    const auto name_of = [&](const Property& property) {
        return line.walk.row[property.place].name;
    };
    const auto by_name = [&](const Property& a, const Property& b) {
        return name_of(a) < name_of(b);
    };
    if (line.annotations.empty()) return true;
    std::sort(line.properties.begin(), line.properties.end(), by_name);
    for (const Annotation& annotation : line.annotations) {
        const auto found = std::lower_bound(
            line.properties.begin(), line.properties.end(), annotation.target,
            [&](const Property& property, BytesView target) { return name_of(property) < target; });
        line.walk.attribute = annotation.target;
        const char* at = annotation.token.data();
        if (found == line.properties.end() || name_of(*found) != annotation.target) {
            return line.walk.fail("a type for a property that is not there", at);
        }
        if (found->type != Kind::absent) return line.walk.fail("duplicate member", at);
        found->type = annotation.type;
    }
    return true;
}

// JSON's numbers have two readings: Azure writes a whole Double with its point, "1.0".
Result read_number(BytesView digits) {
    if (digits.find_first_of(".eE") != BytesView::npos) {
        return read_text_wrapper(Kind::real, digits);
    }
    const std::optional<std::int32_t> small = integer_from_text<std::int32_t>(digits);
    return small ? Result{Value::int32(*small)} : read_text_wrapper(Kind::int64, digits);
}

Result read_untyped(const Property& property) {
    switch (property.kind) {
        case TokenKind::text: return Value::text(Bytes{property.content});
        case TokenKind::boolean: return Value::boolean(property.content == "true");
        default: return read_number(property.content);
    }
}

Result read_double(const Property& property) {
    const bool word = property.content == "NaN" || property.content.ends_with("Infinity");
    if (word != (property.kind == TokenKind::text)) return Result::failed(wrong_content);
    return read_text_wrapper(Kind::real, property.content);
}

Result read_int32(BytesView digits) {
    const std::optional<std::int32_t> value = integer_from_text<std::int32_t>(digits);
    if (!value) return Result::failed("not a 32-bit integer");
    return Value::int32(*value);
}

Result read_typed(const Property& property) {
    const bool text = property.kind == TokenKind::text;
    const bool number = property.kind == TokenKind::number;
    const Kind kind = property.type;
    bool fits = text;
    if (kind == Kind::boolean) fits = property.kind == TokenKind::boolean;
    if (kind == Kind::int32) fits = number;
    if (kind == Kind::int64 || kind == Kind::real) fits = number || text;
    if (!fits) return Result::failed(wrong_content);
    if (kind == Kind::text || kind == Kind::boolean) return read_untyped(property);
    if (kind == Kind::int32) return read_int32(property.content);
    if (kind == Kind::real) return read_double(property);
    return read_text_wrapper(kind, property.content);
}

bool resolve(Line& line, Property& property) {
    ParsedAttribute& attribute = line.walk.row[property.place];
    if (property.kind == TokenKind::text && property.type == Kind::absent) {
        if (attribute.name != azure_timestamp) {
            attribute.value = {Kind::text, property.content};
            return true;
        }
        property.type = Kind::date_time;
    }
    Result value = property.kind == TokenKind::null ? Result{Value::null()}
                   : property.type == Kind::absent  ? read_untyped(property)
                                                    : read_typed(property);
    if (!value) {
        line.walk.attribute = attribute.name;
        const char* at = line.walk.line.data() + attribute.offset;
        return line.walk.fail(value.why_not, at, property.content);
    }
    attribute.value = line.walk.keep(std::move(*value));
    return true;
}

}  // namespace

bool walk_azure(LineWalk& walk, ondemand::object row) {
    Line line{walk, {}, {}};
    const bool whole = each_member(walk, row, [&](BytesView name, ondemand::value& value) {
        walk.attribute = name;
        return name.ends_with(azure_annotation) ? read_annotation(line, name, value)
                                                : read_property(line, name, value);
    });
    if (!whole || !annotate(line)) return false;
    return std::all_of(line.properties.begin(), line.properties.end(),
                       [&](Property& property) { return resolve(line, property); });
}

}  // namespace idxfsck::store
