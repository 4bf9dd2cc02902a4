// tests/store/json_random_value.hpp
//
// Random values of every kind for the tests of the JSON forms: well-formed ones that lean towards
// the edges of each kind, and damaged ones.

#pragma once

#include <random>

#include "store/value.hpp"

namespace idxfsck::store {

class RandomValue {
public:
    explicit RandomValue(std::uint64_t seed) : random_{seed} {}

    std::size_t below(std::size_t limit) { return random_() % limit; }

    // Of any kind but absent; containers hold up to four elements and nest up to `depth`.
    Value value(std::size_t depth = 3);
    Value scalar(Kind kind);

    // A payload that need not fit its kind.
    Value damaged();

    Bytes utf8();
    Bytes any_bytes(std::size_t size_max);
    Bytes number_text();

private:
    Value container(Kind kind, std::size_t depth);

    std::mt19937_64 random_;
};

}  // namespace idxfsck::store
