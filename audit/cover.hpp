// audit/cover.hpp
//
// The counts of a scan, added up over its workers: what was seen, and what was not.
//
// Threads  Plain functions, for after the scan.

#pragma once

#include "audit/coverage.hpp"
#include "audit/scan.hpp"

namespace idxfsck::audit {

std::vector<TableCoverage> cover_tables(const Programs& programs, const ScanResult& scan);

// Rows and entries of each index; what became of its suspects comes later.
std::vector<IndexCoverage> cover_indexes(const Programs& programs, const ScanResult& scan);

// Partitions that could not be read, and rows whose bytes are no row.
std::vector<Gap> find_gaps(const Programs& programs, const ScanResult& scan);

}  // namespace idxfsck::audit
