// reports/catalogue.hpp
//
// Every word that a report can accuse, refuse or excuse with, explained: what it means, how it
// comes about, what a repair does, what to look at. `idxfsck explain` prints it.
//
// Shape    One entry a code. tests/reports/catalogue.cpp keeps it complete against the enums, and
//          the codes unique.

#pragma once

#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace idxfsck::reports {

struct CatalogueEntry {
    std::string_view code;     // as reports and JSON spell it
    std::string_view group;    // "finding", "reason", "damage", "coverage", …
    std::string_view meaning;  // one sentence; it stands alone in the list of codes
    std::string_view arises;   // how it comes about
    std::string_view repair;   // what plan and repair do
    std::string_view check;    // what a person should look at
};

// In the order in which the list shows them.
std::vector<CatalogueEntry> catalogue();

std::optional<CatalogueEntry> catalogue_entry(std::string_view code);

// The parts, one a file.
std::span<const CatalogueEntry> finding_catalogue();
std::span<const CatalogueEntry> damage_catalogue();
std::span<const CatalogueEntry> repair_catalogue();
std::span<const CatalogueEntry> coverage_catalogue();

}  // namespace idxfsck::reports
