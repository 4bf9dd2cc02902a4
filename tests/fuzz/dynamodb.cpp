// What servers say: answers of DynamoDB, and the profile files of AWS's tools.
//
// Promised: no bytes crash a parser; an answer that is taken has items that are rows or are refused
// with a reason; a row that was read is written and read back as it was. Method: the input as each
// kind of answer, and each of its lines as an item.

#include "store/aws/credentials.hpp"
#include "store/aws/profile_file.hpp"
#include "store/dynamodb/item.hpp"
#include "store/dynamodb/response.hpp"
#include "store/dynamodb/scan_token.hpp"
#include "store/dynamodb/table_description.hpp"
#include "store/error.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/target.hpp"

namespace idxfsck::tests {

namespace {

const std::vector<store::Bytes> key_names{"id", "n"};

void check_item(store::BytesView json) {
    store::ItemReader items{key_names};
    if (!items.read(json).empty()) return;
    const store::Row row = items.row();
    store::ensure(store::well_formed(row.attributes), "a row that was read is whole");
    store::ensure(store::dynamodb_row(row) == row, "a row that was read is as it is kept");
    store::Bytes text;
    store::append_item(text, key_names, row);
    store::ItemReader again{key_names};
    store::ensure(again.read(text).empty(), "a row that was read can be written and read");
    store::ensure(again.row() == row, "a row is read back as it was written");
}

void check_tokens(store::BytesView bytes) {
    const store::Partition whole = store::segment_partition({1, 7});
    try {
        const store::Position position{store::Bytes{bytes}};
        const store::SegmentPlace place = store::parse_place(whole, position);
        const store::Position same = store::segment_position(place);
        store::ensure(store::parse_place(whole, same) == place, "a position means one place");
        static_cast<void>(store::parse_place({store::Bytes{bytes}, ""}, position));
    } catch (const store::Error&) {
        // Tokens that were not made here are refused.
    }
}

}  // namespace

void fuzz_dynamodb(store::BytesView bytes) {
    if (const auto scan = store::scan_answer(bytes)) {
        for (const store::Bytes& item : scan->items) check_item(item);
        if (scan->last_key) check_item(*scan->last_key);
        store::ensure(scan->units >= 0.0, "units are a number");
    }
    if (const auto batch = store::batch_answer(bytes)) {
        for (const auto& [table, items] : batch->items) {
            for (const store::Bytes& item : items) check_item(item);
        }
    }
    static_cast<void>(store::cancellation_reasons(bytes));
    static_cast<void>(store::table_in(bytes));
    static_cast<void>(store::table_names_in(bytes));
    for (const store::BytesView line : lines_of(bytes)) check_item(line);
    check_tokens(bytes);
    store::Profiles profiles;
    store::add_profiles(profiles, bytes, store::ProfileFile::config);
    store::add_profiles(profiles, bytes, store::ProfileFile::credentials);
    try {
        static_cast<void>(store::credentials_from_json(bytes, "Token", "test"));
    } catch (const store::Error&) {
        // What gives no credentials says so.
    }
}

}  // namespace idxfsck::tests
