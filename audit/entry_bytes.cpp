#include "audit/entry_bytes.hpp"

#include <algorithm>
#include <cstring>

namespace idxfsck::audit {

namespace {

// Deeper values than any store accepts keep their bytes as they are: recursion stays bounded.
constexpr int depth_max = 64;

// A varint is at most ten bytes.
constexpr std::size_t count_size_max = 10;

template <typename Word>
void copy_ends(char* to, const char* from, std::size_t size) {
    Word first;
    Word last;
    std::memcpy(&first, from, sizeof(Word));
    std::memcpy(&last, from + size - sizeof(Word), sizeof(Word));
    std::memcpy(to, &first, sizeof(Word));
    std::memcpy(to + size - sizeof(Word), &last, sizeof(Word));
}

struct Sixteen {
    std::uint64_t low, high;
};

// Keys are short: two overlapping words copy up to 32 bytes without a call or a loop.
void copy_short(char* to, const char* from, std::size_t size) {
    if (size > 32) {
        std::memcpy(to, from, size);
    } else if (size >= 16) {
        copy_ends<Sixteen>(to, from, size);
    } else if (size >= 8) {
        copy_ends<std::uint64_t>(to, from, size);
    } else if (size >= 4) {
        copy_ends<std::uint32_t>(to, from, size);
    } else {
        for (std::size_t index = 0; index < size; ++index) to[index] = from[index];
    }
}

}  // namespace

void EntryBytes::grow(std::size_t more) {
    if (capacity_ - size_ >= more) return;
    const std::size_t capacity = std::max<std::size_t>(256, (size_ + more) * 2);
    auto buffer = std::make_unique<char[]>(capacity);
    if (size_ > 0) std::memcpy(buffer.get(), buffer_.get(), size_);
    buffer_ = std::move(buffer);
    capacity_ = capacity;
}

void EntryBytes::put_count(std::size_t count) {
    grow(count_size_max);
    while (count >= 0x80) {
        buffer_[size_++] = static_cast<char>(count | 0x80);
        count >>= 7;
    }
    buffer_[size_++] = static_cast<char>(count);
}

void EntryBytes::put_raw(store::BytesView bytes) {
    grow(bytes.size());
    copy_short(buffer_.get() + size_, bytes.data(), bytes.size());
    size_ += bytes.size();
}

void EntryBytes::put_sized(store::Kind kind, store::BytesView payload) {
    grow(1 + count_size_max + payload.size());
    buffer_[size_++] = static_cast<char>(kind);
    put_count(payload.size());
    put_raw(payload);
}

void EntryBytes::put_number(const store::ValueView& value) {
    const auto text = store::canonical_number(value, number_);
    put_sized(store::Kind::number, text ? *text : value.payload);
}

void EntryBytes::put_container(const store::ValueView& value, int depth) {
    EntryBytes inner;
    store::ElementCursor cursor{value};
    while (cursor.next()) {
        if (value.kind == store::Kind::map) {
            inner.put_count(cursor.name().size());
            inner.put_raw(cursor.name());
        }
        inner.put_value(cursor.value(), depth + 1);
    }
    const store::BytesView rewritten{inner.buffer_.get(), inner.size_};
    put_sized(value.kind, cursor.damaged() ? value.payload : rewritten);
}

void EntryBytes::put_value(const store::ValueView& value, int depth) {
    if (store::is_numeric(value.kind)) {
        put_number(value);
    } else if (store::is_container(value.kind) && depth < depth_max) {
        put_container(value, depth);
    } else {
        put_sized(value.kind, value.payload);
    }
}

store::BytesView EntryBytes::of(const EntryView& entry, bool with_copies) {
    size_ = 0;
    put_count(entry.key.size());
    for (const store::ValueView& part : entry.key) put_value(part, 0);
    put_count(entry.pointer.size());
    for (const store::ValueView& part : entry.pointer) put_value(part, 0);
    if (with_copies) {
        put_count(entry.copies.size());
        for (const NamedView& copy : entry.copies) {
            put_count(copy.name.size());
            put_raw(copy.name);
            put_value(copy.value, 0);
        }
    }
    return {buffer_.get(), size_};
}

namespace {

bool take_value(store::BytesView& in, store::Value& value) {
    store::ValueView view;
    if (!store::take_element(in, view)) return false;
    value = store::Value{view};
    return true;
}

bool take_parts(store::BytesView& in, std::vector<store::Value>& parts) {
    std::uint64_t count = 0;
    if (!store::take_varint(in, count) || count > in.size()) return false;
    parts.resize(count);
    return std::all_of(parts.begin(), parts.end(),
                       [&](store::Value& part) { return take_value(in, part); });
}

bool take_copies(store::BytesView& in, std::vector<store::NamedValue>& copies) {
    std::uint64_t count = 0;
    if (!store::take_varint(in, count) || count > in.size()) return false;
    for (; count > 0; --count) {
        std::uint64_t size = 0;
        store::BytesView name;
        store::NamedValue copy;
        if (!store::take_varint(in, size) || !store::take_bytes(in, size, name)) return false;
        copy.name = name;
        if (!take_value(in, copy.value)) return false;
        copies.push_back(std::move(copy));
    }
    return true;
}

}  // namespace

std::optional<Entry> read_entry_bytes(store::BytesView bytes) {
    Entry entry;
    if (!take_parts(bytes, entry.key) || !take_parts(bytes, entry.pointer)) return std::nullopt;
    if (!take_copies(bytes, entry.copies) || !bytes.empty()) return std::nullopt;
    return entry;
}

}  // namespace idxfsck::audit
