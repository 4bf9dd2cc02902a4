#include "audit/engine_choice.hpp"

#include "audit/engines.hpp"
#include "audit/entry_sample.hpp"
#include "audit/sketch_reconciler.hpp"

namespace idxfsck::audit {

namespace {

// Why an index cannot go into a sketch; empty if it can.
std::string_view why_exact(const IndexSpec& spec) {
    if (!spec.has_pointer()) return "its entries name no base row";
    // It may differ from its base rows by design, row by row: too much for a sketch.
    if (spec.lossy) return "it is lossy";
    // Most of its entries may be missing, and that is right.
    if (!spec.version_of.empty()) return "it is an older key version";
    return "";
}

}  // namespace

bool is_metered(const Programs& programs, const TableReaders& readers, std::size_t index) {
    const CompiledIndex& compiled = programs.indexes[index];
    return readers[compiled.table]->capabilities().metered ||
           readers[programs.bases[compiled.base].table]->capabilities().metered;
}

std::vector<EngineShape> choose_shapes(const Programs& programs, const TableReaders& readers,
                                       const EngineWishes& wishes) {
    std::vector<EngineShape> shapes(programs.indexes.size());
    if (wishes.choice == EngineChoice::exact) return shapes;
    // Sketches grow with threads and indexes, and may have half of the memory.
    std::uint64_t room = wishes.memory_bytes_max / 2;
    for (std::size_t index = 0; index < shapes.size(); ++index) {
        if (!why_exact(programs.indexes[index].program->spec()).empty()) continue;
        EntrySample sample = sample_entries(programs, readers, index);
        const std::size_t cell_size = sketch_cell_size(std::move(sample.sizes));
        const std::uint64_t bytes = sketch_bytes(cell_size) * wishes.workers;
        if (bytes > room) continue;
        room -= bytes;
        shapes[index].sketch_cell_size = cell_size;
        shapes[index].journal = wishes.choice == EngineChoice::one_pass ||
                                is_metered(programs, readers, index);
    }
    return shapes;
}

std::string engine_reason(const Programs& programs, const TableReaders& readers,
                          EngineChoice choice, std::size_t index, const EngineShape& shape) {
    if (choice == EngineChoice::fixed) return "fixed by the parameters of the shares";
    if (shape.sketch_cell_size == 0) {
        if (choice == EngineChoice::exact) return "asked for";
        const std::string_view why = why_exact(programs.indexes[index].program->spec());
        return std::string{why.empty() ? "its sketches would take half of the memory" : why};
    }
    if (!shape.journal) return choice == EngineChoice::sketch ? "asked for" : "";
    return is_metered(programs, readers, index) ? "the store is metered" : "asked for";
}

}  // namespace idxfsck::audit
