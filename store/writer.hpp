// store/writer.hpp
//
// Guarded writes: all that a repair is given beyond reading.
//
// Contract, checked by tests/store/conformance.hpp for each implementation:
//   atomic    A write and its guards, as far as capabilities().guard reaches, are one step: either
//             every guard held and the row was written, or nothing was. Guards beyond that reach
//             are an Error: the caller re-reads instead.
//   outcome   Looked at in this order:
//             `superseded`: a guard on another row did not hold; nothing was written.
//             `already`: the row already was as the write would leave it.
//             `superseded`: the row was not as expected; nothing was written.
//             `applied`: the row was written and is durable after sync().
//   errors    Throws Error when the store fails; the write may then have happened or not, and the
//             caller must read to find out.
//   together  Of several writes each comes to what it would come to by itself: none fails, or is
//             superseded, because another one is.
//   threads   As the reader's: calls may run at once.

#pragma once

#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "store/reader.hpp"

namespace idxfsck::store {

// What a row is expected to be.
struct ExpectAbsent {
    friend bool operator==(const ExpectAbsent&, const ExpectAbsent&) = default;
};

// Exactly this: same attributes, and the same version if one is given.
struct ExpectRow {
    Row row;
    friend bool operator==(const ExpectRow&, const ExpectRow&) = default;
};

// There, with these attributes so (a value of kind absent: without it); the others do not matter.
// Key components may be among them, in the spelling in which the store hands them out.
struct ExpectAttributes {
    std::vector<NamedValue> attributes;
    friend bool operator==(const ExpectAttributes&, const ExpectAttributes&) = default;
};

using Expectation = std::variant<ExpectAbsent, ExpectRow, ExpectAttributes>;

struct Guard {
    Bytes table;
    Key key;
    Expectation expected;

    friend bool operator==(const Guard&, const Guard&) = default;
};

struct GuardedWrite {
    Bytes table;
    Key key;
    Expectation expected;      // of the row that is written
    // The row as it shall be, or nothing: delete it. The store gives the version.
    std::optional<Row> after;
    std::vector<Guard> guards; // on other rows

    friend bool operator==(const GuardedWrite&, const GuardedWrite&) = default;
};

enum class WriteOutcome { applied, already, superseded };

// What came of one of several writes.
struct WriteReply {
    std::optional<WriteOutcome> outcome;  // nothing: the store failed
    std::string error;                    // the store's words then

    friend bool operator==(const WriteReply&, const WriteReply&) = default;
};

class Writer {
public:
    virtual ~Writer() = default;

    virtual WriteOutcome write(const GuardedWrite& write) = 0;

    // One reply for each write, in order. Throws no Error: it is in the reply.
    virtual std::vector<WriteReply> write_all(std::span<const GuardedWrite> writes);

    // Writes to rows of the same name are better handed over together. Nothing: each goes by
    // itself, and its rows are best looked at right before it.
    virtual std::optional<Bytes> batch_of(BytesView table, const Key& key) const;

    // Every write that was acknowledged before this call survives a crash of the machine after it.
    virtual void sync() = 0;
};

}  // namespace idxfsck::store
