// Rows and entries as bytes.
//
// Promised: bytes that are no row are refused or stop the walk, and are never read past their end;
// what was encoded is decoded as it was, and the canonical bytes of an entry give the entry back.
// Method: the input as stored bytes of each kind; then rows and entries put together of it.

#include "audit/entry_bytes.hpp"
#include "store/error.hpp"
#include "store/rocksdb/row_format.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/target.hpp"

namespace idxfsck::tests {

namespace {

using store::Bytes;
using store::BytesView;
using store::Kind;
using store::Value;
using store::ValueView;

void walk(const ValueView& value, int depth) {
    if (!store::is_container(value.kind) || depth == 0) return;
    store::ElementCursor cursor{value};
    while (cursor.next()) walk(cursor.value(), depth - 1);
}

void check_hostile_attributes(BytesView bytes) {
    store::AttributeCursor cursor{bytes};
    while (cursor.next()) walk(cursor.value(), 100);
    const bool sound = store::well_formed(bytes);
    store::ensure(!sound || !cursor.damaged(), "well-formed attributes are walked to their end");
    const std::vector<store::NamedValue> attributes = store::decode_attributes(bytes);
    if (sound) {
        store::ensure(store::encode_attributes(attributes) == bytes,
                      "attributes that are well formed have one spelling");
    }
    const std::vector<Bytes> key_names{"id"};
    store::Projection projection;
    projection.slot("id");
    projection.slot("b");
    projection.slot("a");
    projection.all = true;
    store::Projector projector{key_names, projection};
    const Value id = Value::text("x");
    const ValueView key[] = {id.view()};
    projector.project(key, bytes, "v");
}

void check_row_value(BytesView bytes) {
    BytesView version;
    BytesView attributes;
    if (!store::parse_row_value(bytes, version, attributes)) return;
    Bytes again;
    store::append_row_value(again, version, attributes);
    store::ensure(again == bytes, "a stored row has one spelling");
}

void check_entry_bytes(BytesView bytes) {
    const std::optional<audit::Entry> entry = audit::read_entry_bytes(bytes);
    if (!entry) return;
    audit::EntryBytes writer;
    const Bytes written{writer.of(audit::EntryLoan{*entry}.view(), true)};
    const auto again = audit::read_entry_bytes(written);
    store::ensure(again && again->same_claim(*entry) && again->same_copies(*entry),
                  "the bytes of an entry give it back");
}

void check_attributes(Input input) {
    const Bytes encoded = store::encode_attributes(input.attributes(4));
    store::ensure(store::well_formed(encoded), "encoded attributes are well formed");
    const std::vector<store::NamedValue> attributes = store::decode_attributes(encoded);
    store::ensure(store::encode_attributes(attributes) == encoded,
                  "attributes come back as they were");
    store::Row row{{Value::text("k")}, encoded, {}};
    for (const store::NamedValue& named : attributes) {
        store::ensure(row.attribute(named.name).has_value(), "every attribute is found");
        row.set(named.name, {});
        store::ensure(!row.attribute(named.name), "an attribute that was removed is gone");
    }
    store::ensure(row.attributes.empty(), "without its attributes a row has none");
}

void check_entry(Input input) {
    audit::Entry entry;
    entry.key = input.key(1 + input.below(3));
    for (std::size_t left = input.below(3); left > 0; --left) {
        entry.pointer.push_back(input.key_value());
    }
    const Bytes encoded = store::encode_attributes(input.attributes(3));
    entry.copies = store::decode_attributes(encoded);
    audit::EntryBytes writer;
    const Bytes written{writer.of(audit::EntryLoan{entry}.view(), true)};
    const auto again = audit::read_entry_bytes(written);
    if (!again) return;
    store::ensure(again->same_claim(entry), "the bytes of an entry give its claim back");
}

}  // namespace

void fuzz_rows(BytesView bytes) {
    check_hostile_attributes(bytes);
    check_row_value(bytes);
    check_entry_bytes(bytes);
    check_attributes(Input{bytes});
    check_entry(Input{bytes});
}

}  // namespace idxfsck::tests
