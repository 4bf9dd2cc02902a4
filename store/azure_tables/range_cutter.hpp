// store/azure_tables/range_cutter.hpp
//
// Where to cut a range of a table so that several requests at once can read it: the service has no
// list of partition keys, and does not say how many rows there are.
//
// Shape    The front of the range is read, keys alone. If that was all, it is cut into equal parts.
//          Otherwise points between what was seen and the end are asked for the first key behind
//          them, many at once; where keys are found the gaps are looked into again, and where there
//          are none the gap ends earlier. So a skip over a partition is one question, however long
//          that is. What turns out long although it looked short is cut again while it is scanned.
// Errors   As TableScanWalk.
// Threads  Belongs to one thread.

#pragma once

#include <map>

#include "store/azure_tables/table_scan_walk.hpp"

namespace idxfsck::store {

struct RangeCuts {
    bool empty = false;  // the range holds no row
    std::vector<TablePlace> places;  // where a part begins, ascending, inside of the range
};

class RangeCutter {
public:
    RangeCutter(TablesApi& api, BytesView table) : api_{api}, table_{table} {}

    // At most `parts` - 1 places.
    RangeCuts cut(const PlaceRange& range, std::size_t parts);

private:
    // Between two cuts, or what the range begins and ends with.
    struct Gap {
        TablePlace low;
        std::optional<TablePlace> high;
        std::optional<TablePlace> reach;  // from here to `high` there is no key
        bool done = false;
    };
    // What is asked at one point.
    struct Probe {
        std::size_t gap = 0;
        TablePlace point;
        std::vector<Bytes> legs;
        std::size_t leg = 0;
        Continuation next;
        std::size_t pages = 0;
        bool finished = false;
        std::optional<TablePlace> found;
    };
    struct Front {
        std::vector<std::pair<Bytes, Bytes>> keys;
        bool whole = false;  // that was all
    };

    Front read_front(const PlaceRange& range);
    TablesApi::Pending ask(const Bytes& leg, const Continuation& next, std::size_t rows_max);
    std::vector<std::pair<Bytes, Bytes>> keys_in(TablesApi::Pending pending, Continuation& next);
    std::vector<TablePlace> explore(const PlaceRange& range, std::size_t wanted);
    std::vector<Probe> probes_for(const std::vector<Gap>& gaps, std::size_t count) const;
    void run(std::vector<Probe>& probes);
    void step(Probe& probe, TablesApi::Pending pending);
    static std::vector<Gap> refine(const std::vector<Gap>& gaps, const std::vector<Probe>& probes);

    TablesApi& api_;
    const BytesView table_;
    EntityReader entities_;
};

}  // namespace idxfsck::store
