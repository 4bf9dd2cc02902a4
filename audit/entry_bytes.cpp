#include "audit/entry_bytes.hpp"

#include <algorithm>
#include <cstring>

#include "audit/copy_short.hpp"
#include "audit/language/ascii_case.hpp"
#include "store/schema.hpp"

namespace idxfsck::audit {

namespace {

// Deeper values than any store accepts keep their bytes as they are: recursion stays bounded.
constexpr int depth_max = 64;

// A varint is at most ten bytes.
constexpr std::size_t count_size_max = 10;

// One byte says how many parts key and pointer have, if neither has more than this.
constexpr std::size_t short_parts_max = 14;
constexpr std::uint8_t long_parts = 0xff;

// From here on, the first byte of a value says that it is a text, and its size.
constexpr std::uint8_t short_text = 0x40;
constexpr std::size_t short_text_max = 0xff - short_text;

}  // namespace

void EntryBytes::enlarge(std::size_t more) {
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

inline void EntryBytes::put_raw(store::BytesView bytes) {
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

inline void EntryBytes::put_counts(std::size_t key, std::size_t pointer) {
    grow(1 + 2 * count_size_max);
    if (std::max(key, pointer) <= short_parts_max) {
        buffer_[size_++] = static_cast<char>(key << 4 | pointer);
        return;
    }
    buffer_[size_++] = static_cast<char>(long_parts);
    put_count(key);
    put_count(pointer);
}

inline void EntryBytes::put_text(store::BytesView text) {
    if (text.size() > short_text_max) return put_sized(store::Kind::text, text);
    grow(1 + text.size());
    buffer_[size_] = static_cast<char>(short_text + text.size());
    copy_short(buffer_.get() + size_ + 1, text.data(), text.size());
    size_ += 1 + text.size();
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
    if (value.kind == store::Kind::text && depth == 0) {
        put_text(value.payload);
    } else if (store::is_numeric(value.kind)) {
        put_number(value);
    } else if (store::is_container(value.kind) && depth < depth_max) {
        put_container(value, depth);
    } else {
        put_sized(value.kind, value.payload);
    }
}

void EntryBytes::put(const EntryView& entry, bool with_copies) {
    size_ = 0;
    put_counts(entry.key.size(), entry.pointer.size());
    for (const store::ValueView& part : entry.key) put_value(part, 0);
    for (const store::ValueView& part : entry.pointer) put_value(part, 0);
    if (!with_copies) return;
    for (const NamedView& copy : entry.copies) {
        put_count(copy.name.size());
        put_raw(copy.name);
        put_value(copy.value, 0);
    }
}

// A value that is no short text, as it is.
bool EntryBytes::put_plain(const store::ValueView& value, const QuickPart& part) {
    const bool sized = value.kind == store::Kind::text || value.kind == store::Kind::binary;
    if (sized && (value.payload.empty() || value.payload.size() > part.bytes_max)) return false;
    if (!value.present() || value.kind == store::Kind::null || store::is_container(value.kind)) {
        return false;
    }
    if (!store::is_taken(value.kind, part.kind)) return false;
    put_value(value, 0);
    return true;
}

// A text of several pieces.
inline bool EntryBytes::put_joined(const QuickPart& part, const store::RowView& row) {
    grow(1 + short_text_max);
    const std::size_t head = size_++;
    std::size_t room = std::min(part.text_bytes_max, short_text_max);
    for (const QuickPiece& piece : part.pieces) {
        const bool literal = piece.from == QuickPiece::From::literal;
        const store::ValueView value =
            literal ? store::ValueView{store::Kind::text, piece.literal} : quick_source(piece, row);
        const std::size_t size = value.payload.size();
        if (value.kind != store::Kind::text || size == 0 || size > room) return false;
        room -= size;
        char* const to = buffer_.get() + size_;
        size_ += size;
        if (!piece.lower) {
            copy_short(to, value.payload.data(), size);
        } else if (!language::lower_ascii(to, value.payload.data(), size)) {
            return false;
        }
    }
    buffer_[head] = static_cast<char>(short_text + (size_ - head - 1));
    return true;
}

inline bool EntryBytes::put_part(const QuickPart& part, const store::RowView& row) {
    if (!part.is_value()) return put_joined(part, row);
    const QuickPiece& piece = part.pieces[0];
    const store::ValueView& value = quick_source(piece, row);
    const std::size_t size = value.payload.size();
    const bool short_one =
        value.kind == store::Kind::text && size > 0 &&
        size <= std::min(part.text_bytes_max, short_text_max);
    if (!short_one) return !piece.lower && put_plain(value, part);
    grow(1 + size);
    // Before any character is written: of those, the compiler fears that they change the size.
    char* const to = buffer_.get() + size_;
    size_ += 1 + size;
    to[0] = static_cast<char>(short_text + size);
    if (piece.lower) return language::lower_ascii(to + 1, value.payload.data(), size);
    copy_short(to + 1, value.payload.data(), size);
    return true;
}

inline bool EntryBytes::put_copies(const QuickEntry& plan, const store::RowView& row) {
    for (const QuickCopy& copy : plan.copies) {
        const QuickPart& part = copy.value;
        if (part.left_out && !quick_source(part.pieces[0], row).present()) continue;
        put_count(copy.name.size());
        put_raw(copy.name);
        if (!put_part(part, row)) return false;
    }
    return true;
}

bool EntryBytes::put(const QuickEntry& plan, const store::RowView& row) {
    size_ = 0;
    put_counts(plan.key.size(), plan.pointer.size());
    for (const QuickPart& part : plan.key) {
        if (!put_part(part, row)) return false;
    }
    for (const QuickPart& part : plan.pointer) {
        if (!put_part(part, row)) return false;
    }
    return put_copies(plan, row);
}

namespace {

bool take_value(store::BytesView& in, store::Value& value) {
    if (in.empty()) return false;
    const auto head = static_cast<std::uint8_t>(in[0]);
    store::ValueView view;
    if (head >= short_text) {
        in.remove_prefix(1);
        view.kind = store::Kind::text;
        if (!store::take_bytes(in, head - std::size_t{short_text}, view.payload)) return false;
    } else if (!store::take_element(in, view)) {
        return false;
    }
    value = store::Value{view};
    return true;
}

bool take_counts(store::BytesView& in, std::uint64_t& key, std::uint64_t& pointer) {
    if (in.empty()) return false;
    const auto head = static_cast<std::uint8_t>(in[0]);
    in.remove_prefix(1);
    key = head >> 4;
    pointer = head & 0xf;
    if (head != long_parts) return true;
    return store::take_varint(in, key) && store::take_varint(in, pointer);
}

bool take_parts(store::BytesView& in, std::uint64_t count, std::vector<store::Value>& parts) {
    if (count > in.size()) return false;
    parts.resize(count);
    return std::all_of(parts.begin(), parts.end(),
                       [&](store::Value& part) { return take_value(in, part); });
}

bool take_copy(store::BytesView& in, store::NamedValue& copy) {
    std::uint64_t size = 0;
    store::BytesView name;
    if (!store::take_varint(in, size) || !store::take_bytes(in, size, name)) return false;
    copy.name = name;
    return take_value(in, copy.value);
}

}  // namespace

std::optional<Entry> read_entry_bytes(store::BytesView bytes) {
    Entry entry;
    std::uint64_t key = 0;
    std::uint64_t pointer = 0;
    if (!take_counts(bytes, key, pointer)) return std::nullopt;
    if (!take_parts(bytes, key, entry.key)) return std::nullopt;
    if (!take_parts(bytes, pointer, entry.pointer)) return std::nullopt;
    while (!bytes.empty()) {
        store::NamedValue copy;
        if (!take_copy(bytes, copy)) return std::nullopt;
        entry.copies.push_back(std::move(copy));
    }
    return entry;
}

}  // namespace idxfsck::audit
