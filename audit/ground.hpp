// audit/ground.hpp
//
// What an audit stands on: the spec, compiled for the stores that it is given.
//
// Errors   Throws Error (usage) if the spec does not fit the stores.
// Threads  A plain value after it was made. The readers belong to whoever opened them.

#pragma once

#include <string>
#include <vector>

#include "audit/audit_run.hpp"
#include "audit/walk_pass.hpp"

namespace idxfsck::audit {

struct Ground {
    Programs programs;
    TableReaders readers;
    TableReaders look_readers;  // through which suspects are looked at again
    std::vector<store::Reader*> refreshable;                  // of these each once
    std::vector<std::pair<std::string, std::string>> stores;  // name in the spec, identity

    // About how many rows the tables hold; 0 if a store cannot say.
    std::uint64_t rows_to_read() const;
};

// For fingerprints: another one for each audit, so that nobody can choose keys that collide.
std::uint64_t random_seed();

// As compile().
Ground lay_ground(const Spec& spec, const Readers& readers, const std::vector<std::string>& only,
                  std::int64_t now_ms);

}  // namespace idxfsck::audit
