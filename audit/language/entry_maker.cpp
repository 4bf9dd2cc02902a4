#include "audit/language/entry_maker.hpp"

#include <algorithm>

#include "audit/language/uses.hpp"

namespace idxfsck::audit::language {

namespace {

using store::Kind;
using store::ValueView;

NamedTemplate member_template(const char* name, const std::string& text, SpecPlace place) {
    NamedTemplate named;
    named.name = name;
    named.text = text;
    named.place = place;
    return named;
}

std::vector<BoundValue> bind_all(const std::vector<NamedTemplate>& templates, Binder& binder) {
    std::vector<BoundValue> bound;
    bound.reserve(templates.size());
    for (const NamedTemplate& named : templates) bound.emplace_back(named, binder);
    return bound;
}

store::BytesView subject(const BoundValue& value) {
    return value.attribute().empty() ? store::BytesView{value.name()} : value.attribute();
}

}  // namespace

std::vector<NamedTemplate> pointer_templates(const IndexSpec& index) {
    const ContainerSpec& container = index.container;
    std::vector<NamedTemplate> templates;
    switch (container.kind) {
        case ContainerKind::none:
            return index.pointer;
        case ContainerKind::list:
        case ContainerKind::delimited:
        case ContainerKind::json:
            templates.push_back(member_template("item", container.item, container.item_place));
            break;
        case ContainerKind::map:
        case ContainerKind::columns:
            templates.push_back(member_template("name", container.name, container.name_place));
            templates.push_back(member_template("value", container.value, container.value_place));
            // A member without a value is still one.
            templates.back().missing.null.action = MissingAction::keep;
            break;
    }
    return templates;
}

bool speaks_of_element(const Condition& condition) {
    bool speaks = false;
    visit(condition, [&](const Operand& operand) { speaks = speaks || is_element(operand); });
    return speaks;
}

EntryMaker::EntryMaker(const Layout& layout, const std::vector<NamedTemplate>& key,
                       const IndexLimits& limits, Binder& binder)
    : layout_{layout},
      limits_{limits},
      covers_{checked_condition(layout.spec->covers), binder},
      when_{checked_condition(layout.spec->when), binder},
      when_of_element_{speaks_of_element(checked_condition(layout.spec->when))},
      key_{bind_all(key, binder)},
      pointer_{bind_all(pointer_templates(*layout.spec), binder)},
      copies_{bind_all(layout.copies, binder)} {
    if (!layout.spec->each.empty()) {
        each_.emplace(checked_template(layout.spec->each), MissingPolicy{}, binder);
    }
}

Derived EntryMaker::derive(const store::RowView& row, Scratch& scratch, EntrySink& sink) const {
    scratch.reset();
    Job job{{row.slots, scratch}, row.attributes, sink};
    if (!covers_.holds(job.context)) return Derived::uncovered;
    if (!when_of_element_ && !when_.holds(job.context)) return Derived::exempt;
    if (each_) {
        derive_each(job);
    } else {
        derive_element(job);
    }
    return job.found ? Derived::entries : Derived::exempt;
}

Derived EntryMaker::screen(const store::RowView& row, Scratch& scratch) const {
    scratch.reset();
    const Context context{row.slots, scratch};
    if (!covers_.holds(context)) return Derived::uncovered;
    return when_.holds(context) ? Derived::entries : Derived::exempt;
}

void EntryMaker::damaged(Job& job, Damage damage, store::BytesView attribute) {
    job.found = true;
    job.sink.damage(damage, attribute);
}

void EntryMaker::derive_each(Job& job) const {
    ValueView list;
    if (!each_->evaluate(job.context, list)) {
        damaged(job, job.context.scratch.damage, job.context.scratch.damaged_attribute);
        return;
    }
    if (list.kind == Kind::absent || list.kind == Kind::null) return;
    if (!store::is_container(list.kind)) {
        damaged(job, Damage::key_wrong_type, each_->attribute());
        return;
    }
    store::ElementCursor cursor{list};
    while (cursor.next()) {
        job.context.key = list.kind == Kind::map ? text_view(cursor.name()) : ValueView{};
        job.context.value = cursor.value();
        job.context.item = list.kind == Kind::map ? job.context.key : cursor.value();
        derive_element(job);
    }
}

void EntryMaker::derive_element(Job& job) const {
    if (when_of_element_ && !when_.holds(job.context)) return;
    if (make_key(job) && make_pointer(job) && make_copies(job)) derive_one(job);
}

void EntryMaker::derive_one(Job& job) const {
    Scratch& scratch = job.context.scratch;
    const EntryView entry{scratch.key, scratch.pointer, scratch.copies, 0};
    if (each_ && !scratch.seen.insert(entry)) return;
    job.found = true;
    job.sink.entry(entry);
}

bool EntryMaker::make_key(Job& job) const {
    Scratch& scratch = job.context.scratch;
    scratch.key.clear();
    for (const BoundValue& component : key_) {
        ValueView value;
        if (!component.evaluate(job.context, value)) {
            damaged(job, scratch.damage, scratch.damaged_attribute);
            return false;
        }
        if (!value.present()) return false;
        const Damage damage = layout_.spec->inside
                                  ? Damage::none
                                  : check_key(value, scratch.key.size(), limits_);
        if (damage != Damage::none) {
            damaged(job, damage, subject(component));
            return false;
        }
        scratch.key.push_back(value);
    }
    return true;
}

bool EntryMaker::make_pointer(Job& job) const {
    Scratch& scratch = job.context.scratch;
    scratch.pointer.clear();
    for (const BoundValue& part : pointer_) {
        ValueView value;
        if (!part.evaluate(job.context, value)) {
            damaged(job, scratch.damage, scratch.damaged_attribute);
            return false;
        }
        if (!value.present()) {
            damaged(job, Damage::attribute_missing, subject(part));
            return false;
        }
        scratch.pointer.push_back(value);
    }
    return true;
}

bool EntryMaker::make_copies(Job& job) const {
    Scratch& scratch = job.context.scratch;
    scratch.copies.clear();
    if (layout_.copies_all()) make_all_copies(job);
    const std::size_t plain = scratch.copies.size();
    for (const BoundValue& copy : copies_) {
        ValueView value;
        if (!copy.evaluate(job.context, value)) {
            damaged(job, scratch.damage, scratch.damaged_attribute);
            return false;
        }
        if (value.present()) scratch.copies.push_back({copy.name(), value});
    }
    if (plain > 0 && plain < scratch.copies.size()) {
        std::sort(scratch.copies.begin(), scratch.copies.end(),
                  [](const NamedView& a, const NamedView& b) { return a.name < b.name; });
    }
    return true;
}

void EntryMaker::make_all_copies(Job& job) const {
    store::AttributeCursor cursor{job.attributes};
    while (cursor.next()) {
        if (layout_.not_copied.has(cursor.name())) continue;
        job.context.scratch.copies.push_back({cursor.name(), cursor.value()});
    }
}

}  // namespace idxfsck::audit::language
