#include "audit/language/entry_reader.hpp"

#include "audit/language/bound_template.hpp"
#include "audit/language/member_list.hpp"
#include "audit/language/member_parts.hpp"

namespace idxfsck::audit::language {

namespace {

using store::Kind;
using store::ValueView;

BoundCondition bind_rows(const IndexSpec& index, store::Projection& projection,
                         std::int64_t now_ms) {
    RowBinder binder{projection, now_ms};
    return BoundCondition{checked_condition(index.rows), binder};
}

using KeyView = std::span<const ValueView>;

EntryView entry_of(KeyView key, const Scratch& scratch) {
    return {key, scratch.pointer, scratch.copies, 0};
}

// Entries of a list, each member once; that it stands there again is damage.
void add_member(KeyView key, const ValueView& member, Scratch& scratch,
                const std::string& attribute, EntrySink& sink) {
    scratch.pointer.assign(1, member);
    const EntryView entry = entry_of(key, scratch);
    if (scratch.seen.insert(entry)) {
        sink.entry(entry);
    } else {
        sink.damage(Damage::member_twice, attribute);
    }
}

void add_named_member(KeyView key, store::BytesView name, const ValueView& value,
                      Scratch& scratch, EntrySink& sink) {
    scratch.pointer.assign({text_view(name), value});
    sink.entry(entry_of(key, scratch));
}

// Can an attribute of that kind hold the members of such a container?
bool can_hold(ContainerKind container, Kind kind) {
    switch (container) {
        case ContainerKind::map: return kind == Kind::map;
        case ContainerKind::delimited:
        case ContainerKind::json: return kind == Kind::text;
        default: return store::is_container(kind) && kind != Kind::map;
    }
}

}  // namespace

EntryReader::EntryReader(const Layout& layout, const std::vector<NamedTemplate>& key,
                         const IndexLimits& limits, store::Projection& projection,
                         std::int64_t now_ms, bool by_dynamodb)
    : layout_{layout},
      limits_{limits},
      rows_{bind_rows(*layout.spec, projection, now_ms)},
      any_of_{key} {
    for (const NamedTemplate& named : key) {
        shapes_.emplace_back(named);
        if (layout.spec->inside) key_slots_.push_back(projection.slot(named.name));
    }
    RowBinder binder{projection, now_ms};
    if (layout.spec->expires.given()) {
        expires_.emplace(layout.spec->expires, binder, by_dynamodb);
    }
    for (const PointerPlace& place : layout.pointer) {
        pointer_slots_.push_back(place.component ? 0 : projection.slot(place.name));
    }
    const ContainerKind kind = layout.spec->container.kind;
    for (const std::string& name : layout.copied.names()) {
        copy_slots_.push_back(projection.slot(name));
    }
    if (kind == ContainerKind::columns || layout.copies_all()) projection.all = true;
    if (kind != ContainerKind::none && kind != ContainerKind::columns) {
        part_names_ = part_names(layout.spec->container);
        for (const std::string& name : part_names_) part_slots_.push_back(projection.slot(name));
    }
}

bool EntryReader::owns(const store::RowView& row, Scratch& scratch) const {
    if (!is_of_index(row, scratch)) return false;
    if (!expires_) return true;
    scratch.reset();
    return expires_->lifetime({row.slots, scratch}) != Lifetime::over;
}

bool EntryReader::expired(const store::RowView& row, Scratch& scratch) const {
    if (!expires_ || !is_of_index(row, scratch)) return false;
    scratch.reset();
    return expires_->lifetime({row.slots, scratch}) == Lifetime::over;
}

bool EntryReader::accusable(const store::RowView& row, Scratch& scratch) const {
    if (!expires_) return true;
    scratch.reset();
    const Context context{row.slots, scratch};
    if (expires_->lifetime(context) == Lifetime::ending) return false;
    return !layout_.spec->expires.reservation || !expires_->will_expire(context);
}

std::optional<double> EntryReader::expires_ms(const store::RowView& row,
                                              Scratch& scratch) const {
    if (!expires_) return std::nullopt;
    scratch.reset();
    return expires_->moment({row.slots, scratch});
}

bool EntryReader::is_of_index(const store::RowView& row, Scratch& scratch) const {
    if (!rows_.always()) {
        scratch.reset();
        return rows_.holds({row.slots, scratch});
    }
    if (layout_.spec->inside) return true;
    if (row.key.size() != shapes_.size()) return false;
    if (any_of_.given()) {
        scratch.reset();
        if (!any_of_.make_canonical(row.key, scratch)) return false;
    }
    const KeyView key = key_of(row, scratch);
    for (std::size_t index = 0; index < shapes_.size(); ++index) {
        if (!shapes_[index].fits(key[index])) return false;
    }
    return true;
}

KeyView EntryReader::key_of(const store::RowView& row, const Scratch& scratch) const {
    return any_of_.given() ? KeyView{scratch.key} : KeyView{row.key};
}

void EntryReader::decode(const store::RowView& row, Scratch& scratch, EntrySink& sink) const {
    scratch.reset();
    scratch.copies.clear();
    if (layout_.spec->inside) return decode_inside(row, scratch, sink);
    if (!check(row, scratch, sink)) return;
    if (layout_.spec->container.kind == ContainerKind::none) {
        decode_entry(row, scratch, sink);
    } else {
        decode_container(row, scratch, sink);
    }
}

// A key that the store which the rows came from could not hold.
bool EntryReader::check(const store::RowView& row, Scratch& scratch, EntrySink& sink) const {
    if (row.key.size() != shapes_.size()) {
        sink.damage(Damage::row_undecodable, {});
        return false;
    }
    for (std::size_t index = 0; index < row.key.size(); ++index) {
        if (check_key(row.key[index], index, limits_) == Damage::none) continue;
        sink.damage(Damage::key_unreadable, layout_.schema.key[index]);
        return false;
    }
    if (!any_of_.given() || any_of_.make_canonical(row.key, scratch)) return true;
    sink.damage(Damage::key_unreadable, layout_.schema.key.front());
    return false;
}

// A row without any of the attributes has no entry. Where only some are there, null stands for the
// others.
void EntryReader::decode_inside(const store::RowView& row, Scratch& scratch,
                                EntrySink& sink) const {
    scratch.key.clear();
    bool any = false;
    for (const std::size_t slot : key_slots_) {
        const ValueView value = row.slots[slot];
        any = any || (value.present() && value.kind != Kind::null);
        scratch.key.push_back(value.present() ? value : ValueView{Kind::null, {}});
    }
    if (!any || !read_pointer(row, scratch, sink)) return;
    sink.entry({scratch.key, scratch.pointer, {}, 0});
}

void EntryReader::decode_entry(const store::RowView& row, Scratch& scratch,
                               EntrySink& sink) const {
    if (!read_pointer(row, scratch, sink)) return;
    read_copies(row, scratch);
    sink.entry(entry_of(key_of(row, scratch), scratch));
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
        if (store::is_container(value.kind) || !store::is_taken(value.kind, place.kind)) {
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
    const std::optional<std::size_t> decoded = container.kind == ContainerKind::columns
                                                   ? decode_columns(row, scratch, sink)
                                                   : decode_parts(row, scratch, sink);
    if (!decoded) return;
    const std::size_t members = *decoded;
    if (members == 0 && !container.keep_empty) {
        sink.damage(Damage::container_empty, container.attribute);
    }
    if ((container.members_max != 0 && members >= container.members_max) || is_full(row)) {
        sink.damage(Damage::container_full, container.attribute);
    }
    // Whether it outlives its members, their base rows know.
    if (expires_ && members > 0 && expires_->moment({row.slots, scratch})) {
        sink.damage(Damage::container_expires_early, container.attribute);
    }
}

std::optional<std::size_t> EntryReader::decode_parts(const store::RowView& row, Scratch& scratch,
                                                     EntrySink& sink) const {
    std::size_t members = 0;
    bool readable = true;
    for (std::size_t part = 0; part < part_slots_.size(); ++part) {
        const ValueView& value = row.slots[part_slots_[part]];
        if (value.kind == Kind::absent || value.kind == Kind::null) continue;
        if (can_hold(layout_.spec->container.kind, value.kind)) {
            members += decode_part(part, row, scratch, sink);
        } else {
            sink.damage(Damage::attribute_wrong_type, part_names_[part]);
            readable = false;
        }
    }
    // A container that cannot be read is not an empty one.
    return readable || members > 0 ? std::optional{members} : std::nullopt;
}

bool EntryReader::is_full(const store::RowView& row) const {
    const ContainerSpec& container = layout_.spec->container;
    if (container.characters_max == 0) return false;
    std::vector<ValueView> parts;
    for (const std::size_t slot : part_slots_) parts.push_back(row.slots[slot]);
    return language::is_full(container, parts);
}

std::size_t EntryReader::decode_part(std::size_t part, const store::RowView& row, Scratch& scratch,
                                     EntrySink& sink) const {
    switch (layout_.spec->container.kind) {
        case ContainerKind::delimited: return decode_delimited(part, row, scratch, sink);
        case ContainerKind::json: return decode_json(part, row, scratch, sink);
        default: return decode_elements(part, row, scratch, sink);
    }
}

std::size_t EntryReader::decode_elements(std::size_t part, const store::RowView& row,
                                         Scratch& scratch, EntrySink& sink) const {
    const bool map = layout_.spec->container.kind == ContainerKind::map;
    std::size_t members = 0;
    store::ElementCursor cursor{row.slots[part_slots_[part]]};
    for (; cursor.next(); ++members) {
        if (map) {
            add_named_member(key_of(row, scratch), cursor.name(), cursor.value(), scratch, sink);
        } else {
            add_member(key_of(row, scratch), cursor.value(), scratch, part_names_[part], sink);
        }
    }
    return members;
}

std::size_t EntryReader::decode_delimited(std::size_t part, const store::RowView& row,
                                          Scratch& scratch, EntrySink& sink) const {
    const store::BytesView separator = layout_.spec->container.separator;
    store::BytesView rest = row.slots[part_slots_[part]].payload;
    std::size_t members = 0;
    while (!rest.empty()) {
        const std::size_t end = rest.find(separator);
        add_member(key_of(row, scratch), text_view(rest.substr(0, end)), scratch,
                   part_names_[part], sink);
        ++members;
        if (end == store::BytesView::npos) break;
        rest.remove_prefix(end + separator.size());
    }
    return members;
}

std::size_t EntryReader::decode_json(std::size_t part, const store::RowView& row, Scratch& scratch,
                                     EntrySink& sink) const {
    const auto list = json_members(row.slots[part_slots_[part]].payload);
    if (!list) {
        sink.damage(Damage::attribute_wrong_type, part_names_[part]);
        // A container that cannot be read is not an empty one.
        return 1;
    }
    std::size_t members = 0;
    const ValueView view{Kind::list, scratch.arena.copy(list->payload)};
    for (store::ElementCursor cursor{view}; cursor.next(); ++members) {
        add_member(key_of(row, scratch), cursor.value(), scratch, part_names_[part], sink);
    }
    return members;
}

std::size_t EntryReader::decode_columns(const store::RowView& row, Scratch& scratch,
                                        EntrySink& sink) const {
    std::size_t members = 0;
    store::AttributeCursor cursor{row.attributes};
    while (cursor.next()) {
        if (layout_.not_members.has(cursor.name())) continue;
        add_named_member(key_of(row, scratch), cursor.name(), cursor.value(), scratch, sink);
        ++members;
    }
    return members;
}

}  // namespace idxfsck::audit::language
