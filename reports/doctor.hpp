// reports/doctor.hpp
//
// Whether an audit of a spec could begin, and what it would meet: asked of the stores themselves,
// before anything is scanned.
//
// Shape    One value, which the text and the exit status are both made from.
// Reads    What inspection.hpp says, at most sample_rows_max rows of each table, and the rows that
//          their entries name.
// Errors   None but those of the command line: what goes wrong is in the report.

#pragma once

#include <optional>
#include <string>
#include <vector>

#include "audit/spec.hpp"
#include "reports/why.hpp"
#include "store/inspection.hpp"

namespace idxfsck::reports {

constexpr std::size_t sample_rows_max = 20;        // looked at, of each table
constexpr std::size_t sample_rows_shown_max = 3;   // of each side of an index

struct DoctorWishes {
    std::optional<double> price_per_million_units;  // dollars; else as the spec says
    std::optional<double> units_a_second;           // else as the spec says of the store
    bool samples = true;
    std::int64_t now_ms = 0;
};

struct DoctorStore {
    std::string name;  // in the spec
    std::string kind;
    store::StoreInspection seen;
};

struct DoctorTable {
    std::string store;
    std::string table;
    std::vector<std::string> roles;  // "base user", "index users-by-email"
    store::TableInspection seen;
    std::vector<std::string> notes{};  // that stand against no audit
};

// Rows of one side of an index, each looked up on the other.
struct DoctorSample {
    std::string index;
    std::string table;
    bool of_base = false;
    std::size_t rows_looked_at = 0;
    bool judged = true;  // false: where the other side is takes a scan
    std::vector<WhyAnswer> rows;

    std::size_t entries() const;
    std::size_t entries_met() const;
    std::size_t entries_differing() const;  // the rest takes a scan to tell
};

struct DoctorCost {
    std::string unit;            // "read unit"
    double units = 0.0;          // of one scan of every table
    bool whole = true;           // false: of some tables it is not known
    std::optional<double> dollars;
    std::optional<double> minutes;
};

struct DoctorReport {
    std::vector<DoctorStore> stores;
    std::vector<DoctorTable> tables;
    std::vector<DoctorSample> samples;
    std::vector<store::Obstacle> obstacles;  // of the spec as a whole
    std::vector<DoctorCost> costs;           // one for each unit that stores bill in

    // Everywhere, and permissions that an audit lacks.
    std::size_t problems() const;
    int exit_code() const;
};

DoctorReport examine(const audit::Spec& spec, const DoctorWishes& wishes);

// For people.
std::string doctor_text(const DoctorReport& report, const std::string& spec_path);

}  // namespace idxfsck::reports
