// Values, keys and rows as JSON.
//
// Promised: from(to(x)) == x for every value, key and row, damaged ones too; JSON that is none of
// them is refused without an exception. Method: values put together of the input, through text and
// back; then the input itself as a JSON document.

#include "audit/json_fields.hpp"
#include "store/error.hpp"
#include "store/json/value_json.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/target.hpp"

namespace idxfsck::tests {

namespace {

using store::BytesView;
using store::Json;

// Through the text of a file, as in a plan.
Json through_text(const Json& json) {
    const auto again = audit::parse_object("{\"it\":" + json.dump() + "}");
    store::ensure(again.has_value(), "what was written is JSON");
    return (*again)["it"];
}

void check_value(const store::Value& value) {
    const auto again = store::value_from_json(through_text(store::value_to_json(value)));
    store::ensure(again && *again == value, "a value comes back as it was");
    store::Bytes text;
    store::append_value_text(text, value, store::Numbers::exact);
    store::ensure(audit::parse_object("{\"it\":" + text + "}").has_value() ||
                      value.kind == store::Kind::number,
                  "the text of a value is JSON");
}

void check_row(const store::Row& row) {
    const auto again = store::row_from_json(through_text(store::row_to_json(row)));
    store::ensure(again && *again == row, "a row comes back as it was");
}

void check_document(BytesView text) {
    const auto json = audit::parse_object(text);
    if (!json) return;
    for (const auto& [name, member] : json->items()) {
        if (const auto value = store::value_from_json(member)) check_value(*value);
        if (const auto row = store::row_from_json(member)) check_row(*row);
        if (const auto key = store::key_from_json(member)) {
            const auto again = store::key_from_json(through_text(store::key_to_json(*key)));
            store::ensure(again && *again == *key, "a key comes back as it was");
        }
    }
}

}  // namespace

void fuzz_values(BytesView bytes) {
    check_document(bytes);
    Input input{bytes};
    check_value(input.any_value());
    check_value(input.key_value());
    store::Row row;
    row.key = input.key(1 + input.below(2));
    row.version = input.piece();
    row.attributes = store::encode_attributes(input.attributes(4));
    check_row(row);
    row.attributes = input.rest();
    check_row(row);
}

}  // namespace idxfsck::tests
