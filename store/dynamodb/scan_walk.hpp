// store/dynamodb/scan_walk.hpp
//
// One segment of a Scan, page after page, handed to a sink.
//
// Shape    While the sink works on a page the next one is under way. Between two calls of page_end
//          are at most page_rows_max rows: the key of any row is a place to go on from, so a page
//          of the service can be many of ours.
// Errors   Throws Error with `store`, `table` and `partition`. A key to go on from that comes twice
//          is one: such a scan would not end. Where the run may spend no more, a page that was
//          paid for is handed over before that is thrown.
// Threads  Belongs to one thread.

#pragma once

#include <set>

#include "store/dynamodb/api.hpp"
#include "store/capacity.hpp"
#include "store/dynamodb/item.hpp"
#include "store/dynamodb/response.hpp"
#include "store/dynamodb/scan_token.hpp"
#include "store/dynamodb/table_description.hpp"
#include "store/reader.hpp"

namespace idxfsck::store {

class ScanWalk {
public:
    ScanWalk(DynamodbApi& api, const TableDescription& table, const ScanOptions& options,
             bool consistent, Capacity& capacity);

    ScanEnd run(const SegmentPlace& from, RowSink& sink);

private:
    Bytes request(const SegmentPlace& place) const;
    // A page that is under way, and what it will cost.
    struct Flight {
        DynamodbApi::Pending pending;
        Spending spending;
    };

    Flight send(Bytes body);
    // Sends for the page after `page`; nothing if the run may not, and says why.
    std::optional<Flight> next_page(const ScanAnswer& page, const SegmentPlace& place,
                                    std::optional<Error>& refused);
    ScanAnswer answer(Flight flight);
    Key key_of(BytesView json);
    // False if the sink has stopped the scan.
    bool hand_over(const ScanAnswer& page, SegmentPlace& place, RowSink& sink);
    bool report(SegmentPlace& place, const std::optional<Key>& after, bool ended, RowSink& sink);

    DynamodbApi& api_;
    const TableDescription& table_;
    const Projection whole_{{}, true};
    const Projection& projection_;
    const std::size_t page_rows_max_;
    const bool consistent_;
    const bool small_pages_;  // then no page is asked for that may not be wanted
    Capacity& capacity_;
    RequestCounts& counts_;
    ItemReader items_;
    Projector projector_;
    Bytes fixed_;  // the part of the request that is the same for all pages
    std::set<Bytes> seen_;  // digests of the requests sent
};

}  // namespace idxfsck::store
