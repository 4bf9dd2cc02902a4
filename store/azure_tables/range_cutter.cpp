#include "store/azure_tables/range_cutter.hpp"

#include <algorithm>

#include "store/azure_tables/key_model.hpp"
#include "store/http/url_text.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t front_rows_max = 1000;
constexpr std::size_t rounds_max = 8;
constexpr std::size_t probes_min = 16;
constexpr std::size_t probes_max = 64;
// A server that reads long without finding anything answers with empty pages.
constexpr std::size_t pages_a_probe_max = 16;

// So many of them, as evenly as may be.
std::vector<TablePlace> chosen(std::vector<TablePlace> places, std::size_t wanted) {
    if (places.size() <= wanted) return places;
    std::vector<TablePlace> out;
    for (std::size_t number = 0; number < wanted; ++number) {
        const std::size_t place = (number + 1) * places.size() / (wanted + 1);
        out.push_back(std::move(places[std::min(place, places.size() - 1)]));
    }
    return out;
}

}  // namespace

RangeCuts RangeCutter::cut(const PlaceRange& range, std::size_t parts) {
    const Front front = read_front(range);
    if (front.keys.empty()) return {true, {}};
    if (parts < 2) return {};
    if (front.whole) {
        std::vector<TablePlace> places;
        for (std::size_t row = 1; row < front.keys.size(); ++row) {
            const auto& [partition_key, row_key] = front.keys[row];
            TablePlace place{partition_key, std::nullopt, false};
            if (partition_key == front.keys[row - 1].first) place.row_key = row_key;
            places.push_back(std::move(place));
        }
        return {false, chosen(std::move(places), parts - 1)};
    }
    const auto& [partition_key, row_key] = front.keys.back();
    return {false, explore({{partition_key, row_key, true}, range.end}, parts - 1)};
}

TablesApi::Pending RangeCutter::ask(const Bytes& leg, const Continuation& next,
                                    std::size_t rows_max) {
    Bytes query = filter_query(leg);
    query.append(query.empty() ? "" : "&").append("$select=PartitionKey,RowKey&$top=");
    query.append(std::to_string(rows_max)).append(next.query());
    return api_.begin({"GET",
                       "/" + url_encoded(table_) + "()",
                       std::move(query),
                       {{"Accept", "application/json;odata=minimalmetadata"}},
                       {},
                       "Query Entities",
                       Bytes{table_},
                       ReadKind::scan});
}

std::vector<std::pair<Bytes, Bytes>> RangeCutter::keys_in(TablesApi::Pending pending,
                                                          Continuation& next) {
    std::vector<BytesView> texts;
    TableReply reply = api_.finish(std::move(pending), [&](HttpResult& result) {
        return take_page(result, texts);
    });
    if (reply.fault) {
        throw fault_error("the table cannot be scanned", api_.name(), "Query Entities",
                          *reply.fault);
    }
    Continuation following = continuation_in(reply.result);
    if (following.more() && following == next) {
        throw Error{"a scan does not advance: a continuation came twice"}.with("store",
                                                                              api_.name());
    }
    next = std::move(following);
    std::vector<std::pair<Bytes, Bytes>> keys;
    for (const BytesView text : texts) {
        // The scan itself tells of rows that are none.
        if (!entities_.read(text).empty()) continue;
        keys.emplace_back(entities_.key()[0].payload, entities_.key()[1].payload);
    }
    return keys;
}

RangeCutter::Front RangeCutter::read_front(const PlaceRange& range) {
    Front out;
    for (const Bytes& leg : legs_of(range)) {
        Continuation next;
        do {
            if (out.keys.size() >= front_rows_max) return out;
            auto keys = keys_in(ask(leg, next, front_rows_max), next);
            std::move(keys.begin(), keys.end(), std::back_inserter(out.keys));
        } while (next.more());
    }
    out.whole = true;
    return out;
}

std::vector<TablePlace> RangeCutter::explore(const PlaceRange& range, std::size_t wanted) {
    std::vector<Gap> gaps{{range.begin, range.end, range.end, false}};
    for (std::size_t round = 0; round < rounds_max && gaps.size() <= wanted; ++round) {
        std::vector<Probe> probes = probes_for(gaps, std::clamp(wanted, probes_min, probes_max));
        if (probes.empty()) break;
        run(probes);
        gaps = refine(gaps, probes);
    }
    std::vector<TablePlace> places;
    for (std::size_t gap = 1; gap < gaps.size(); ++gap) places.push_back(gaps[gap].low);
    return chosen(std::move(places), wanted);
}

std::vector<RangeCutter::Probe> RangeCutter::probes_for(const std::vector<Gap>& gaps,
                                                        std::size_t count) const {
    const auto open = static_cast<std::size_t>(
        std::count_if(gaps.begin(), gaps.end(), [](const Gap& gap) { return !gap.done; }));
    std::vector<Probe> out;
    for (std::size_t number = 0; number < gaps.size() && open > 0; ++number) {
        const Gap& gap = gaps[number];
        if (gap.done) continue;
        const std::size_t share = std::max<std::size_t>(count / open, 2);
        std::vector<TablePlace> points = places_between(gap.low, gap.reach, share - share / 2);
        for (TablePlace& place : places_behind_prefixes(gap.low, share / 2)) {
            if (!gap.reach || compare_places(place, *gap.reach) < 0) points.push_back(place);
        }
        for (TablePlace& point : points) {
            std::vector<Bytes> legs = legs_of({point, gap.reach});
            out.push_back({number, std::move(point), std::move(legs), 0, {}, 0, false, {}});
        }
        if (out.size() >= probes_max) break;
    }
    return out;
}

void RangeCutter::run(std::vector<Probe>& probes) {
    const auto open = [](const Probe& probe) { return !probe.finished; };
    for (Probe& probe : probes) probe.finished = probe.legs.empty();
    while (std::any_of(probes.begin(), probes.end(), open)) {
        std::vector<std::pair<Probe*, TablesApi::Pending>> flight;
        for (Probe& probe : probes) {
            if (open(probe)) flight.emplace_back(&probe, ask(probe.legs[probe.leg], probe.next, 1));
        }
        for (auto& [probe, pending] : flight) step(*probe, std::move(pending));
    }
}

void RangeCutter::step(Probe& probe, TablesApi::Pending pending) {
    const auto keys = keys_in(std::move(pending), probe.next);
    ++probe.pages;
    if (!keys.empty()) {
        const auto& [partition_key, row_key] = keys.front();
        probe.found = TablePlace{partition_key, std::nullopt, false};
        // Anywhere else the first row found is the first of its partition.
        const bool inside = probe.point.row_key && partition_key == probe.point.partition_key;
        if (inside) probe.found->row_key = row_key;
        probe.finished = true;
    } else if (probe.next.more()) {
        probe.finished = probe.pages >= pages_a_probe_max;
        // Nothing was found out, but a part may begin anywhere.
        if (probe.finished) probe.found = probe.point;
    } else {
        probe.finished = ++probe.leg >= probe.legs.size();
    }
}

// Cuts each gap at the keys that were found in it, and lets it end where there were none.
std::vector<RangeCutter::Gap> RangeCutter::refine(const std::vector<Gap>& gaps,
                                                  const std::vector<Probe>& probes) {
    std::vector<Gap> out;
    for (std::size_t number = 0; number < gaps.size(); ++number) {
        Gap rest = gaps[number];
        bool asked = false;
        std::vector<const Probe*> found;
        for (const Probe& probe : probes) {
            if (probe.gap != number) continue;
            asked = true;
            if (probe.found) found.push_back(&probe);
            else if (!rest.reach || compare_places(probe.point, *rest.reach) < 0) {
                rest.reach = probe.point;
            }
        }
        std::sort(found.begin(), found.end(), [](const Probe* a, const Probe* b) {
            const auto order = compare_places(*a->found, *b->found);
            return order != 0 ? order < 0 : compare_places(a->point, b->point) < 0;
        });
        const std::optional<TablePlace> reach = rest.reach;
        for (const Probe* const probe : found) {
            const TablePlace& place = *probe->found;
            const bool inside = compare_places(rest.low, place) < 0 &&
                                (!rest.high || compare_places(place, *rest.high) < 0);
            if (!inside) continue;
            // Between the point and what was found behind it there is nothing.
            out.push_back({rest.low, place, probe->point, false});
            rest.low = place;
        }
        rest.reach = reach;
        rest.done = asked && found.empty() && reach == gaps[number].reach;
        out.push_back(std::move(rest));
    }
    return out;
}

}  // namespace idxfsck::store
