// store/json/dynamodb_tag.hpp
//
// The names by which DynamoDB JSON says the type of a value.
//
// Source   Amazon DynamoDB API Reference, AttributeValue.

#pragma once

#include <array>

#include "store/value.hpp"

namespace idxfsck::store {

struct DynamodbTag {
    BytesView name;
    Kind kind;
};

constexpr std::array<DynamodbTag, 10> dynamodb_tags{{
    {"S", Kind::text},
    {"N", Kind::number},
    {"B", Kind::binary},
    {"BOOL", Kind::boolean},
    {"NULL", Kind::null},
    {"L", Kind::list},
    {"M", Kind::map},
    {"SS", Kind::text_set},
    {"NS", Kind::number_set},
    {"BS", Kind::binary_set},
}};

// The kind of value that `name` stands for; absent if it is no such name.
constexpr Kind find_dynamodb_kind(BytesView name) {
    for (const DynamodbTag& tag : dynamodb_tags) {
        if (tag.name == name) return tag.kind;
    }
    return Kind::absent;
}

// The name for a kind; empty if DynamoDB has no such type.
constexpr BytesView find_dynamodb_name(Kind kind) {
    for (const DynamodbTag& tag : dynamodb_tags) {
        if (tag.kind == kind) return tag.name;
    }
    return {};
}

}  // namespace idxfsck::store
