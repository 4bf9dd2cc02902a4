#include "audit/finding.hpp"

#include <array>
#include <tuple>

#include "store/digest.hpp"
#include "store/error.hpp"
#include "store/key_codec.hpp"

namespace idxfsck::audit {

namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, 7> kind_names{
    "orphaned_write", "stale_pointer", "divergent_copy",  "duplicate_claim",
    "collision",      "unindexable",   "malformed_entry",
};

constexpr std::array<std::string_view, 10> reason_names{
    "none",      "base_missing", "base_partial",  "value_changed",   "base_exempt",
    "unclaimed", "redundant",    "entry_missing", "entry_elsewhere", "older_version",
};

constexpr std::array<std::string_view, 20> damage_names{
    "none",
    "key_too_long",
    "key_empty",
    "key_null",
    "key_characters",
    "key_wrong_type",
    "key_number_not_text",
    "key_binary_not_text",
    "key_text_not_number",
    "key_binary_not_number",
    "key_text_not_binary",
    "key_number_not_binary",
    "attribute_missing",
    "attribute_wrong_type",
    "key_unreadable",
    "container_empty",
    "container_full",
    "container_expires_early",
    "row_undecodable",
    "member_twice",
};

static_assert(kind_names.size() == static_cast<std::size_t>(FindingKind::malformed_entry) + 1);
static_assert(reason_names.size() == static_cast<std::size_t>(Reason::older_version) + 1);
static_assert(damage_names.size() == static_cast<std::size_t>(Damage::member_twice) + 1);

template <typename Enumerator, typename Names>
std::optional<Enumerator> named(const Names& names, std::string_view name) {
    for (std::size_t index = 0; index < names.size(); ++index) {
        if (names[index] == name) return static_cast<Enumerator>(index);
    }
    return std::nullopt;
}

// The bytes by which a value sorts: those of the key codec where it has any. A finding may also
// hold what no store takes as a key, and that has to have a place too.
store::Bytes order_bytes(const store::Value& value) {
    store::Bytes out;
    try {
        store::append_key_component(out, value);
    } catch (const store::Error&) {
        out.assign(1, static_cast<char>(value.kind)).append(value.payload);
    }
    return out;
}

int compare(const store::Value& a, const store::Value& b) {
    if (a.kind != b.kind) return a.kind < b.kind ? -1 : 1;
    if (a.kind == store::Kind::text || a.kind == store::Kind::binary) {
        return a.payload.compare(b.payload);
    }
    return order_bytes(a).compare(order_bytes(b));
}

int compare(const std::vector<store::Value>& a, const std::vector<store::Value>& b) {
    for (std::size_t index = 0; index < a.size() && index < b.size(); ++index) {
        if (const int order = compare(a[index], b[index]); order != 0) return order;
    }
    return a.size() == b.size() ? 0 : a.size() < b.size() ? -1 : 1;
}

const store::Key& base_key(const Finding& finding) {
    static const store::Key none;
    return finding.base ? finding.base->key : none;
}

}  // namespace

std::string_view kind_name(FindingKind kind) {
    return kind_names.at(static_cast<std::size_t>(kind));
}

std::string_view reason_name(Reason reason) {
    return reason_names.at(static_cast<std::size_t>(reason));
}

std::string_view damage_name(Damage damage) {
    return damage_names.at(static_cast<std::size_t>(damage));
}

std::optional<FindingKind> kind_of(std::string_view name) {
    return named<FindingKind>(kind_names, name);
}

std::optional<Reason> reason_of(std::string_view name) {
    return named<Reason>(reason_names, name);
}

std::optional<Damage> damage_of(std::string_view name) {
    return named<Damage>(damage_names, name);
}

bool report_order(const Finding& a, const Finding& b) {
    if (const int order = a.index.compare(b.index); order != 0) return order < 0;
    if (a.kind != b.kind) return a.kind < b.kind;
    if (const int order = compare(a.entry.key, b.entry.key); order != 0) return order < 0;
    if (const int order = compare(a.entry.pointer, b.entry.pointer); order != 0) return order < 0;
    if (const int order = compare(base_key(a), base_key(b)); order != 0) return order < 0;
    return std::tie(a.reason, a.damage, a.attribute, a.id) <
           std::tie(b.reason, b.damage, b.attribute, b.id);
}

void set_id(Finding& finding) {
    store::Bytes bytes;
    for (const std::string_view part : {std::string_view{finding.index}, kind_name(finding.kind),
                                        reason_name(finding.reason)}) {
        store::append_varint(bytes, part.size());
        bytes.append(part);
    }
    append_entry_bytes(bytes, EntryLoan{finding.entry}.view(), false);
    // What cannot be a key has no entry to be told apart by: its base row does that.
    if (finding.damage != Damage::none) {
        bytes.append(damage_name(finding.damage)).append(1, '\0').append(finding.attribute);
        Entry base;
        base.key = base_key(finding);
        append_entry_bytes(bytes, EntryLoan{base}.view(), false);
    }
    finding.id = store::digest(bytes).substr(0, 16);
}

}  // namespace idxfsck::audit
