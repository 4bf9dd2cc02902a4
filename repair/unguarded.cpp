#include "repair/unguarded.hpp"

#include <algorithm>

namespace idxfsck::repair {

namespace {

bool reaches_base(const audit::IndexSpec& index, const audit::Spec& spec, const Stores& stores) {
    // An entry inside the base row is guarded with the row.
    if (index.inside) return true;
    const audit::BaseSpec* const base = spec.base(index.of);
    const auto store = stores.find(index.store);
    if (base == nullptr || store == stores.end() || base->store != index.store) return false;
    return store->second.reader->guard() == store::GuardReach::store;
}

}  // namespace

std::vector<std::string> unguarded_indexes(const Plan& plan, const audit::Spec& spec,
                                           const Stores& stores) {
    std::vector<std::string> names;
    for (const Operation& operation : plan.operations) {
        const audit::IndexSpec* const index = spec.index(operation.index);
        if (operation.kind == OperationKind::manual || index == nullptr) continue;
        if (std::find(names.begin(), names.end(), operation.index) != names.end()) continue;
        if (!reaches_base(*index, spec, stores)) names.push_back(operation.index);
    }
    return names;
}

}  // namespace idxfsck::repair
