#include "audit/entry_sample.hpp"

#include "audit/fingerprint.hpp"
#include "audit/scratch.hpp"
#include "audit/sketch_reconciler.hpp"
#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

class SampledEntries : public EntrySink {
public:
    SampledEntries(const IndexProgram& program, EntrySample& sample)
        : program_{program}, sample_{sample} {}

    void entry(const EntryView& entry) override {
        sample_.sizes.push_back(bytes_.of(entry, true).size());
        if (sample_.tell_base_rows) sample_.tell_base_rows = program_.locate(entry).has_value();
    }
    void damage(Damage, store::BytesView) override {}

private:
    const IndexProgram& program_;
    EntrySample& sample_;
    EntryBytes bytes_;
};

// The entries of the first page of a base table.
class SamplePage : public PageSink {
public:
    SamplePage(const CompiledBase& base, const CompiledIndex& index, EntrySample& sample)
        : PageSink{[](std::uint64_t) { return false; }},
          base_{base},
          index_{index},
          entries_{*index.program, sample} {}

protected:
    void take(const store::RowView& row, std::uint64_t) override {
        if (base_.program->classify(row, scratch_) != RowClass::real) return;
        index_.program->derive(row, scratch_, entries_);
    }

private:
    const CompiledBase& base_;
    const CompiledIndex& index_;
    Scratch scratch_;
    SampledEntries entries_;
};

}  // namespace

double EntrySample::chunks(std::size_t cell_size) const {
    if (sizes.empty()) return 1;
    std::size_t sum = 0;
    for (const std::size_t size : sizes) sum += sketch_chunks(size, cell_size);
    return static_cast<double>(sum) / static_cast<double>(sizes.size());
}

EntrySample sample_entries(const Programs& programs, const TableReaders& readers,
                           std::size_t index) {
    const CompiledBase& base = programs.bases[programs.indexes[index].base];
    const TableProgram& table = programs.tables[base.table];
    EntrySample sample;
    SamplePage page{base, programs.indexes[index], sample};
    store::ScanOptions options;
    options.projection = &table.projection;
    try {
        const auto partitions = readers[base.table]->split(table.schema.name, 1);
        if (partitions.empty()) return sample;
        readers[base.table]->scan(table.schema.name, partitions.front(), options, page);
    } catch (const store::Error&) {
        // The scan will meet the same trouble and report it as a gap; a sample is only a guess.
    }
    return sample;
}

}  // namespace idxfsck::audit
