// audit/judge.hpp
//
// One suspect, the rows as they are now, and what follows: a finding, or why there is none.
//
// Shape    wants() and wants_holder() say which rows a suspect needs; judge() decides from those
//          rows alone and does no input or output.
// Threads  A Judge belongs to one thread, as do the LiveRows that it is given.

#pragma once

#include <memory>

#include "audit/interpreter.hpp"
#include "audit/live_rows.hpp"
#include "audit/suspect.hpp"

namespace idxfsck::audit {

enum class Ruling : std::uint8_t {
    // What the scan saw is not so any more.
    settled,
    // Of a lossy index: the entry of another row serves this one.
    shared,
    // An entry under an accepted older key version serves the row, or is that entry.
    legacy,
    // The index says nothing of the base row.
    uncovered,
    // The base row or the entry is about to expire, or reserved until it does.
    expiring,
    finding,
    // A base row that derives an entry without a pointer of a unique index: a finding only if
    // another row does so too, or if the entry is not there.
    claim,
    // An entry that does not tell its base row: a finding only if a look from the base side finds
    // no row that derives it.
    unclaimed,
};

struct Outcome {
    std::size_t index = 0;
    Ruling ruling = Ruling::settled;
    Finding finding;       // of finding, claim and unclaimed
    bool entry_there = false;  // of claim
    std::uint64_t mark = 0;    // of the suspect
    store::Value rank{};         // of the base row, where the spec has a winner rule
    store::Value holder_rank{};  // of the base row that the entry at the key names
    // It rests on a row that may be there after all, or that is there twice: nobody can say.
    bool doubtful = false;
};

// One by one on the heap: there may be millions, and each goes when it has become a finding.
using Outcomes = std::vector<std::unique_ptr<Outcome>>;

// About what it takes until its finding is in a report.
std::uint64_t outcome_bytes(const Outcome& outcome);

constexpr bool is_excused(Ruling ruling) {
    return ruling == Ruling::shared || ruling == Ruling::legacy || ruling == Ruling::uncovered ||
           ruling == Ruling::expiring;
}

class Judge {
public:
    Judge(const Programs& programs, const LiveRows& rows);

    // Asks for the rows that any suspect needs: its base row and its index row.
    void want(LiveRows& rows, const Suspect& suspect) const;
    // After these were fetched: asks for the base row that the entry now at the key names, and for
    // the rows of the entry's other key versions.
    void want_holder(LiveRows& rows, const Suspect& suspect);

    Outcome judge(const Suspect& suspect);

private:
    Outcome judge_base(const Suspect& suspect);
    Outcome judge_index(const Suspect& suspect);
    Outcome judge_damaged_base(const Suspect& suspect);
    Outcome judge_damaged_index(const Suspect& suspect);
    // Of the base side of an older version: an entry that the base row derives, and that is there.
    Outcome judge_older(const Suspect& suspect);
    Outcome judge_orphan(const Suspect& suspect, Finding finding, const IndexReading& reading);
    Outcome judge_located(const Suspect& suspect, Finding finding, const store::Key& base_key,
                          const Entry& held);

    // An entry and the row that holds it; without such a row, that at its first place.
    struct Found {
        store::Key key;
        const store::Row* row = nullptr;
        IndexReading reading;
        const Entry* held(const Entry& entry) const { return reading.claim(entry); }
    };

    // Of a row of the base or index table of an index of the programs.
    const store::Row* base_row(std::size_t index, const store::Key& key) const;
    const store::Row* index_row(std::size_t index, const store::Key& key) const;
    Found find_entry(std::size_t index, const Entry& entry);
    // The last of several rows that hold the entry; nothing if one holds it.
    std::optional<Found> copy_of(std::size_t index, const Entry& entry);
    void want_entry(LiveRows& rows, std::size_t index, const Entry& entry) const;
    // Asks for the rows of all entries that the base row derives under that version.
    void want_version(LiveRows& rows, std::size_t version, const store::Row* base);
    // The entries of the base row under an older version, if they are there instead.
    bool served_by_older(std::size_t index, const store::Row* base);
    // Are all entries that the base row derives in the index there?
    bool all_there(std::size_t index, const store::Row* base);
    // Does the base row derive the entry under an older version of the index?
    bool derived_by_older(std::size_t index, const store::Row* base, const Entry& held);
    bool accusable(std::size_t index, const store::Row* row);
    // Asks for the base rows of the members of a container that expires.
    void want_members(LiveRows& rows, const Suspect& suspect);
    // Does a member's base row outlive the container?
    bool outlived(const Suspect& suspect, const store::Row& container,
                  const IndexReading& reading);
    store::Value rank(std::size_t index, const store::Row* base) const;
    // The entry that sits in the slot where `entry` belongs.
    const Entry* holder_of(std::size_t index, const Entry& entry,
                           const IndexReading& reading) const;

    const Programs& programs_;
    const LiveRows& rows_;
    Interpreter interpreter_;
};

}  // namespace idxfsck::audit
