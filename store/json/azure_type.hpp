// store/json/azure_type.hpp
//
// The types that Azure tables annotate.
//
// Source   OData 3.0 JSON Light; "Payload format for Table service operations", minimalmetadata.

#pragma once

#include <array>

#include "store/value.hpp"

namespace idxfsck::store {

// What follows the name of a property in the name of its annotation.
constexpr BytesView azure_annotation = "@odata.type";

// The system property that is a date-time without saying so.
constexpr BytesView azure_timestamp = "Timestamp";

struct AzureType {
    BytesView name;
    Kind kind;
};

constexpr std::array<AzureType, 8> azure_types{{
    {"Edm.Binary", Kind::binary},
    {"Edm.Boolean", Kind::boolean},
    {"Edm.DateTime", Kind::date_time},
    {"Edm.Double", Kind::real},
    {"Edm.Guid", Kind::guid},
    {"Edm.Int32", Kind::int32},
    {"Edm.Int64", Kind::int64},
    {"Edm.String", Kind::text},
}};

// The kind of value that a type stands for; absent if there is no such type.
constexpr Kind find_azure_kind(BytesView name) {
    for (const AzureType& type : azure_types) {
        if (type.name == name) return type.kind;
    }
    return Kind::absent;
}

// The type for a kind; empty if Azure tables have none.
constexpr BytesView find_azure_name(Kind kind) {
    for (const AzureType& type : azure_types) {
        if (type.kind == kind) return type.name;
    }
    return {};
}

}  // namespace idxfsck::store
