#include "audit/live_rows.hpp"

#include <array>
#include <charconv>

#include "store/error.hpp"
#include "store/key_codec.hpp"

namespace idxfsck::audit {

namespace {

// Can a table hold a row under this key? A pointer is data: it may be a list, or a number that is
// none.
bool can_be_key(const store::Key& key) {
    store::Bytes scratch;
    for (const store::Value& part : key) {
        if (part.kind == store::Kind::absent || store::is_container(part.kind)) return false;
        if (store::is_numeric(part.kind) && !store::canonical_number(part.view(), scratch)) {
            return false;
        }
    }
    return !key.empty();
}

bool has_numbers(const store::Key& key) {
    for (const store::Value& part : key) {
        if (store::is_numeric(part.kind)) return true;
    }
    return false;
}

// The same number as another numeric kind, or nothing if it does not fit.
std::optional<store::Value> as_kind(const store::Value& value, store::Kind kind) {
    if (!store::is_numeric(value.kind) || value.kind == kind) return value;
    store::Bytes scratch;
    const store::Bytes text{*store::canonical_number(value.view(), scratch)};
    if (kind == store::Kind::number) return store::Value::number(text);
    const char* const end = text.data() + text.size();
    if (kind == store::Kind::real) {
        double real = 0;
        const auto read = std::from_chars(text.data(), end, real);
        return read.ptr == end ? std::optional{store::Value::real(real)} : std::nullopt;
    }
    std::int64_t integer = 0;
    const auto read = std::from_chars(text.data(), end, integer);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    if (kind == store::Kind::int64) return store::Value::int64(integer);
    if (integer != static_cast<std::int32_t>(integer)) return std::nullopt;
    return store::Value::int32(static_cast<std::int32_t>(integer));
}

constexpr std::array numeric_kinds{store::Kind::number, store::Kind::int64, store::Kind::int32,
                                   store::Kind::real};

// An index may keep as a decimal what the base table has as an integer: they are one number to the
// audit, but two keys to the store. So a key with numbers is looked for in every numeric kind.
std::vector<store::Key> spellings(const store::Key& key) {
    std::vector<store::Key> result{key};
    if (!has_numbers(key)) return result;
    for (const store::Kind kind : numeric_kinds) {
        store::Key other;
        for (const store::Value& part : key) {
            const auto converted = as_kind(part, kind);
            if (converted) other.push_back(*converted);
        }
        if (other.size() == key.size() && other != key) result.push_back(std::move(other));
    }
    return result;
}

}  // namespace

LiveRows::LiveRows(const Programs& programs, const TableReaders& readers)
    : programs_{programs}, readers_{readers}, tables_(programs.tables.size()) {}

void LiveRows::want(std::size_t table, const store::Key& key) {
    if (!can_be_key(key)) return;
    for (const store::Key& spelling : spellings(key)) want_spelling(tables_[table], spelling);
}

void LiveRows::want_spelling(Table& table, const store::Key& key) {
    const auto [place, is_new] = table.rows.try_emplace(store::encode_key(key));
    if (is_new) table.wanted.push_back(key);
}

void LiveRows::fetch() {
    for (std::size_t number = 0; number < tables_.size(); ++number) {
        Table& table = tables_[number];
        if (table.wanted.empty()) continue;
        auto rows = readers_[number]->read(programs_.tables[number].schema.name, table.wanted);
        store::ensure(rows.size() == table.wanted.size(), "one answer for each key");
        for (std::size_t position = 0; position < rows.size(); ++position) {
            table.rows[store::encode_key(table.wanted[position])] = std::move(rows[position]);
        }
        table.wanted.clear();
    }
}

const store::Row* LiveRows::row(std::size_t table, const store::Key& key) const {
    if (!can_be_key(key)) return nullptr;
    for (const store::Key& spelling : spellings(key)) {
        const auto found = tables_[table].rows.find(store::encode_key(spelling));
        store::ensure(found != tables_[table].rows.end(), "a row is fetched before it is used");
        if (found->second) return &*found->second;
    }
    return nullptr;
}

void LiveRows::clear() {
    for (Table& table : tables_) table = {};
}

}  // namespace idxfsck::audit
