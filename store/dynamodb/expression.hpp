// store/dynamodb/expression.hpp
//
// The expressions of one write: a condition, and what an update sets and removes.
//
// Shape    Every name and value stands behind a placeholder, so no name is a word of the language
//          or has a dot that means something.
// Errors   text() throws Error for more than the service takes: 4 KiB an expression.

#pragma once

#include <map>
#include <vector>

#include "store/writer.hpp"

namespace idxfsck::store {

class WriteExpression {
public:
    // `key_name` is a component of the key: where it is, the row is.
    explicit WriteExpression(Bytes key_name) : key_name_{std::move(key_name)} {}

    // What the row must be. Of a whole row the attributes that it has: no condition can say that
    // there are no others.
    void require(const Expectation& expected);
    void require_absent();
    // As it was seen.
    void require_row(const Row& row);

    // From the attributes of one row to those of another, encoded.
    void change(BytesView before, BytesView after);

    // ,"ConditionExpression":"…",… and the like, to stand in an object after another member.
    Bytes text() const;

private:
    Bytes name(BytesView attribute);
    Bytes value(const ValueView& attribute_value);
    void add_condition(const Bytes& condition);
    void require_value(BytesView attribute, const ValueView& expected);

    const Bytes key_name_;
    Bytes condition_;
    Bytes set_;
    Bytes remove_;
    std::map<Bytes, Bytes, std::less<>> names_;  // attribute → placeholder
    std::vector<Value> values_;
};

}  // namespace idxfsck::store
