#include "audit/entry.hpp"

#include <algorithm>

// Canonical bytes of an entry:
//
//   entry   = parts(key) parts(pointer) [copies]
//   parts   = varint count, then each value
//   copies  = varint count, then for each: varint size of name, name, value
//   value   = class byte, varint size, payload
//
// The class of every numeric kind is that of `number`, its payload the canonical text, so that 1,
// 1.0 and 1e0 are one. Lists, sets and maps are rewritten value by value for the same reason. The
// others keep their kind and payload. Every part says its size, so no two entries share their bytes.

namespace idxfsck::audit {

namespace {

// Deeper values than any store accepts keep their bytes as they are: recursion stays bounded.
constexpr int depth_max = 64;

void append_value(store::Bytes& out, const store::ValueView& value, int depth);

void append_sized(store::Bytes& out, store::Kind kind, store::BytesView payload) {
    out.push_back(static_cast<char>(kind));
    store::append_varint(out, payload.size());
    out.append(payload);
}

void append_number(store::Bytes& out, const store::ValueView& value) {
    thread_local store::Bytes scratch;
    const auto text = store::canonical_number(value, scratch);
    append_sized(out, store::Kind::number, text ? *text : value.payload);
}

void append_container(store::Bytes& out, const store::ValueView& value, int depth) {
    store::Bytes inner;
    store::ElementCursor cursor{value};
    while (cursor.next()) {
        if (value.kind == store::Kind::map) {
            store::append_varint(inner, cursor.name().size());
            inner.append(cursor.name());
        }
        append_value(inner, cursor.value(), depth + 1);
    }
    append_sized(out, value.kind, cursor.damaged() ? value.payload : store::BytesView{inner});
}

void append_value(store::Bytes& out, const store::ValueView& value, int depth) {
    if (store::is_numeric(value.kind)) {
        append_number(out, value);
    } else if (store::is_container(value.kind) && depth < depth_max) {
        append_container(out, value, depth);
    } else {
        append_sized(out, value.kind, value.payload);
    }
}

void append_parts(store::Bytes& out, std::span<const store::ValueView> parts) {
    store::append_varint(out, parts.size());
    for (const store::ValueView& part : parts) append_value(out, part, 0);
}

template <typename Values>
store::Bytes bytes_of(const Values& values) {
    store::Bytes out;
    for (const auto& value : values) append_value(out, value.view(), 0);
    return out;
}

}  // namespace

Entry::Entry(const EntryView& view) : key_version{view.key_version} {
    for (const store::ValueView& part : view.key) key.emplace_back(part);
    for (const store::ValueView& part : view.pointer) pointer.emplace_back(part);
    for (const NamedView& copy : view.copies) {
        copies.push_back({store::Bytes{copy.name}, store::Value{copy.value}});
    }
}

bool Entry::same_key(const Entry& other) const {
    return key.size() == other.key.size() && bytes_of(key) == bytes_of(other.key);
}

bool Entry::same_claim(const Entry& other) const {
    return same_key(other) && pointer.size() == other.pointer.size() &&
           bytes_of(pointer) == bytes_of(other.pointer);
}

bool Entry::same_copies(const Entry& other) const {
    const auto same = [](const store::NamedValue& a, const store::NamedValue& b) {
        return a.name == b.name && bytes_of(std::span{&a.value, 1}) == bytes_of(std::span{&b.value, 1});
    };
    return std::equal(copies.begin(), copies.end(), other.copies.begin(), other.copies.end(), same);
}

void append_entry_bytes(store::Bytes& out, const EntryView& entry, bool with_copies) {
    append_parts(out, entry.key);
    append_parts(out, entry.pointer);
    if (!with_copies) return;
    store::append_varint(out, entry.copies.size());
    for (const NamedView& copy : entry.copies) {
        store::append_varint(out, copy.name.size());
        out.append(copy.name);
        append_value(out, copy.value, 0);
    }
}

EntryLoan::EntryLoan(const Entry& entry) {
    for (const store::Value& part : entry.key) key_.push_back(part.view());
    for (const store::Value& part : entry.pointer) pointer_.push_back(part.view());
    for (const store::NamedValue& copy : entry.copies) copies_.push_back({copy.name, copy.value.view()});
    view_ = {key_, pointer_, copies_, entry.key_version};
}

}  // namespace idxfsck::audit
