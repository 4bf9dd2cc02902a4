// audit/store_facts.hpp
//
// What compile() must know of a store, asked of the store itself.
//
// Shape    Of a store whose reads cost money only the tables that the spec names are asked for: an
//          account may have thousands, and a reader the right to see no others.
// Errors   As store::Reader.

#pragma once

#include "audit/program.hpp"
#include "audit/spec.hpp"
#include "store/reader.hpp"

namespace idxfsck::audit {

// `name` is the store's in the spec.
StoreFacts facts_of(const Spec& spec, const std::string& name, const store::Reader& reader);

}  // namespace idxfsck::audit
