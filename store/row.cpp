#include "store/row.hpp"

#include <algorithm>
#include <limits>

namespace idxfsck::store {

namespace {

constexpr std::size_t no_slot = std::numeric_limits<std::size_t>::max();

void append_attribute(Bytes& out, BytesView name, const ValueView& value) {
    append_varint(out, name.size());
    out.append(name);
    append_element(out, value);
}

// Names differ early; that spares the call of memcmp.
inline bool ascends(BytesView before, BytesView name) {
    const std::size_t shorter = std::min(before.size(), name.size());
    for (std::size_t index = 0; index < shorter; ++index) {
        if (before[index] == name[index]) continue;
        return static_cast<std::uint8_t>(before[index]) < static_cast<std::uint8_t>(name[index]);
    }
    return before.size() < name.size();
}

// An attribute and where the next one begins: null if the bytes are none.
struct Taken {
    BytesView name;
    ValueView value;
    const char* next = nullptr;
};

// By value, in and out, so that whoever walks a row keeps its place in registers.
Taken take_any(const char* at, const char* end) {
    BytesView rest{at, static_cast<std::size_t>(end - at)};
    Taken out;
    std::uint64_t size = 0;
    if (!take_varint(rest, size) || !take_bytes(rest, size, out.name)) return out;
    if (take_element(rest, out.value)) out.next = rest.data();
    return out;
}

// Both sizes are nearly always below 128, and then one byte each.
inline Taken take_attribute(const char* at, const char* end) {
    const auto byte = [](const char* place) { return static_cast<std::uint8_t>(*place); };
    const std::size_t room = static_cast<std::size_t>(end - at);
    const std::size_t name_size = byte(at);
    if (name_size >= 0x80 || room < name_size + 3) return take_any(at, end);
    const char* const element = at + 1 + name_size;
    const std::size_t size = byte(element + 1);
    const std::uint8_t kind = byte(element);
    if (size >= 0x80 || room < name_size + 3 + size) return take_any(at, end);
    if (kind == 0 || kind > static_cast<std::uint8_t>(Kind::binary_set)) return {};
    return {{at + 1, name_size},
            {static_cast<Kind>(kind), {element + 2, size}},
            element + 2 + size};
}

}  // namespace

std::size_t Projection::slot(BytesView name) {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) return static_cast<std::size_t>(found - names.begin());
    names.emplace_back(name);
    return names.size() - 1;
}

bool AttributeCursor::next() {
    if (rest_.empty() || damaged_) return false;
    const BytesView before = name_;
    std::uint64_t size = 0;
    const bool first = before.data() == nullptr;
    damaged_ = !take_varint(rest_, size) || !take_bytes(rest_, size, name_) ||
               !(first || ascends(before, name_)) || !take_element(rest_, value_);
    return !damaged_;
}

std::optional<ValueView> Row::attribute(BytesView name) const {
    AttributeCursor cursor{attributes};
    while (cursor.next()) {
        if (cursor.name() == name) return cursor.value();
    }
    return std::nullopt;
}

void Row::set(BytesView name, const ValueView& value) {
    Bytes out;
    bool written = !value.present();
    AttributeCursor cursor{attributes};
    while (cursor.next()) {
        if (!written && name <= cursor.name()) {
            append_attribute(out, name, value);
            written = true;
        }
        if (cursor.name() != name) append_attribute(out, cursor.name(), cursor.value());
    }
    if (!written) append_attribute(out, name, value);
    attributes = std::move(out);
}

Bytes encode_attributes(std::vector<NamedValue> attributes) {
    const auto by_name = [](const NamedValue& a, const NamedValue& b) { return a.name < b.name; };
    std::stable_sort(attributes.begin(), attributes.end(), by_name);
    Bytes out;
    for (std::size_t index = 0; index < attributes.size(); ++index) {
        const NamedValue& one = attributes[index];
        if (index + 1 < attributes.size() && attributes[index + 1].name == one.name) continue;
        if (one.value.kind != Kind::absent) append_attribute(out, one.name, one.value);
    }
    return out;
}

std::vector<NamedValue> decode_attributes(BytesView attributes) {
    std::vector<NamedValue> out;
    AttributeCursor cursor{attributes};
    while (cursor.next()) out.push_back({Bytes{cursor.name()}, Value{cursor.value()}});
    return out;
}

bool well_formed(BytesView attributes) {
    AttributeCursor cursor{attributes};
    while (cursor.next()) continue;
    return !cursor.damaged();
}

Projector::Projector(const std::vector<Bytes>& key_names, const Projection& projection)
    : projection_{projection}, slots_(projection.names.size()) {
    key_slots_.assign(key_names.size(), no_slot);
    for (std::size_t slot = 0; slot < projection.names.size(); ++slot) {
        const auto component = std::find(key_names.begin(), key_names.end(),
                                         projection.names[slot]);
        if (component == key_names.end()) {
            wanted_.emplace_back(projection.names[slot], slot);
        } else {
            key_slots_[static_cast<std::size_t>(component - key_names.begin())] = slot;
        }
    }
    std::sort(wanted_.begin(), wanted_.end());
}

// False if it came upon bytes that are no attribute.
bool Projector::take_slots(BytesView attributes) {
    const char* at = attributes.data();
    const char* const end = at + attributes.size();
    auto wanted = wanted_.begin();
    BytesView before;
    while (at != end && (projection_.all || wanted != wanted_.end())) {
        const Taken one = take_attribute(at, end);
        const bool first = at == attributes.data();
        if (one.next == nullptr || !(first || ascends(before, one.name))) return false;
        before = one.name;
        at = one.next;
        while (wanted != wanted_.end() && ascends(wanted->first, one.name)) ++wanted;
        if (wanted == wanted_.end() || wanted->first != one.name) continue;
        slots_[wanted->second] = one.value;
        ++wanted;
    }
    return true;
}

RowView Projector::project(std::span<const ValueView> key, BytesView attributes,
                           BytesView version) {
    std::fill(slots_.begin(), slots_.end(), ValueView{});
    const std::size_t components = std::min(key.size(), key_slots_.size());
    for (std::size_t index = 0; index < components; ++index) {
        if (key_slots_[index] != no_slot) slots_[key_slots_[index]] = key[index];
    }
    damaged_ = !take_slots(attributes);
    return {key, slots_, attributes, version};
}

RowView Projector::project(const Row& row) {
    key_.assign(row.key.begin(), row.key.end());
    return project(key_, row.attributes, row.version);
}

}  // namespace idxfsck::store
