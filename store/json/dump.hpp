// store/json/dump.hpp
//
// The rows of a table as NDJSON.
//
// Shape    One row a line, in the order of the store's scan: by key where it has an order.
// Errors   Throws Error if the table is not there, cannot be read whole or holds a row that is
//          damaged or that the shape cannot say, and if the output cannot be written. Then finish()
//          has not been called on the sink.

#pragma once

#include "store/json/byte_sink.hpp"
#include "store/json/load.hpp"
#include "store/reader.hpp"

namespace idxfsck::store {

// Calls finish() on `sink` at the end. `bytes` counts what went into the sink.
LoadCount dump_rows(const Reader& reader, BytesView table, Shape shape, ByteSink& sink,
                    const LoadObserver& observer = {});

}  // namespace idxfsck::store
