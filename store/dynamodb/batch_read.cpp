#include "store/dynamodb/batch_read.hpp"

#include <algorithm>

#include "store/json/scalar_text.hpp"
#include "store/key_codec.hpp"
#include "store/key_range.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t keys_max = 100;
constexpr std::size_t chunks_in_flight_max = 16;
constexpr std::size_t partition_key_bytes_max = 2048;
constexpr std::size_t sort_key_bytes_max = 1024;
// Of a row, read consistently: one that is not there, and an item of 400 KB; an answer is at most
// 16 MB.
constexpr UnitsRange row_units{1.0, 100.0};
constexpr double answer_units_max = 4096.0;

}  // namespace

std::optional<Key> possible_key(const TableDescription& table, const Key& key) {
    std::optional<Row> row = dynamodb_row({key, {}, {}});
    if (!row || row->key.size() != table.schema.key_kinds.size()) return std::nullopt;
    for (std::size_t place = 0; place < row->key.size(); ++place) {
        const Value& component = row->key[place];
        const std::size_t bytes_max =
            place == 0 ? partition_key_bytes_max : sort_key_bytes_max;
        const bool fits = component.kind == table.schema.key_kinds[place] &&
                          !component.payload.empty() && component.payload.size() <= bytes_max;
        if (!fits) return std::nullopt;
    }
    return std::move(row->key);
}

std::vector<std::optional<Row>> BatchRead::read(std::span<const RowName> names) {
    std::vector<const Wanted*> places;
    for (const RowName& name : names) {
        const TableDescription& table = table_of(name.table);
        static_cast<void>(encode_key_of(table.schema, name.key));
        const std::optional<Key> key = possible_key(table, name.key);
        places.push_back(nullptr);
        if (!key) continue;
        Wanted& wanted = wanted_[{name.table, encode_key(*key)}];
        wanted.key = *key;
        places.back() = &wanted;
    }
    Chunk left;
    for (auto& place : wanted_) left.push_back(&place);
    Backoff waits = api_.backoff();
    while (!left.empty()) {
        left = ask(left);
        if (left.empty() || waits.wait()) continue;
        if (waits.stopped()) throw api_.stopped_error("BatchGetItem");
        refuse("keys are left unprocessed to the end");
    }
    std::vector<std::optional<Row>> out;
    for (const Wanted* const place : places) {
        out.push_back(place == nullptr ? std::nullopt : place->row);
    }
    return out;
}

BatchRead::Chunk BatchRead::ask(const Chunk& all) {
    Chunk again;
    std::vector<Flight> flights;
    for (std::size_t begin = 0; begin < all.size(); begin += keys_max) {
        const std::size_t end = std::min(begin + keys_max, all.size());
        Chunk chunk{all.begin() + std::ptrdiff_t(begin), all.begin() + std::ptrdiff_t(end)};
        Bytes body = request(chunk);
        RequestCounts& counts = capacity_.counts(chunk.front()->first.first);
        Spending spending = begin_spending(chunk.size(), flights, again);
        flights.push_back({std::move(chunk), api_.begin("BatchGetItem", std::move(body), &counts),
                           std::move(spending)});
        if (flights.size() == chunks_in_flight_max) land(flights, again);
    }
    land(flights, again);
    return again;
}

void BatchRead::land(std::vector<Flight>& flights, Chunk& again) {
    for (Flight& flight : flights) take(finish(flight), flight, again);
    flights.clear();
}

Spending BatchRead::begin_spending(std::size_t keys, std::vector<Flight>& flights,
                                   Chunk& again) {
    const auto rows = static_cast<double>(keys);
    const UnitsRange units{rows * row_units.min,
                           std::min(rows * row_units.max, answer_units_max)};
    if (auto spending = capacity_.try_begin(ReadKind::point, units)) {
        return std::move(*spending);
    }
    land(flights, again);
    return capacity_.begin(ReadKind::point, units);
}

Reply BatchRead::finish(Flight& flight) {
    try {
        return api_.finish(std::move(flight.pending));
    } catch (Error& error) {
        error.with("table", flight.chunk.front()->first.first);
        throw;
    }
}

const TableDescription& BatchRead::table_of(const Bytes& name) {
    const auto found = known_.find(name);
    if (found != known_.end()) return found->second;
    return known_.emplace(name, tables_.get(name)).first->second;
}

Bytes BatchRead::request(const Chunk& chunk) {
    std::map<Bytes, Bytes> keys;
    for (const Places::value_type* const place : chunk) {
        const auto& [table, encoded] = place->first;
        Bytes& list = keys[table];
        if (!list.empty()) list.push_back(',');
        append_key(list, table_of(table).schema.key, place->second.key);
    }
    Bytes out = "{\"ReturnConsumedCapacity\":\"TOTAL\",\"RequestItems\":{";
    bool first = true;
    for (const auto& [table, list] : keys) {
        if (!first) out.push_back(',');
        first = false;
        append_json_string(out, table);
        out.append(":{\"ConsistentRead\":true,\"Keys\":[").append(list).append("]}");
    }
    return out.append("}}");
}

// Of the tables that were asked for, no others.
const std::vector<Bytes>& BatchRead::names_of(const Bytes& table) const {
    const auto found = known_.find(table);
    if (found == known_.end()) refuse("a table that was not asked for");
    return found->second.schema.key;
}

void BatchRead::take(const Reply& reply, Flight& flight, Chunk& again) {
    const Chunk& chunk = flight.chunk;
    if (reply.fault) {
        throw fault_error("rows cannot be read", api_.name(), "BatchGetItem", *reply.fault)
            .with("table", chunk.front()->first.first);
    }
    const Decoded<BatchAnswer> answer = batch_answer(reply.body);
    if (!answer) refuse(answer.why_not);
    // What the answer says of no table that was asked for is the first one's.
    std::map<Bytes, double> units;
    for (const auto& [table, of_table] : answer->units) {
        units[known_.contains(table) ? table : chunk.front()->first.first] += of_table;
    }
    flight.spending.settle(units);
    std::size_t unprocessed = 0;
    for (const auto& [table, keys] : answer->unprocessed) {
        ItemReader items{names_of(table)};
        for (const Bytes& json : keys) {
            Places::value_type* const place = find(table, json, items);
            const bool asked = std::find(chunk.begin(), chunk.end(), place) != chunk.end();
            if (!asked || ++unprocessed > chunk.size()) refuse("a key that was not asked for");
            again.push_back(place);
        }
    }
    for (const auto& [table, rows] : answer->items) {
        ItemReader items{names_of(table)};
        for (const Bytes& json : rows) take_row(table, json, items);
    }
}

void BatchRead::take_row(const Bytes& table, BytesView json, ItemReader& items) {
    Places::value_type* const place = find(table, json, items);
    if (place == nullptr) refuse("a row that was not asked for");
    place->second.row = items.row();
}

BatchRead::Places::value_type* BatchRead::find(const Bytes& table, BytesView json,
                                               ItemReader& items) {
    const std::string_view why_not = items.read(json);
    if (!why_not.empty()) refuse(why_not);
    const auto found = wanted_.find({table, encode_key(items.key())});
    return found == wanted_.end() ? nullptr : &*found;
}

void BatchRead::refuse(std::string_view cause) const {
    throw Error{"DynamoDB answers a read in a way that makes no sense"}
        .with("store", api_.name())
        .with("cause", cause);
}

}  // namespace idxfsck::store
