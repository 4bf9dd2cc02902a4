// audit/reconcile.hpp
//
// The symmetric difference of two collections of entries, by their fingerprints.
//
// Shape    A Reconciler takes the entries of one index: base entries on one side, index entries on
//          the other, from many threads through one Lane each. Then it is asked part by part what
//          stands on one side only, or oftener on one than on the other; the parts may be asked at
//          once.
// Units    A fingerprint is XXH3-128 of the entry bytes with the run's seed. A place says where the
//          entry came from (page and row of the scan) and comes back with the difference, so that
//          the scan can be asked for the row again. Places use 63 bits.
// Threads  A Lane belongs to one thread. lane() may be called from any thread. close() once, when
//          no lane is used any more; then unmatched() from any threads, each part once.

#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "store/bytes.hpp"

namespace idxfsck::audit {

class StateReader;
class StateWriter;

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

// An entry that does not cancel. `mark` is the low half of its fingerprint: it tells which of the
// entries of the row at `place` is meant. An engine that carries entries gives their canonical
// bytes instead of a place.
struct Unmatched {
    Side side = Side::base;
    Place place;
    std::uint64_t mark = 0;
    store::Bytes entry;  // empty if the engine gives places

    friend auto operator<=>(const Unmatched&, const Unmatched&) = default;
};

// What counts as agreement of equal entries on both sides.
enum class Counting : std::uint8_t {
    // Each entry cancels one: two on one side against one on the other differ, and all three places
    // come back.
    multiset,
    // All that are equal cancel at once: an entry without a pointer serves every row that derives
    // it.
    set,
    // As set, but several equal ones on the base side come back even so, they alone: a unique claim
    // without a pointer that several rows derive.
    set_unique,
    // For an older key version, that need not be there: the base entries that are there come back,
    // and the index entries that no base row derives.
    older,
    // The same where rows of the older version cannot be told from current ones: only the base
    // entries that are there.
    older_tried,
};

class Lane {
public:
    virtual ~Lane() = default;
    // `bytes` are the canonical bytes that were hashed.
    virtual void add(Side side, const Fingerprint& fingerprint, Place place,
                     store::BytesView bytes) = 0;
};

// What a saved state says of the places of its entries.
enum class Places : std::uint8_t {
    kept,
    // None of them, and the entries in an order of their own: equal entries have equal states,
    // whoever added them, and where.
    dropped,
};

class Reconciler {
public:
    virtual ~Reconciler() = default;

    // The engine's name in reports.
    virtual std::string_view name() const = 0;

    // A new lane; the reconciler keeps it.
    virtual Lane& lane() = 0;

    // Everything that was added so far, and the reverse: adds what another of the same kind and
    // seed saved. Not while a lane is used. load() throws Error if the state is of another kind.
    virtual void save(StateWriter& writer, Places places) = 0;
    virtual void load(StateReader& reader) = 0;

    virtual void close() = 0;
    virtual std::size_t parts_count() const = 0;
    virtual std::vector<Unmatched> unmatched(std::size_t part) = 0;

    // After all parts: true if more differs than the engine can hold. Then what it gave is a
    // sample.
    virtual bool exhausted() const { return false; }

    // About how many differences there are, if exhausted.
    virtual double differences_estimate() const { return 0; }

    // One standard deviation of that, as a share of it.
    virtual double differences_error() const { return 0; }

    // Odds that a difference was missed, if `differences` were found.
    virtual double miss_probability(std::uint64_t differences) const = 0;
};

}  // namespace idxfsck::audit
