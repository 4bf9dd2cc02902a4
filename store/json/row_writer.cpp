#include "store/json/row_writer.hpp"

#include <algorithm>

#include "store/json/azure_text.hpp"
#include "store/json/dynamodb_text.hpp"
#include "store/json/scalar_text.hpp"
#include "store/json/value_json.hpp"

namespace idxfsck::store {

namespace {

// The attribute as a member, or why not.
std::string_view append_member(Bytes& out, Shape shape, BytesView name, const ValueView& value) {
    if (!is_utf8(name)) return "a name that is not UTF-8";
    if (shape == Shape::azure) return append_azure_property(out, name, value);
    append_json_string(out, name);
    out.push_back(':');
    if (shape == Shape::dynamodb) return append_dynamodb_value(out, value);
    append_value_text(out, value, Numbers::exact);
    return {};
}

Bytes key_text(std::span<const ValueView> key) {
    Key owned;
    for (const ValueView& component : key) owned.emplace_back(component);
    return key_to_json(owned).dump();
}

}  // namespace

RowWriter::RowWriter(Shape shape, const std::vector<Bytes>& key_names)
    : shape_{shape == Shape::automatic ? Shape::plain : shape}, key_names_{key_names} {}

void RowWriter::append(Bytes& out, std::span<const ValueView> key, BytesView attributes) {
    const std::size_t size = out.size();
    collect(key, attributes);
    out.append(shape_ == Shape::dynamodb ? "{\"Item\":{" : "{");
    for (std::size_t place = 0; place < members_.size(); ++place) {
        const Member& member = members_[place];
        if (place > 0) out.push_back(',');
        const std::string_view why_not = append_member(out, shape_, member.name, member.value);
        if (why_not.empty()) continue;
        out.resize(size);
        throw unsayable(key, member, why_not);
    }
    out.append(shape_ == Shape::dynamodb ? "}}\n" : "}\n");
}

Error RowWriter::unsayable(std::span<const ValueView> key, const Member& member,
                           std::string_view cause) const {
    Error error{"a row cannot be written in this shape"};
    error.with("shape", shape_name(shape_)).with("key", key_text(key));
    error.with("attribute", member.name).with("kind", kind_name(member.value.kind));
    error.with("cause", cause);
    if (shape_ != Shape::plain) error.hint("the shape `plain` can say every value");
    return error;
}

void RowWriter::collect(std::span<const ValueView> key, BytesView attributes) {
    members_.clear();
    for (std::size_t place = 0; place < key.size() && place < key_names_.size(); ++place) {
        members_.push_back({key_names_[place], key[place]});
    }
    AttributeCursor cursor{attributes};
    while (cursor.next()) members_.push_back({cursor.name(), cursor.value()});
    if (cursor.damaged()) {
        throw Error{"a row is damaged and cannot be written"}.with("key", key_text(key));
    }
    std::sort(members_.begin(), members_.end(),
              [](const Member& a, const Member& b) { return a.name < b.name; });
}

}  // namespace idxfsck::store
