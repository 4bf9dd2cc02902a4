#include "audit/language/entry_reader.hpp"

#include "audit/language/bound_template.hpp"

namespace idxfsck::audit::language {

namespace {

using store::Kind;
using store::ValueView;

BoundCondition bind_rows(const IndexSpec& index, store::Projection& projection,
                         std::int64_t now_ms) {
    RowBinder binder{projection, now_ms};
    return BoundCondition{checked_condition(index.rows), binder};
}

EntryView entry_of(const store::RowView& row, const Scratch& scratch) {
    return {row.key, scratch.pointer, scratch.copies, 0};
}

// Entries of a list, each member once; that it stands there again is damage.
void add_member(const store::RowView& row, const ValueView& member, Scratch& scratch,
                const std::string& attribute, EntrySink& sink) {
    scratch.pointer.assign(1, member);
    const EntryView entry = entry_of(row, scratch);
    if (scratch.seen.insert(entry)) {
        sink.entry(entry);
    } else {
        sink.damage(Damage::member_twice, attribute);
    }
}

void add_named_member(const store::RowView& row, store::BytesView name, const ValueView& value,
                      Scratch& scratch, EntrySink& sink) {
    scratch.pointer.assign({text_view(name), value});
    sink.entry(entry_of(row, scratch));
}

}  // namespace

EntryReader::EntryReader(const Layout& layout, const std::vector<NamedTemplate>& key,
                         const store::KeyLimits& limits, store::Projection& projection,
                         std::int64_t now_ms)
    : layout_{layout}, limits_{limits}, rows_{bind_rows(*layout.spec, projection, now_ms)} {
    for (const NamedTemplate& named : key) shapes_.emplace_back(named);
    for (const PointerPlace& place : layout.pointer) {
        pointer_slots_.push_back(place.component ? 0 : projection.slot(place.name));
    }
    const ContainerKind kind = layout.spec->container.kind;
    for (const std::string& name : layout.copied.names()) {
        copy_slots_.push_back(projection.slot(name));
    }
    if (kind == ContainerKind::columns || layout.copies_all()) projection.all = true;
    if (kind != ContainerKind::none && kind != ContainerKind::columns) {
        container_slot_ = projection.slot(layout.spec->container.attribute);
    }
}

bool EntryReader::owns(const store::RowView& row, Scratch& scratch) const {
    if (!rows_.always()) {
        scratch.reset();
        return rows_.holds({row.slots, scratch});
    }
    if (row.key.size() != shapes_.size()) return false;
    for (std::size_t index = 0; index < shapes_.size(); ++index) {
        if (!shapes_[index].fits(row.key[index])) return false;
    }
    return true;
}

void EntryReader::decode(const store::RowView& row, Scratch& scratch, EntrySink& sink) const {
    scratch.reset();
    scratch.copies.clear();
    if (!check(row, sink)) return;
    if (layout_.spec->container.kind == ContainerKind::none) {
        decode_entry(row, scratch, sink);
    } else {
        decode_container(row, scratch, sink);
    }
}

// A key that the store which the rows came from could not hold.
bool EntryReader::check(const store::RowView& row, EntrySink& sink) const {
    if (row.key.size() != shapes_.size()) {
        sink.damage(Damage::row_undecodable, {});
        return false;
    }
    for (std::size_t index = 0; index < row.key.size(); ++index) {
        if (check_key(row.key[index], limits_) == Damage::none) continue;
        sink.damage(Damage::key_unreadable, layout_.schema.key[index]);
        return false;
    }
    return true;
}

void EntryReader::decode_entry(const store::RowView& row, Scratch& scratch,
                               EntrySink& sink) const {
    if (!read_pointer(row, scratch, sink)) return;
    read_copies(row, scratch);
    sink.entry(entry_of(row, scratch));
}

bool EntryReader::read_pointer(const store::RowView& row, Scratch& scratch,
                               EntrySink& sink) const {
    scratch.pointer.clear();
    for (std::size_t index = 0; index < layout_.pointer.size(); ++index) {
        const PointerPlace& place = layout_.pointer[index];
        const ValueView value =
            place.component ? row.key[*place.component] : row.slots[pointer_slots_[index]];
        if (!value.present()) {
            sink.damage(Damage::attribute_missing, place.name);
            return false;
        }
        if (store::is_container(value.kind)) {
            sink.damage(Damage::attribute_wrong_type, place.name);
            return false;
        }
        scratch.pointer.push_back(value);
    }
    return true;
}

void EntryReader::read_copies(const store::RowView& row, Scratch& scratch) const {
    if (!layout_.copies_all()) {
        const std::vector<std::string>& names = layout_.copied.names();
        for (std::size_t index = 0; index < names.size(); ++index) {
            const ValueView value = row.slots[copy_slots_[index]];
            if (value.present()) scratch.copies.push_back({names[index], value});
        }
        return;
    }
    store::AttributeCursor cursor{row.attributes};
    while (cursor.next()) {
        if (layout_.is_copy(cursor.name())) {
            scratch.copies.push_back({cursor.name(), cursor.value()});
        }
    }
}

void EntryReader::decode_container(const store::RowView& row, Scratch& scratch,
                                   EntrySink& sink) const {
    const ContainerSpec& container = layout_.spec->container;
    std::size_t members = 0;
    if (container.kind == ContainerKind::columns) {
        members = decode_columns(row, scratch, sink);
    } else if (has_members(row.slots[container_slot_], sink)) {
        members = container.kind == ContainerKind::delimited ? decode_delimited(row, scratch, sink)
                                                             : decode_elements(row, scratch, sink);
    } else {
        return;
    }
    if (members == 0 && !container.keep_empty) {
        sink.damage(Damage::container_empty, container.attribute);
    }
    if (container.members_max != 0 && members >= container.members_max) {
        sink.damage(Damage::container_full, container.attribute);
    }
}

bool EntryReader::has_members(const ValueView& value, EntrySink& sink) const {
    const ContainerSpec& container = layout_.spec->container;
    if (value.kind == Kind::absent || value.kind == Kind::null) {
        if (!container.keep_empty) sink.damage(Damage::container_empty, container.attribute);
        return false;
    }
    const bool elements = store::is_container(value.kind) && value.kind != Kind::map;
    const bool fits = container.kind == ContainerKind::map         ? value.kind == Kind::map
                      : container.kind == ContainerKind::delimited ? value.kind == Kind::text
                                                                   : elements;
    if (!fits) sink.damage(Damage::attribute_wrong_type, container.attribute);
    return fits;
}

std::size_t EntryReader::decode_elements(const store::RowView& row, Scratch& scratch,
                                         EntrySink& sink) const {
    const bool map = layout_.spec->container.kind == ContainerKind::map;
    std::size_t members = 0;
    store::ElementCursor cursor{row.slots[container_slot_]};
    for (; cursor.next(); ++members) {
        if (map) {
            add_named_member(row, cursor.name(), cursor.value(), scratch, sink);
        } else {
            add_member(row, cursor.value(), scratch, layout_.spec->container.attribute, sink);
        }
    }
    return members;
}

std::size_t EntryReader::decode_delimited(const store::RowView& row, Scratch& scratch,
                                          EntrySink& sink) const {
    const store::BytesView separator = layout_.spec->container.separator;
    store::BytesView rest = row.slots[container_slot_].payload;
    std::size_t members = 0;
    while (!rest.empty()) {
        const std::size_t end = rest.find(separator);
        add_member(row, text_view(rest.substr(0, end)), scratch, layout_.spec->container.attribute,
                   sink);
        ++members;
        if (end == store::BytesView::npos) break;
        rest.remove_prefix(end + separator.size());
    }
    return members;
}

std::size_t EntryReader::decode_columns(const store::RowView& row, Scratch& scratch,
                                        EntrySink& sink) const {
    std::size_t members = 0;
    store::AttributeCursor cursor{row.attributes};
    while (cursor.next()) {
        if (layout_.not_members.has(cursor.name())) continue;
        add_named_member(row, cursor.name(), cursor.value(), scratch, sink);
        ++members;
    }
    return members;
}

}  // namespace idxfsck::audit::language
