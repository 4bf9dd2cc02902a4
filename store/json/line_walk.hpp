// store/json/line_walk.hpp
//
// What the parsers of the three shapes share: a walk over one line with simdjson, and the row that
// comes out of it. Only row_parser.cpp and the *_row.cpp files include this header.
//
// Shape    Every step returns false when it fails, and the walk ends there: simdjson's iterators
//          must not be used after an error. `problem` then says why; with an empty cause it is the
//          JSON itself that is broken, and row_parser.cpp finds the place by a second, slower look.
//          Every value is looked at, since simdjson checks only what it is asked for.

#pragma once

#include <deque>
#include <vector>

#include <simdjson.h>

#include "store/json/decoded.hpp"
#include "store/json/row_parser.hpp"
#include "store/json/value_text.hpp"

namespace idxfsck::store {

namespace ondemand = simdjson::ondemand;

struct LineWalk {
    BytesView line;
    std::vector<ParsedAttribute> row;
    LineProblem problem;
    bool broken = false;  // as JSON: nothing may be read any more
    bool wrappers = true;  // plain: does {"$guid": …} stand for a guid, or is it an object?
    BytesView attribute;  // the one being read: whatever fails is about it
    // Payloads that stand nowhere in the line. A deque, so that views stay where they are.
    std::deque<Bytes> kept;

    void start(BytesView next_line);

    BytesView keep(Bytes bytes) { return kept.emplace_back(std::move(bytes)); }
    ValueView keep(Value value) { return {value.kind, keep(std::move(value.payload))}; }

    std::size_t offset_of(const char* at) const {
        return static_cast<std::size_t>(at - line.data());
    }

    // Each returns false, so that a step can end with `return walk.fail(…)`.
    bool fail(std::string_view cause, const char* at, BytesView detail = {});
    bool fail_json();
};

// The token at the front of `value`, without what follows it: for a scalar, all of it.
BytesView token_of(ondemand::value& value);

enum class TokenKind { text, number, boolean, null, list, map, broken };

// What `value` is, by its first character; scalars other than text are checked to the last one.
TokenKind kind_of(ondemand::value& value, BytesView token);

// The characters of a JSON string, unescaped.
bool read_text(LineWalk& walk, ondemand::value& value, BytesView& out);

// As read_text, but anything else than a string is a problem with this cause.
bool expect_text(LineWalk& walk, ondemand::value& value, std::string_view otherwise,
                 BytesView& out);

// Moves a decoded value to `out`, or fails at the token.
bool take(LineWalk& walk, Decoded<Value> decoded, BytesView token, Value& out);

// Walks the members of `object`: `member(name, value)` for each, until one returns false.
template <typename Member>
bool each_member(LineWalk& walk, ondemand::object object, Member member) {
    for (auto field : object) {
        BytesView name;
        ondemand::value value;
        if (field.unescaped_key().get(name) != simdjson::SUCCESS) return walk.fail_json();
        if (field.value().get(value) != simdjson::SUCCESS) return walk.fail_json();
        if (!member(name, value)) return false;
    }
    return true;
}

template <typename Element>
bool each_element(LineWalk& walk, ondemand::value& list, Element element) {
    ondemand::array array;
    if (list.get_array().get(array) != simdjson::SUCCESS) return walk.fail_json();
    for (auto item : array) {
        ondemand::value value;
        if (item.get(value) != simdjson::SUCCESS) return walk.fail_json();
        if (!element(value)) return false;
    }
    return true;
}

// The three shapes: the attributes of the row, unsorted, into walk.row.
bool walk_plain(LineWalk& walk, ondemand::object row);
bool walk_dynamodb(LineWalk& walk, ondemand::object row);
// Without looking for the wrapper `Item`.
bool walk_bare_dynamodb(LineWalk& walk, ondemand::object row);
bool walk_azure(LineWalk& walk, ondemand::object row);

}  // namespace idxfsck::store
