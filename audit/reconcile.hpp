// audit/reconcile.hpp
//
// The symmetric difference of two collections of entries, by their fingerprints.
//
// Shape    A Reconciler takes the entries of one index: base entries on one side, index entries on the
//          other, from many threads through one Lane each. finish() gives what stands on one side
//          only, or oftener on one than on the other.
// Units    A fingerprint is XXH3-128 of the entry bytes with the run's seed. A place is where the
//          entry came from (page and row of the scan): it comes back with the difference, so that
//          the scan can be asked for the row again.
// Threads  A Lane belongs to one thread. lane() and finish() are called by one thread, finish() when
//          no lane is used any more.

#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace idxfsck::audit {

struct Fingerprint {
    std::uint64_t low = 0;
    std::uint64_t high = 0;

    friend auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
};

enum class Side : std::uint8_t { base, index };

struct Place {
    std::uint64_t value = 0;

    friend auto operator<=>(const Place&, const Place&) = default;
};

// Entries of one fingerprint that do not cancel. One record per place.
struct Unmatched {
    Side side = Side::base;
    Place place;

    friend auto operator<=>(const Unmatched&, const Unmatched&) = default;
};

enum class Counting : std::uint8_t {
    // Each entry cancels one: two equal ones on one side against one on the other are a difference,
    // and then both places come back.
    multiset,
    // All that are equal cancel at once: an entry without a pointer serves every row that derives it.
    set,
    // As set, but several equal ones on the base side come back even so: a unique claim without a
    // pointer that several rows derive.
    set_unique,
};

class Lane {
public:
    virtual ~Lane() = default;
    virtual void add(Side side, const Fingerprint& fingerprint, Place place) = 0;
};

class Reconciler {
public:
    virtual ~Reconciler() = default;

    virtual std::string_view name() const = 0;
    virtual Lane& lane() = 0;

    // All unmatched entries, sorted by side and place. Call once.
    virtual std::vector<Unmatched> finish() = 0;

    // Odds that a difference between collections of these sizes was missed.
    virtual double miss_probability() const = 0;
};

}  // namespace idxfsck::audit
