#include "audit/language/entry_writer.hpp"

#include <algorithm>

#include "audit/language/bound_template.hpp"
#include "audit/language/member_list.hpp"
#include "audit/language/member_parts.hpp"
#include "store/error.hpp"

namespace idxfsck::audit::language {

namespace {

using store::Kind;
using store::Row;
using store::Value;
using store::ValueView;

Row row_for(const EntryView& entry, const std::optional<Row>& before) {
    if (before) return *before;
    Row row;
    for (const ValueView& component : entry.key) row.key.emplace_back(component);
    return row;
}

void put_parts(const Layout& layout, const EntryView& entry, Row& row) {
    std::vector<store::NamedValue> attributes = store::decode_attributes(row.attributes);
    std::erase_if(attributes, [&](const auto& named) { return layout.is_copy(named.name); });
    row.attributes = store::encode_attributes(std::move(attributes));
    for (std::size_t index = 0; index < layout.pointer.size(); ++index) {
        const bool in_key = layout.pointer[index].component.has_value();
        if (!in_key) row.set(layout.pointer[index].name, entry.pointer[index]);
    }
    for (const NamedView& copy : entry.copies) row.set(copy.name, copy.value);
}

// Constants are literals: they need no base row.
Value constant_of(const NamedTemplate& named) {
    const Template parsed = checked_template(named.text);
    store::Projection nothing;
    RowBinder binder{nothing, 0};
    const BoundTemplate bound{parsed, named.missing, binder};
    Scratch scratch;
    ValueView value;
    const bool made = bound.evaluate({{}, scratch}, value);
    return made ? Value{value} : Value{};
}

void put_constants(const IndexSpec& index, Row& row) {
    for (const NamedTemplate& named : index.constants) row.set(named.name, constant_of(named));
}

bool has_members(const Layout& layout, const Row& row) {
    store::AttributeCursor cursor{row.attributes};
    while (cursor.next()) {
        if (!layout.not_members.has(cursor.name())) return true;
    }
    return false;
}

void add_member(const ContainerSpec& container, const EntryView& entry, Row& row) {
    if (container.kind == ContainerKind::columns) {
        row.set(entry.pointer[0].payload, entry.pointer[1]);
        return;
    }
    add_to_parts(container, entry.pointer, row);
}

// False if no member is left.
bool take_member(const Layout& layout, const EntryView& entry, Row& row) {
    const ContainerSpec& container = layout.spec->container;
    if (container.kind == ContainerKind::columns) {
        const auto value = row.attribute(entry.pointer[0].payload);
        if (value && same_value(*value, entry.pointer[1])) row.set(entry.pointer[0].payload, {});
        return has_members(layout, row);
    }
    return take_from_parts(container, entry.pointer, row);
}

// The attributes inside the base row that are the entry; nothing else of it is touched.
Row with_key_inside(const Layout& layout, const Row& before, std::span<const ValueView> key) {
    Row row = before;
    for (std::size_t index = 0; index < layout.spec->key.size(); ++index) {
        const bool there = index < key.size() && key[index].kind != Kind::null;
        row.set(layout.spec->key[index].name, there ? key[index] : ValueView{});
    }
    return row;
}

}  // namespace

Row with_entry(const Layout& layout, const EntryView& entry, const std::optional<Row>& before) {
    if (layout.spec->inside) {
        store::ensure(before.has_value(), "an entry inside the base row is written into one");
        return with_key_inside(layout, *before, entry.key);
    }
    Row row = row_for(entry, before);
    const ContainerSpec& container = layout.spec->container;
    if (container.kind == ContainerKind::none) {
        put_parts(layout, entry, row);
        return row;
    }
    if (!before) put_constants(*layout.spec, row);
    add_member(container, entry, row);
    return row;
}

std::optional<Row> without_entry(const Layout& layout, const EntryView& entry, const Row& before) {
    if (layout.spec->inside) return with_key_inside(layout, before, {});
    const ContainerSpec& container = layout.spec->container;
    if (container.kind == ContainerKind::none) return std::nullopt;
    Row row = before;
    if (!take_member(layout, entry, row) && !container.keep_empty) return std::nullopt;
    return row;
}

}  // namespace idxfsck::audit::language
