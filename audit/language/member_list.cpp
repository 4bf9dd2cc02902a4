#include "audit/language/member_list.hpp"

#include <algorithm>
#include <vector>

#include "audit/entry.hpp"

namespace idxfsck::audit::language {

namespace {

using store::Kind;
using store::Value;
using store::ValueView;
using Member = std::span<const ValueView>;

std::vector<Value> elements_of(const ValueView& container) {
    std::vector<Value> elements;
    store::ElementCursor cursor{container};
    while (cursor.next()) elements.emplace_back(cursor.value());
    return elements;
}

std::vector<Value> pieces_of(store::BytesView text, store::BytesView separator) {
    std::vector<Value> pieces;
    while (!text.empty()) {
        const std::size_t end = text.find(separator);
        pieces.push_back(Value::text(store::Bytes{text.substr(0, end)}));
        if (end == store::BytesView::npos) break;
        text.remove_prefix(end + separator.size());
    }
    return pieces;
}

Value join(const std::vector<Value>& pieces, store::BytesView separator) {
    store::Bytes text;
    for (std::size_t index = 0; index < pieces.size(); ++index) {
        if (index > 0) text += separator;
        text += pieces[index].payload;
    }
    return Value::text(std::move(text));
}

Value set_of(Kind kind, const std::vector<Value>& elements) {
    std::vector<store::Bytes> payloads;
    for (const Value& element : elements) payloads.push_back(element.payload);
    return Value::set(kind, std::move(payloads));
}

Kind kind_named(const std::string& name, const ValueView& member) {
    for (const Kind kind : {Kind::list, Kind::text_set, Kind::number_set, Kind::binary_set}) {
        if (store::kind_name(kind) == name) return kind;
    }
    if (name != "set") return Kind::list;
    if (store::is_numeric(member.kind)) return Kind::number_set;
    return member.kind == Kind::binary ? Kind::binary_set : Kind::text_set;
}

// Puts the elements back together as what they came from.
std::optional<Value> assemble(const ContainerSpec& container, Kind kind,
                              const std::vector<Value>& elements) {
    if (container.kind == ContainerKind::delimited) return join(elements, container.separator);
    if (container.kind == ContainerKind::json) return json_text(elements);
    if (kind == Kind::list) return Value::list(elements);
    return store::is_set(kind) ? std::optional{set_of(kind, elements)} : std::nullopt;
}

bool holds(const ContainerSpec& container, const ValueView& before) {
    const Kind kind = before.kind;
    switch (container.kind) {
        case ContainerKind::list: return kind == Kind::list || store::is_set(kind);
        case ContainerKind::map: return kind == Kind::map;
        case ContainerKind::delimited: return kind == Kind::text;
        case ContainerKind::json: return kind == Kind::text && json_members(before.payload);
        default: return false;
    }
}

std::vector<std::pair<store::Bytes, Value>> map_without(const ValueView& before, Member member,
                                                        bool any_value) {
    std::vector<std::pair<store::Bytes, Value>> members;
    store::ElementCursor cursor{before};
    while (cursor.next()) {
        const bool taken = cursor.name() == member[0].payload &&
                           (any_value || same_value(cursor.value(), member[1]));
        if (!taken) members.emplace_back(store::Bytes{cursor.name()}, Value{cursor.value()});
    }
    return members;
}

bool fits_set(Kind kind, const ValueView& member) {
    if (!store::is_set(kind)) return true;
    const Kind element = store::set_element_kind(kind);
    return element == member.kind || (element == Kind::number && store::is_numeric(member.kind));
}

}  // namespace

std::vector<Value> members_of(const ContainerSpec& container, const ValueView& before) {
    if (container.kind == ContainerKind::delimited) {
        return pieces_of(before.payload, container.separator);
    }
    if (container.kind != ContainerKind::json) return elements_of(before);
    const std::optional<Value> list = json_members(before.payload);
    return list ? elements_of(list->view()) : std::vector<Value>{};
}

bool same_value(const ValueView& a, const ValueView& b) {
    if (a == b) return true;
    store::Bytes a_bytes;
    store::Bytes b_bytes;
    append_entry_bytes(a_bytes, {{&a, 1}, {}, {}, 0}, false);
    append_entry_bytes(b_bytes, {{&b, 1}, {}, {}, 0}, false);
    return a_bytes == b_bytes;
}

std::optional<Value> with_member(const ContainerSpec& container, const ValueView& before,
                                 Member member) {
    const bool fresh = before.kind == Kind::absent || before.kind == Kind::null;
    if (!fresh && !holds(container, before)) return std::nullopt;
    if (container.kind == ContainerKind::map) {
        auto members = map_without(before, member, true);
        members.emplace_back(store::Bytes{member[0].payload}, Value{member[1]});
        return Value::map(std::move(members));
    }
    const Kind kind = fresh ? kind_named(container.create_as, member[0]) : before.kind;
    if (!fits_set(kind, member[0])) return std::nullopt;
    std::vector<Value> elements;
    if (!fresh) elements = members_of(container, before);
    const bool there = std::any_of(elements.begin(), elements.end(), [&](const Value& element) {
        return same_value(element, member[0]);
    });
    if (there) return Value{before};
    elements.emplace_back(member[0]);
    return assemble(container, kind, elements);
}

std::optional<Value> without_member(const ContainerSpec& container, const ValueView& before,
                                    Member member) {
    if (!before.present()) return Value{};
    if (!holds(container, before)) return std::nullopt;
    if (container.kind == ContainerKind::map) {
        auto members = map_without(before, member, false);
        return members.empty() ? Value{} : Value::map(std::move(members));
    }
    std::vector<Value> elements = members_of(container, before);
    std::erase_if(elements,
                  [&](const Value& element) { return same_value(element, member[0]); });
    return elements.empty() ? Value{} : assemble(container, before.kind, elements);
}

Value empty_members(const ContainerSpec& container, const ValueView& before) {
    if (container.kind == ContainerKind::map) return Value::map({});
    if (container.kind == ContainerKind::delimited) return Value::text({});
    if (container.kind == ContainerKind::json) return Value::text("[]");
    return before.kind == Kind::list ? Value::list({}) : Value{};
}

}  // namespace idxfsck::audit::language
