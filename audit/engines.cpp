#include "audit/engines.hpp"

#include "audit/fingerprint.hpp"
#include "audit/scratch.hpp"
#include "audit/sketch_reconciler.hpp"
#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

Counting counting_of(const IndexSpec& spec) {
    if (!spec.version_of.empty()) {
        return spec.tried_in_order ? Counting::older_tried : Counting::older;
    }
    if (spec.has_pointer()) return Counting::multiset;
    return spec.unique ? Counting::set_unique : Counting::set;
}

// A lossy index may differ from its base rows by design, row by row: too much for a sketch.
// Of an older key version most entries may be missing, and that is right.
bool can_sketch(const IndexSpec& spec) {
    return spec.has_pointer() && !spec.lossy && spec.version_of.empty();
}

class SizeSink : public EntrySink {
public:
    explicit SizeSink(std::vector<std::size_t>& sizes) : sizes_{sizes} {}

    void entry(const EntryView& entry) override { sizes_.push_back(bytes_.of(entry, true).size()); }
    void damage(Damage, store::BytesView) override {}

private:
    std::vector<std::size_t>& sizes_;
    EntryBytes bytes_;
};

// The entries of the first page of a base table.
class SampleSink : public PageSink {
public:
    SampleSink(const CompiledBase& base, const CompiledIndex& index,
               std::vector<std::size_t>& sizes)
        : PageSink{[](std::uint64_t) { return false; }},
          base_{base},
          index_{index},
          sizes_{sizes} {}

protected:
    void take(const store::RowView& row, std::uint64_t) override {
        if (base_.program->classify(row, scratch_) != RowClass::real) return;
        index_.program->derive(row, scratch_, sizes_);
    }

private:
    const CompiledBase& base_;
    const CompiledIndex& index_;
    Scratch scratch_;
    SizeSink sizes_;
};

// How wide the cells of a sketch should be, from a look at the first rows.
std::size_t sampled_cell_size(const Programs& programs, const TableReaders& readers,
                              std::size_t index) {
    const CompiledBase& base = programs.bases[programs.indexes[index].base];
    const TableProgram& table = programs.tables[base.table];
    std::vector<std::size_t> sizes;
    SampleSink sink{base, programs.indexes[index], sizes};
    store::ScanOptions options;
    options.projection = &table.projection;
    try {
        const auto partitions = readers[base.table]->split(table.schema.name, 1);
        if (partitions.empty()) return sketch_cell_size({});
        readers[base.table]->scan(table.schema.name, partitions.front(), options, sink);
    } catch (const store::Error&) {
        // The scan will meet the same trouble and report it as a gap; a width is only a guess.
    }
    return sketch_cell_size(std::move(sizes));
}

bool metered(const Programs& programs, const TableReaders& readers, std::size_t index) {
    const CompiledIndex& compiled = programs.indexes[index];
    return readers[compiled.table]->capabilities().metered ||
           readers[programs.bases[compiled.base].table]->capabilities().metered;
}

}  // namespace

std::vector<EngineShape> choose_shapes(const Programs& programs, const TableReaders& readers,
                                       EngineChoice choice) {
    std::vector<EngineShape> shapes(programs.indexes.size());
    if (choice == EngineChoice::exact) return shapes;
    for (std::size_t index = 0; index < shapes.size(); ++index) {
        if (!can_sketch(programs.indexes[index].program->spec())) continue;
        if (metered(programs, readers, index)) continue;
        shapes[index].sketch_cell_size = sampled_cell_size(programs, readers, index);
    }
    return shapes;
}

Engines::Engines(const Programs& programs, const std::vector<EngineShape>& shapes,
                 std::uint64_t seed, MemoryBudget& budget, std::string spill_directory)
    : programs_{programs},
      budget_{budget},
      spill_directory_{std::move(spill_directory)},
      reconcilers_(programs.indexes.size()) {
    store::ensure(shapes.size() == programs.indexes.size(), "one engine an index");
    for (std::size_t index = 0; index < shapes.size(); ++index) {
        if (shapes[index].sketch_cell_size == 0) {
            set_exact(index);
            continue;
        }
        owned_.push_back(
            std::make_unique<SketchReconciler>(seed, shapes[index].sketch_cell_size));
        reconcilers_[index] = owned_.back().get();
    }
}

void Engines::set_exact(std::size_t index) {
    owned_.push_back(std::make_unique<ExactReconciler>(
        counting_of(programs_.indexes[index].program->spec()), budget_, spill_directory_));
    reconcilers_[index] = owned_.back().get();
}

std::vector<Reconciler*> Engines::replace(const std::vector<bool>& replaced) {
    std::vector<Reconciler*> fresh(reconcilers_.size());
    for (std::size_t index = 0; index < replaced.size(); ++index) {
        if (!replaced[index]) continue;
        set_exact(index);
        fresh[index] = reconcilers_[index];
    }
    return fresh;
}

}  // namespace idxfsck::audit
