#include "audit/cover.hpp"

#include <algorithm>

namespace idxfsck::audit {

std::vector<TableCoverage> cover_tables(const Programs& programs, const ScanResult& scan) {
    std::vector<TableCoverage> tables;
    for (std::size_t number = 0; number < programs.tables.size(); ++number) {
        TableCoverage table;
        table.store = programs.tables[number].store;
        table.table = programs.tables[number].schema.name;
        table.partitions = scan.walk.partitions[number].cut;
        table.partitions_read = scan.walk.partitions[number].read();
        for (const auto& worker : scan.workers) {
            table.rows += worker->tables[number].rows;
            table.rows_other += worker->tables[number].rows_other;
            table.rows_damaged += worker->tables[number].rows_damaged;
        }
        tables.push_back(std::move(table));
    }
    return tables;
}

std::vector<IndexCoverage> cover_indexes(const Programs& programs, const ScanResult& scan) {
    std::vector<IndexCoverage> indexes;
    for (std::size_t number = 0; number < programs.indexes.size(); ++number) {
        const std::size_t base = programs.indexes[number].base;
        IndexCoverage index;
        index.index = programs.indexes[number].program->spec().name;
        for (const auto& worker : scan.workers) {
            index.base_rows += worker->bases[base].real;
            index.base_rows_partial += worker->bases[base].partial;
            index.base_rows_exempt += worker->indexes[number].exempt;
            index.base_rows_expired += worker->bases[base].expired;
            index.base_rows_uncovered += worker->indexes[number].uncovered;
            index.entries_expected += worker->indexes[number].expected;
            index.entries_held += worker->indexes[number].held;
        }
        indexes.push_back(std::move(index));
    }
    return indexes;
}

std::vector<Gap> find_gaps(const Programs& programs, const ScanResult& scan) {
    std::vector<Gap> gaps = scan.walk.gaps;
    for (std::size_t number = 0; number < programs.tables.size(); ++number) {
        std::vector<store::Bytes> keys;
        for (const auto& worker : scan.workers) {
            for (const auto& key : worker->tables[number].damaged) keep_damaged(keys, key);
        }
        for (const store::Bytes& key : keys) {
            gaps.push_back({programs.tables[number].schema.name, "row " + store::to_hex(key),
                            "the stored bytes are no row"});
        }
    }
    return gaps;
}

}  // namespace idxfsck::audit
