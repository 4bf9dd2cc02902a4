// store/azure_tables/table_scan_walk.hpp
//
// A range of a table, leg after leg and page after page, handed to a sink.
//
// Shape    While the sink works on a page the next one is under way. Pages may be empty, and end
//          anywhere: a leg goes on until there is no continuation. Between two calls of page_end
//          are at most page_rows_max rows: where rows come in order any row is a place to go on
//          from, else pages of that size are asked for.
// Errors   Throws Error with `store`, `table` and `partition`. A continuation that comes twice is
//          one: such a scan would not end. So is, where there is an order, a row that breaks it or
//          was not asked for: what was skipped nobody could tell.
// Threads  Belongs to one thread.

#pragma once

#include <set>

#include "store/azure_tables/api.hpp"
#include "store/azure_tables/entity.hpp"
#include "store/azure_tables/table_place.hpp"
#include "store/reader.hpp"

namespace idxfsck::store {

// The next page of a query, as the headers of an answer say.
Continuation continuation_in(const HttpResult& result);

// Reserves what a parser reads beyond the end, and takes the page apart.
std::string_view take_page(HttpResult& result, std::vector<BytesView>& entities);

// "$filter=…", encoded; "" for no condition.
Bytes filter_query(BytesView condition);

// "$select=PartitionKey,RowKey,…", or "" if everything is wanted, or something that is no name.
Bytes select_query(const Projection& projection);

class TableScanWalk {
public:
    // `table` must outlive the walk, as must `options`.
    TableScanWalk(TablesApi& api, BytesView table, const ScanOptions& options);

    ScanEnd run(const Partition& partition, const ScanPlace& from, RowSink& sink);

private:
    // A page that is asked for.
    struct Step {
        std::size_t leg = 0;
        Continuation next;
    };
    struct Page {
        HttpResult result;
        std::vector<BytesView> entities;
        std::optional<Step> following;  // nothing: this was the last
    };

    TablesApi::Pending ask(const Step& step);
    TablesApi::Pending ask_next(const Step& step, std::optional<Error>& refused);
    Page take(TablesApi::Pending pending, const Step& step);
    std::optional<Step> after(const Step& step, const Continuation& next) const;
    // False if the sink has stopped the scan.
    bool hand_over(const Page& page, RowSink& sink);
    void hand_over_row(BytesView json, RowSink& sink);
    void check_order(BytesView partition_key, BytesView row_key);
    [[noreturn]] void refuse_token(const Step& step) const;

    TablesApi& api_;
    const BytesView table_;
    const Projection whole_{{}, true};
    const Projection& projection_;
    const std::size_t page_rows_max_;
    const bool ordered_;
    EntityReader entities_;
    Projector projector_;
    Bytes fixed_;  // the part of the query that is the same for all pages
    PlaceRange range_;
    std::vector<Bytes> legs_;
    TablePlace last_;  // where the scan stands
    std::set<std::pair<std::size_t, Bytes>> seen_;  // digests of continuations, by leg
};

}  // namespace idxfsck::store
