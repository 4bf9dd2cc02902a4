// What table services say: pages of rows, rows, refusals, batches; and the tokens of scans.
//
// Promised: no bytes crash a parser; a row that is taken is whole, and is written and read back as
// it was, or is refused with a reason; a token means one place, whose conditions are three at most,
// and places between two places lie between them; of a batch that failed one of its operations is
// the reason, or none. Method: the input as a page, a refusal, an answer to a batch, a token and a
// position, and each of its lines as a row; and places put together of it.

#include "store/azure_tables/api.hpp"
#include "store/azure_tables/batch_text.hpp"
#include "store/azure_tables/entity.hpp"
#include "store/azure_tables/key_model.hpp"
#include "store/azure_tables/table_place.hpp"
#include "store/error.hpp"
#include "store/json/scalar_text.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/target.hpp"

namespace idxfsck::tests {

namespace {

using store::Bytes;
using store::BytesView;
using store::PlaceRange;
using store::TablePlace;

// With the bytes behind its end that the parsers read over.
Bytes padded(BytesView text) {
    Bytes out{text};
    out.reserve(out.size() + store::line_padding);
    return out;
}

// `json` has those bytes.
void check_entity(BytesView json) {
    store::EntityReader entities;
    if (!entities.read(json).empty()) return;
    const store::Row row = entities.row();
    store::ensure(store::well_formed(row.attributes), "a row that was read is whole");
    const store::HeldRow held = store::held_row(row);
    store::ensure(held.row.has_value() == held.why_not.empty(), "a row is kept or refused");
    if (!held.row) return;
    store::ensure(*held.row == row, "a row that was read is as it is kept");
    const Bytes text = padded(store::entity_text(row));
    store::EntityReader again;
    store::ensure(again.read(text).empty(), "a row that was read can be written and read");
    store::ensure(again.row().key == row.key && again.row().attributes == row.attributes,
                  "a row is read back as it was written");
}

void check_page(BytesView bytes) {
    const Bytes body = padded(bytes);
    std::vector<BytesView> rows;
    if (!store::entities_in(body, rows).empty()) return;
    for (const BytesView row : rows) {
        store::ensure(row.data() >= body.data() &&
                          row.data() + row.size() <= body.data() + body.size(),
                      "the rows of a page stand in it");
        check_entity(row);
    }
}

void check_fault(const store::TableFault& fault) {
    store::ensure(fault.code.size() <= 100 && fault.message.size() <= 1'000,
                  "what is shown of a refusal is short");
    store::ensure(fault.message.find('\n') == Bytes::npos, "it is one line");
}

// The boundary is that of the seeds, or what the first line says it is.
void check_batch(BytesView bytes) {
    constexpr std::size_t operations = 2;
    const BytesView line = bytes.substr(0, bytes.find('\n'));
    for (const BytesView type : {BytesView{"multipart/mixed; boundary=b"}, line}) {
        const store::HttpResult result{
            202, {{"content-type", Bytes{type}}}, Bytes{bytes}, {}, false};
        store::BatchAnswer answer;
        if (!store::read_batch_answer(result, operations, answer).empty()) continue;
        store::ensure(!answer.done || !answer.failed, "what was done did not fail");
        store::ensure(answer.failed.value_or(0) < operations, "an operation of the batch failed");
    }
}

bool is_text(const TablePlace& place) {
    return store::is_utf8(place.partition_key) && store::is_utf8(place.row_key.value_or(Bytes{}));
}

// Places that lie between, whatever the two are; in order where they are text.
void check_between(const PlaceRange& range) {
    store::ensure(store::legs_of(range).size() <= 3, "a range has three legs at most");
    if (range.end && store::compare_places(range.begin, *range.end) >= 0) return;
    const std::vector<TablePlace> places = store::places_between(range.begin, range.end, 5);
    store::ensure(places.size() <= 5, "no more places than were asked for");
    static_cast<void>(store::places_behind_prefixes(range.begin, 5));
    if (!is_text(range.begin) || (range.end && !is_text(*range.end))) return;
    const TablePlace* last = &range.begin;
    for (const TablePlace& place : places) {
        store::ensure(store::compare_places(*last, place) < 0, "places between ascend");
        store::ensure(!range.end || store::compare_places(place, *range.end) < 0,
                      "places between lie before the end");
        last = &place;
    }
}

bool same_place(const store::ScanPlace& a, const store::ScanPlace& b) {
    return a.range == b.range && a.ended == b.ended && a.leg == b.leg && a.next == b.next;
}

void check_tokens(BytesView bytes) {
    const store::Partition whole = store::range_partition({});
    try {
        const store::ScanPlace place =
            store::parse_position({Bytes{bytes}, ""}, std::nullopt);
        const store::Partition same = store::rest_partition(place);
        store::ensure(same_place(store::parse_position(same, std::nullopt), place),
                      "a partition means one range");
        check_between(place.range);
    } catch (const store::Error&) {
        // Tokens that were not made here are refused.
    }
    try {
        const store::ScanPlace place =
            store::parse_position(whole, store::Position{Bytes{bytes}});
        if (place.ended) return;
        const store::Partition rest = store::rest_partition(place);
        store::ensure(same_place(store::parse_position(rest, std::nullopt), place),
                      "what is left is a partition");
        store::ensure(place.next.query().empty() != place.next.more(),
                      "a continuation that goes on is asked for");
    } catch (const store::Error&) {
    }
}

TablePlace place_from(Input& input) {
    TablePlace place{Bytes{input.piece()}, std::nullopt, false};
    const std::size_t kind = input.below(3);
    if (kind == 0) return place;
    place.row_key = Bytes{input.piece()};
    place.after = kind == 2;
    return place;
}

void check_places(BytesView bytes) {
    Input input{bytes};
    const TablePlace a = place_from(input);
    const TablePlace b = place_from(input);
    const auto order = store::compare_places(a, b);
    store::ensure((order < 0) == (store::compare_places(b, a) > 0), "an order has two sides");
    store::ensure((order == 0) == (a == b) || !is_text(a) || !is_text(b),
                  "places of one order are one place");
    if (order >= 0 || b.after) return;
    const PlaceRange range{a, b};
    const store::Partition partition = store::range_partition(range);
    store::ensure(store::parse_position(partition, std::nullopt).range == range,
                  "a partition is parsed as it was made");
    store::ensure(store::parse_position(partition, store::row_position(a)).range == range,
                  "a position is parsed as it was made");
    check_between(range);
}

}  // namespace

void fuzz_azure_tables(BytesView bytes) {
    check_page(bytes);
    check_fault(store::fault_in(400, bytes, ""));
    check_fault(store::fault_in(404, "{}", bytes));
    check_batch(bytes);
    for (const BytesView line : lines_of(bytes)) check_entity(padded(line));
    check_tokens(bytes);
    check_places(bytes);
}

}  // namespace idxfsck::tests
