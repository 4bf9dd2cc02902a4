#include "store/dynamodb/scan_walk.hpp"

#include <algorithm>

#include "store/digest.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::store {

namespace {

// What an expression may be, and what of a damaged item is kept for people.
constexpr std::size_t expression_bytes_max = 4096;
constexpr std::size_t damaged_bytes_max = 1024;
// A page is at most 1 MB and the item that it ends with, of 400 KB; a unit reads 4 KB, or twice as
// much if it need not be consistent.
constexpr UnitsRange page_units{0.5, 178.5};
constexpr UnitsRange consistent_page_units{1.0, 357.0};

// Who wants so few rows at a time may want no others: nothing is paid for beyond them.
constexpr std::size_t small_page_rows_max = 100;

// "ProjectionExpression":"#0,#1","ExpressionAttributeNames":{"#0":"…"}, or nothing if everything is
// wanted, or more than an expression can name. Names stand behind placeholders, as many are words
// that the service keeps for itself, or have dots in them.
Bytes projection_text(const Projection& projection, const std::vector<Bytes>& key_names) {
    if (projection.all) return {};
    std::vector<Bytes> names = projection.names;
    names.insert(names.end(), key_names.begin(), key_names.end());
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    // An attribute by such a name is nowhere.
    std::erase_if(names, [](const Bytes& name) { return name.empty() || !is_utf8(name); });
    Bytes expression;
    Bytes placeholders;
    for (std::size_t place = 0; place < names.size(); ++place) {
        const Bytes placeholder = "#" + std::to_string(place);
        expression.append(place > 0 ? "," : "").append(placeholder);
        placeholders.append(place > 0 ? ",\"" : "\"").append(placeholder).append("\":");
        append_json_string(placeholders, names[place]);
    }
    if (expression.size() > expression_bytes_max) return {};
    return ",\"ProjectionExpression\":\"" + expression + "\",\"ExpressionAttributeNames\":{" +
           placeholders + "}";
}

}  // namespace

ScanWalk::ScanWalk(DynamodbApi& api, const TableDescription& table, const ScanOptions& options,
                   bool consistent, Capacity& capacity)
    : api_{api},
      table_{table},
      projection_{options.projection ? *options.projection : whole_},
      page_rows_max_{std::max<std::size_t>(options.page_rows_max, 1)},
      consistent_{consistent},
      small_pages_{page_rows_max_ <= small_page_rows_max},
      capacity_{capacity},
      counts_{capacity.counts(table.schema.name)},
      items_{table.schema.key},
      projector_{table.schema.key, projection_} {
    fixed_ = "{\"TableName\":";
    append_json_string(fixed_, table.schema.name);
    fixed_.append(",\"ReturnConsumedCapacity\":\"TOTAL\"");
    if (consistent_) fixed_.append(",\"ConsistentRead\":true");
    fixed_.append(projection_text(projection_, table.schema.key));
    if (small_pages_) fixed_.append(",\"Limit\":").append(std::to_string(page_rows_max_));
}

ScanEnd ScanWalk::run(const SegmentPlace& from, RowSink& sink) {
    SegmentPlace place = from;
    if (place.ended) {
        const bool on = sink.page_end(segment_position(place));
        return on ? ScanEnd::complete : ScanEnd::stopped;
    }
    seen_.insert(digest(request(place)));
    std::optional<Flight> flight = send(request(place));
    while (true) {
        const ScanAnswer page = answer(std::move(*flight));
        flight.reset();
        std::optional<Error> refused;
        if (page.last_key && !small_pages_) flight = next_page(page, place, refused);
        if (!hand_over(page, place, sink)) {
            if (flight) flight->spending.abandon(table_.schema.name);
            return ScanEnd::stopped;
        }
        if (!page.last_key) return ScanEnd::complete;
        if (small_pages_) flight = next_page(page, place, refused);
        if (refused) throw *refused;
    }
}

ScanWalk::Flight ScanWalk::send(Bytes body) {
    Spending spending =
        capacity_.begin(ReadKind::scan, consistent_ ? consistent_page_units : page_units);
    return {api_.begin("Scan", std::move(body), &counts_), std::move(spending)};
}

std::optional<ScanWalk::Flight> ScanWalk::next_page(const ScanAnswer& page,
                                                    const SegmentPlace& place,
                                                    std::optional<Error>& refused) {
    SegmentPlace next = place;
    next.after = key_of(*page.last_key);
    Bytes body = request(next);
    if (!seen_.insert(digest(body)).second) {
        throw Error{"a scan does not advance: a key to go on from came twice"};
    }
    try {
        return send(std::move(body));
    } catch (const Error& error) {
        if (error.trouble() != Trouble::stopped) throw;
        refused = error;
        return std::nullopt;
    }
}

Bytes ScanWalk::request(const SegmentPlace& place) const {
    Bytes out = fixed_;
    if (place.segment.total > 1) {
        out.append(",\"Segment\":").append(std::to_string(place.segment.number));
        out.append(",\"TotalSegments\":").append(std::to_string(place.segment.total));
    }
    if (place.after) {
        out.append(",\"ExclusiveStartKey\":");
        append_key(out, table_.schema.key, *place.after);
    }
    out.push_back('}');
    return out;
}

ScanAnswer ScanWalk::answer(Flight flight) {
    Reply reply = api_.finish(std::move(flight.pending));
    if (reply.fault) {
        throw fault_error("the table cannot be scanned", api_.name(), "Scan", *reply.fault);
    }
    Decoded<ScanAnswer> decoded = scan_answer(reply.body);
    if (!decoded) {
        throw Error{"DynamoDB answers a scan in a way that makes no sense"}
            .with("store", api_.name())
            .with("cause", decoded.why_not);
    }
    flight.spending.settle({{table_.schema.name, decoded->units}});
    return std::move(*decoded);
}

// Of the table's own kinds: anything else would go on from somewhere else.
Key ScanWalk::key_of(BytesView json) {
    const std::string_view why_not = items_.read(json);
    Key key = items_.row().key;
    bool fits = why_not.empty();
    for (std::size_t index = 0; fits && index < key.size(); ++index) {
        fits = key[index].kind == table_.schema.key_kinds[index];
    }
    if (fits) return key;
    throw Error{"DynamoDB gives a key to go on from that is no key of the table"}
        .with("store", api_.name())
        .with("cause", why_not.empty() ? "another kind" : why_not);
}

bool ScanWalk::hand_over(const ScanAnswer& page, SegmentPlace& place, RowSink& sink) {
    std::size_t since_report = 0;
    for (std::size_t index = 0; index < page.items.size(); ++index) {
        const BytesView json = page.items[index];
        if (!items_.read(json).empty()) {
            sink.damaged(json.substr(0, damaged_bytes_max));
            continue;
        }
        RowView view = projector_.project(items_.key(), items_.attributes(), {});
        if (!projection_.all) view.attributes = {};
        sink.row(view);
        // The last report is that of the page.
        if (++since_report < page_rows_max_ || index + 1 == page.items.size()) continue;
        if (!report(place, items_.row().key, false, sink)) return false;
        since_report = 0;
    }
    if (page.last_key) return report(place, key_of(*page.last_key), false, sink);
    return report(place, place.after, true, sink);
}

bool ScanWalk::report(SegmentPlace& place, const std::optional<Key>& after, bool ended,
                      RowSink& sink) {
    place.after = after;
    place.ended = ended;
    return sink.page_end(segment_position(place));
}

}  // namespace idxfsck::store
