#include "store/azure_tables/table_scan_walk.hpp"

#include <algorithm>

#include "store/digest.hpp"
#include "store/http/url_text.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t select_bytes_max = 4096;
constexpr std::size_t damaged_bytes_max = 1024;
constexpr std::size_t service_rows_max = 1000;

// What a property may be called, as far as ASCII goes. Another server may have other names: these
// are fetched with everything.
bool is_plain_name(BytesView name) {
    const auto fits = [](char c) {
        return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
               (c >= 'a' && c <= 'z') || static_cast<std::uint8_t>(c) >= 0x80;
    };
    return !name.empty() && std::all_of(name.begin(), name.end(), fits);
}

std::optional<Bytes> part_in(const HttpResult& result, BytesView name) {
    for (const HttpHeader& header : result.headers) {
        if (header.name == name) return header.value;
    }
    return std::nullopt;
}

}  // namespace

Continuation continuation_in(const HttpResult& result) {
    return {part_in(result, "x-ms-continuation-nextpartitionkey"),
            part_in(result, "x-ms-continuation-nextrowkey"),
            part_in(result, "x-ms-continuation-nexttablename")};
}

std::string_view take_page(HttpResult& result, std::vector<BytesView>& entities) {
    result.body.reserve(result.body.size() + line_padding);
    return entities_in(result.body, entities);
}

Bytes filter_query(BytesView condition) {
    return condition.empty() ? Bytes{} : "$filter=" + url_encoded(condition);
}

Bytes select_query(const Projection& projection) {
    if (projection.all) return {};
    std::vector<Bytes> names = entity_key_names();
    for (const Bytes& name : projection.names) {
        if (!is_plain_name(name)) return {};
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    Bytes out = "$select=";
    for (const Bytes& name : names) {
        out.append(out.back() == '=' ? "" : ",").append(url_encoded(name));
    }
    return out.size() <= select_bytes_max ? out : Bytes{};
}

TableScanWalk::TableScanWalk(TablesApi& api, BytesView table, const ScanOptions& options)
    : api_{api},
      table_{table},
      projection_{options.projection ? *options.projection : whole_},
      page_rows_max_{std::max<std::size_t>(options.page_rows_max, 1)},
      ordered_{!api.access().cosmos},
      projector_{entity_key_names(), projection_},
      fixed_{select_query(projection_)} {
    if (!ordered_ && page_rows_max_ < service_rows_max) {
        fixed_.append(fixed_.empty() ? "" : "&").append("$top=");
        fixed_.append(std::to_string(page_rows_max_));
    }
}

ScanEnd TableScanWalk::run(const Partition& partition, const ScanPlace& from, RowSink& sink) {
    const auto end = [&] {
        return sink.page_end(end_position(partition)) ? ScanEnd::complete : ScanEnd::stopped;
    };
    range_ = from.range;
    legs_ = legs_of(range_);
    last_ = range_.begin;
    if (from.ended || from.leg >= legs_.size()) return end();
    Step step{from.leg, from.next};
    TablesApi::Pending pending = ask(step);
    while (true) {
        const Page page = take(std::move(pending), step);
        std::optional<Error> refused;
        if (page.following) pending = ask_next(*page.following, refused);
        if (!hand_over(page, sink)) return ScanEnd::stopped;
        if (!page.following) return end();
        step = *page.following;
        // A leg in which there is nothing is no page.
        const bool is_page = !page.entities.empty() || step.next.more();
        const bool on = !is_page || sink.page_end(ordered_ ? row_position(last_)
                                                           : page_position(step.leg, step.next));
        if (!on) return ScanEnd::stopped;
        if (refused) throw *refused;
    }
}

// Where the run ends what may be read, the page before it is still handed over.
TablesApi::Pending TableScanWalk::ask_next(const Step& step, std::optional<Error>& refused) {
    try {
        return ask(step);
    } catch (const Error& error) {
        if (error.trouble() != Trouble::stopped) throw;
        refused = error;
        return {};
    }
}

TablesApi::Pending TableScanWalk::ask(const Step& step) {
    Bytes query = filter_query(legs_[step.leg]);
    for (const Bytes& part : {fixed_, step.next.query()}) {
        query.append(query.empty() || part.empty() || part[0] == '&' ? "" : "&").append(part);
    }
    if (query.starts_with('&')) query.erase(0, 1);
    const Bytes token = digest(step.next.query());
    if (step.next.more() && !seen_.emplace(step.leg, token).second) refuse_token(step);
    return api_.begin({"GET",
                       "/" + url_encoded(table_) + "()",
                       std::move(query),
                       {{"Accept", "application/json;odata=minimalmetadata"}},
                       {},
                       "Query Entities",
                       Bytes{table_},
                       ReadKind::scan});
}

void TableScanWalk::refuse_token(const Step& step) const {
    Bytes place = last_.partition_key;
    if (last_.row_key) place.append("/").append(*last_.row_key);
    throw Error{"a scan does not advance: a continuation came twice"}
        .with("store", api_.name())
        .with("leg", std::to_string(step.leg))
        .with("key", place);
}

TableScanWalk::Page TableScanWalk::take(TablesApi::Pending pending, const Step& step) {
    std::vector<BytesView> entities;
    TableReply reply = api_.finish(std::move(pending), [&](HttpResult& result) {
        return take_page(result, entities);
    });
    if (reply.fault) {
        throw fault_error("the table cannot be scanned", api_.name(), "Query Entities",
                          *reply.fault);
    }
    const Continuation next = continuation_in(reply.result);
    // A text as long as one with a row in it stays where it is when it is moved.
    return {std::move(reply.result), std::move(entities), after(step, next)};
}

std::optional<TableScanWalk::Step> TableScanWalk::after(const Step& step,
                                                        const Continuation& next) const {
    if (next.more()) return Step{step.leg, next};
    if (step.leg + 1 < legs_.size()) return Step{step.leg + 1, {}};
    return std::nullopt;
}

bool TableScanWalk::hand_over(const Page& page, RowSink& sink) {
    std::size_t since_report = 0;
    for (std::size_t index = 0; index < page.entities.size(); ++index) {
        hand_over_row(page.entities[index], sink);
        // The last report is that of the page.
        if (!ordered_ || ++since_report < page_rows_max_ || index + 1 == page.entities.size()) {
            continue;
        }
        if (!sink.page_end(row_position(last_))) return false;
        since_report = 0;
    }
    return true;
}

void TableScanWalk::hand_over_row(BytesView json, RowSink& sink) {
    if (!entities_.read(json).empty()) {
        sink.damaged(json.substr(0, damaged_bytes_max));
        return;
    }
    const BytesView partition_key = entities_.key()[0].payload;
    const BytesView row_key = entities_.key()[1].payload;
    if (ordered_) check_order(partition_key, row_key);
    RowView view = projector_.project(entities_.key(), entities_.attributes(), entities_.version());
    if (!projection_.all) view.attributes = {};
    sink.row(view);
    last_.partition_key.assign(partition_key);
    if (!last_.row_key) last_.row_key.emplace();
    last_.row_key->assign(row_key);
    last_.after = true;
}

void TableScanWalk::check_order(BytesView partition_key, BytesView row_key) {
    const bool asked = last_.is_before(partition_key, row_key) &&
                       (!range_.end || !range_.end->is_before(partition_key, row_key));
    if (asked) return;
    throw Error{"the table service gives a row out of order, or one that was not asked for"}
        .with("store", api_.name())
        .with("key", Bytes{partition_key} + "/" + Bytes{row_key});
}

}  // namespace idxfsck::store
