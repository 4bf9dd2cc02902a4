// store/json/load.hpp
//
// Rows from files of NDJSON into whatever takes rows. load_rocksdb.hpp brings them into the
// embedded store.
//
// Errors   Throws Error at the first line that is no row, that lacks a key attribute or whose key
//          attribute is a container, with `file`, `line` and what is wrong; an Error of the
//          acceptor gets `file` and `line` too. What was handed over before is for the
//          acceptor to drop.

#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "store/json/line_reader.hpp"
#include "store/json/shape.hpp"
#include "store/row.hpp"

namespace idxfsck::store {

// Takes the rows of a load.
class RowAcceptor {
public:
    virtual ~RowAcceptor() = default;

    // Key components in the order that was asked for; attributes encoded as in a Row, without
    // those of the key. Valid during the call.
    virtual void accept(std::span<const ValueView> key, BytesView attributes) = 0;
};

struct LoadRequest {
    std::vector<std::string> files;  // in order; "-" is standard input
    Shape shape = Shape::automatic;
    std::vector<Bytes> key_names;
    std::size_t line_bytes_max = line_bytes_max_default;
};

struct LoadCount {
    std::uint64_t rows = 0;
    std::uint64_t bytes = 0;  // of the files as they lie there

    friend bool operator==(const LoadCount&, const LoadCount&) = default;
};

// Told now and then, at least every 64 thousand rows, how far a load or dump has come.
using LoadObserver = std::function<void(const LoadCount&)>;

LoadCount load_rows(const LoadRequest& request, RowAcceptor& acceptor,
                    const LoadObserver& observer = {});

}  // namespace idxfsck::store
