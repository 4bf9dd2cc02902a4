#include "store/expectation.hpp"

#include <algorithm>

#include "store/error.hpp"
#include "store/key_codec.hpp"
#include "store/key_range.hpp"

namespace idxfsck::store {

namespace {

ValueView value_of(const Row& row, BytesView name, const TableSchema& schema) {
    const auto component = std::find(schema.key.begin(), schema.key.end(), name);
    const auto index = static_cast<std::size_t>(component - schema.key.begin());
    if (index < std::min(row.key.size(), schema.key.size())) return row.key[index];
    return row.attribute(name).value_or(ValueView{});
}

bool same_row(const Row& expected, const Row& row) {
    const bool same_version = expected.version.empty() || expected.version == row.version;
    return same_version && expected.attributes == row.attributes;
}

bool reaches(GuardReach reach, const GuardedWrite& write, const Guard& guard) {
    if (reach == GuardReach::store) return true;
    if (guard.table != write.table) return false;
    if (reach == GuardReach::row) return guard.key == write.key;
    return !guard.key.empty() && !write.key.empty() && guard.key[0] == write.key[0];
}

[[noreturn]] void refuse_key(BytesView reason, const TableSchema& schema, std::size_t index) {
    throw Error{"the store refuses this key"}
        .with("table", schema.name)
        .with("component", index < schema.key.size() ? schema.key[index] : Bytes{})
        .with("reason", reason);
}

std::size_t utf16_units(BytesView text) {
    std::size_t units = 0;
    for (const char character : text) {
        const auto byte = static_cast<std::uint8_t>(character);
        units += (byte & 0xc0) == 0x80 ? 0 : byte >= 0xf0 ? 2 : 1;
    }
    return units;
}

bool has_control(BytesView text) {
    for (std::size_t index = 0; index < text.size(); ++index) {
        const auto byte = static_cast<std::uint8_t>(text[index]);
        if (byte < 0x20 || byte == 0x7f) return true;
        // U+0080 to U+009F are C2 80 to C2 9F.
        const bool pair = byte == 0xc2 && index + 1 < text.size();
        if (pair && static_cast<std::uint8_t>(text[index + 1]) < 0xa0) return true;
    }
    return false;
}

}  // namespace

bool meets(const Expectation& expected, const std::optional<Row>& row, const TableSchema& schema) {
    if (std::holds_alternative<ExpectAbsent>(expected)) return !row;
    if (!row) return false;
    if (const auto* whole = std::get_if<ExpectRow>(&expected)) return same_row(whole->row, *row);
    for (const NamedValue& named : std::get<ExpectAttributes>(expected).attributes) {
        if (value_of(*row, named.name, schema) != named.value.view()) return false;
    }
    return true;
}

WriteOutcome judge(const GuardedWrite& write, const std::optional<Row>& row,
                   const TableSchema& schema) {
    const bool done = write.after ? row && row->attributes == write.after->attributes : !row;
    if (done) return WriteOutcome::already;
    return meets(write.expected, row, schema) ? WriteOutcome::applied : WriteOutcome::superseded;
}

void check_write(const GuardedWrite& write, const TableSchema& schema, GuardReach reach) {
    const Bytes key = encode_key_of(schema, write.key);
    if (write.after && encode_key_of(schema, write.after->key) != key) {
        throw Error{"a row is written under another key than its own"}.with("table", schema.name);
    }
    if (write.after && !well_formed(write.after->attributes)) {
        throw Error{"the attributes of a row to write are damaged"}.with("table", schema.name);
    }
    for (const Guard& guard : write.guards) {
        if (reaches(reach, write, guard)) continue;
        throw Error{"the store cannot guard a write by this row"}
            .with("table", guard.table)
            .with("key", readable_key(guard.key));
    }
}

void check_key(const KeyLimits& limits, const TableSchema& schema, const Key& key) {
    for (std::size_t index = 0; index < key.size(); ++index) {
        const Value& value = key[index];
        const BytesView payload = value.payload;
        if (value.kind == Kind::null && !limits.null) refuse_key("null", schema, index);
        if (limits.bytes_max && payload.size() > *limits.bytes_max) {
            refuse_key("too many bytes", schema, index);
        }
        if (value.kind != Kind::text) continue;
        if (payload.empty() && !limits.empty_text) refuse_key("empty text", schema, index);
        if (limits.characters_max && utf16_units(payload) > *limits.characters_max) {
            refuse_key("too many characters", schema, index);
        }
        if (payload.find_first_of(limits.forbidden) != BytesView::npos ||
            (!limits.control_characters && has_control(payload))) {
            refuse_key("a character that no key may hold", schema, index);
        }
    }
}

}  // namespace idxfsck::store
