// audit/fingerprint.hpp
//
// The fingerprint of an entry: XXH3-128 of its canonical bytes, under the run's seed.
//
// Shape    The copies are part of the bytes, so that a divergent copy shows as a difference.
// Errors   None. Two different entries of a run share a fingerprint with odds of 2^-128. That holds
//          for accidents; the seed is random for each run, so that nobody can choose keys against
//          it.
// Threads  One Fingerprinter per thread: it reuses a buffer.
// Source   XXH3, https://github.com/Cyan4973/xxHash, doc/xxhash_spec.md.

#pragma once

#include "audit/entry_bytes.hpp"
#include "audit/reconcile.hpp"

namespace idxfsck::audit {

// Of canonical bytes.
Fingerprint fingerprint_of(store::BytesView bytes, std::uint64_t seed);

class Fingerprinter {
public:
    explicit Fingerprinter(std::uint64_t seed) : seed_{seed} {}

    Fingerprint of(const EntryView& entry) { return fingerprint_of(bytes_.of(entry, true), seed_); }

private:
    std::uint64_t seed_;
    EntryBytes bytes_;
};

}  // namespace idxfsck::audit
