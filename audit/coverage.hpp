// audit/coverage.hpp
//
// What an audit saw and what it did not: the counts behind its answer.
//
// Units    Times are Unix milliseconds.

#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "audit/finding.hpp"
#include "store/read_cost.hpp"

namespace idxfsck::audit {

// A part of a table that could not be read, or was not.
struct Gap {
    std::string table;
    std::string partition;
    std::string cause;

    friend bool operator==(const Gap&, const Gap&) = default;
};

struct TableCoverage {
    std::string store;
    std::string table;
    std::uint64_t partitions = 0;       // cut, further splits included
    std::uint64_t partitions_read = 0;  // to their proven end
    std::uint64_t rows = 0;
    std::uint64_t rows_other = 0;       // that no base and no index of the spec claims
    std::uint64_t rows_damaged = 0;     // whose stored bytes are no row
    std::uint64_t pages_reread = 0;     // of a metered table, to find the rows of suspects
    // Of this run, not of those that it goes on from; nothing where reading costs nothing.
    std::optional<store::ReadCost> cost = {};
    std::optional<std::int64_t> as_of_ms = {};  // whose rows it holds, if it is an export
    std::string live_store = {};  // in which its suspects were looked at again, if another

    friend bool operator==(const TableCoverage&, const TableCoverage&) = default;
};

struct IndexCoverage {
    std::string index;
    std::string engine;                  // "exact", "sketch", "one-pass"
    std::string engine_reason;           // why that one; "" : it is the usual one
    std::uint64_t base_rows = 0;         // real rows of the base
    std::uint64_t base_rows_partial = 0;
    std::uint64_t base_rows_exempt = 0;  // that the index leaves out
    std::uint64_t base_rows_expired = 0;    // or about to be
    std::uint64_t base_rows_uncovered = 0;  // of which the index says nothing
    std::uint64_t entries_expected = 0;  // derived
    std::uint64_t entries_held = 0;      // decoded
    std::uint64_t suspects = 0;
    std::uint64_t settled = 0;           // suspects that moved meanwhile
    std::uint64_t shared = 0;            // of a lossy index: rows served by another's entry
    std::uint64_t findings = 0;
    std::uint64_t moves = 0;
    std::uint64_t legacy = 0;            // suspects served by an accepted older key version
    std::uint64_t uncovered = 0;         // entries of base rows of which the index says nothing
    std::uint64_t expiring = 0;          // suspects about to expire, or reserved until they do
    std::uint64_t unverifiable = 0;      // suspects that could not be judged
    // About so many entries differ, but not all of them were found; 0: all were.
    std::uint64_t differences_estimate = 0;
    double differences_error = 0;        // one standard deviation of that, as a share of it
    double miss_probability = 0;         // that a difference was missed

    friend bool operator==(const IndexCoverage&, const IndexCoverage&) = default;
};

// Why an audit cannot say "consistent" although it found nothing, or cannot say anything.
struct Doubt {
    std::string subject;  // "base user", "index users-by-email", "table Users"
    std::string text;     // "no row of the table matched the selector"
    std::string hint;

    friend bool operator==(const Doubt&, const Doubt&) = default;
};

// Of an audit that was added up from shares: one of them.
struct ShareCoverage {
    std::string share;           // "3/8"
    std::int64_t begin_ms = 0;   // of its scan
    std::int64_t end_ms = 0;
    std::uint64_t contents = 1;  // different ones that its sketches had; one of them was kept

    friend bool operator==(const ShareCoverage&, const ShareCoverage&) = default;
};

struct Coverage {
    std::vector<TableCoverage> tables;
    std::vector<IndexCoverage> indexes;
    std::vector<Gap> gaps;
    std::vector<Doubt> doubts;
    std::vector<ShareCoverage> shares;  // none if it was one scan
    std::int64_t begin_ms = 0;
    std::int64_t end_ms = 0;
    bool snapshot = false;

    // Everything was read and nothing is in doubt.
    bool whole() const { return gaps.empty() && doubts.empty(); }

    friend bool operator==(const Coverage&, const Coverage&) = default;
};

enum class Verdict { consistent, drift, could_not_tell };

// One object feeds every output and the exit status.
struct AuditResult {
    std::string spec_file;
    std::string spec_digest;
    std::vector<std::pair<std::string, std::string>> stores;  // name in the spec, identity
    std::int64_t now_ms = 0;   // the one `now` of the audit
    std::uint64_t seed = 0;    // of the fingerprints
    Coverage coverage;
    std::vector<Finding> findings;

    // Does a finding count as drift? Not if the spec calls all of that kind information.
    bool has_drift() const {
        return std::any_of(findings.begin(), findings.end(),
                           [](const Finding& finding) { return finding.severity != "info"; });
    }

    Verdict verdict() const {
        if (!coverage.whole()) return Verdict::could_not_tell;
        return has_drift() ? Verdict::drift : Verdict::consistent;
    }
};

}  // namespace idxfsck::audit
