#include "audit/entry.hpp"

#include "audit/entry_bytes.hpp"

namespace idxfsck::audit {

namespace {

bool same_parts(const std::vector<store::Value>& a, const std::vector<store::Value>& b) {
    if (a == b) return true;
    if (a.size() != b.size()) return false;
    Entry left;
    Entry right;
    left.key = a;
    right.key = b;
    store::Bytes left_bytes;
    store::Bytes right_bytes;
    append_entry_bytes(left_bytes, EntryLoan{left}.view(), false);
    append_entry_bytes(right_bytes, EntryLoan{right}.view(), false);
    return left_bytes == right_bytes;
}

}  // namespace

Entry::Entry(const EntryView& view) : key_version{view.key_version} {
    for (const store::ValueView& part : view.key) key.emplace_back(part);
    for (const store::ValueView& part : view.pointer) pointer.emplace_back(part);
    for (const NamedView& copy : view.copies) {
        copies.push_back({store::Bytes{copy.name}, store::Value{copy.value}});
    }
}

bool Entry::same_key(const Entry& other) const { return same_parts(key, other.key); }

bool Entry::same_claim(const Entry& other) const {
    return same_key(other) && same_parts(pointer, other.pointer);
}

bool Entry::same_copies(const Entry& other) const {
    if (copies.size() != other.copies.size()) return false;
    std::vector<store::Value> values;
    std::vector<store::Value> other_values;
    for (std::size_t position = 0; position < copies.size(); ++position) {
        if (copies[position].name != other.copies[position].name) return false;
        values.push_back(copies[position].value);
        other_values.push_back(other.copies[position].value);
    }
    return same_parts(values, other_values);
}

void append_entry_bytes(store::Bytes& out, const EntryView& entry, bool with_copies) {
    EntryBytes bytes;
    out.append(bytes.of(entry, with_copies));
}

EntryLoan::EntryLoan(const Entry& entry) {
    for (const store::Value& part : entry.key) key_.push_back(part.view());
    for (const store::Value& part : entry.pointer) pointer_.push_back(part.view());
    for (const store::NamedValue& copy : entry.copies) {
        copies_.push_back({copy.name, copy.value.view()});
    }
    view_ = {key_, pointer_, copies_, entry.key_version};
}

}  // namespace idxfsck::audit
