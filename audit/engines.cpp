#include "audit/engines.hpp"

#include "audit/confirm_context.hpp"
#include "audit/one_pass_reconciler.hpp"
#include "audit/parted_sketch.hpp"
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

}  // namespace

// Cell sizes are even.
std::uint64_t shape_number(const EngineShape& shape) {
    return shape.sketch_cell_size + (shape.journal ? 1 : 0);
}

std::optional<EngineShape> shape_of_number(std::uint64_t number) {
    if (number == 0) return EngineShape{};
    const EngineShape shape{static_cast<std::size_t>(number & ~std::uint64_t{1}),
                            (number & 1) != 0};
    if (!is_sketch_cell_size(shape.sketch_cell_size)) return std::nullopt;
    return shape;
}

Engines::Engines(const Programs& programs, const std::vector<EngineShape>& shapes,
                 std::uint64_t seed, MemoryBudget& budget, std::string spill_directory)
    : programs_{programs},
      shapes_{shapes},
      seed_{seed},
      budget_{budget},
      spill_directory_{std::move(spill_directory)},
      owned_(programs.indexes.size()),
      reconcilers_(programs.indexes.size()) {
    store::ensure(shapes.size() == programs.indexes.size(), "one engine an index");
    for (std::size_t index = 0; index < shapes.size(); ++index) set(index, make(index));
}

void Engines::set(std::size_t index, std::unique_ptr<Reconciler> reconciler) {
    owned_[index] = std::move(reconciler);
    reconcilers_[index] = owned_[index].get();
}

std::unique_ptr<Reconciler> Engines::make(std::size_t index) const {
    const EngineShape& shape = shapes_[index];
    if (shape.sketch_cell_size == 0) return make_exact(index);
    if (!shape.journal) {
        return std::make_unique<SketchReconciler>(seed_, shape.sketch_cell_size, &budget_);
    }
    const IndexProgram& program = *programs_.indexes[index].program;
    return std::make_unique<OnePassReconciler>(
        seed_, shape.sketch_cell_size, budget_, spill_directory_,
        [&program](const std::vector<Unmatched>& entries) { return can_carry(program, entries); });
}

std::unique_ptr<Reconciler> Engines::make_exact(std::size_t index) const {
    return std::make_unique<ExactReconciler>(
        counting_of(programs_.indexes[index].program->spec()), budget_, spill_directory_);
}

void Engines::set_exact(std::size_t index) { set(index, make_exact(index)); }

void Engines::set_parted(std::size_t index, std::size_t tables) {
    set(index, std::make_unique<PartedSketch>(seed_, shapes_[index].sketch_cell_size, tables,
                                              budget_));
}

}  // namespace idxfsck::audit
