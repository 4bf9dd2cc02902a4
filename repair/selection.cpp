#include "repair/selection.hpp"

#include "store/error.hpp"

namespace idxfsck::repair {

namespace {

std::unordered_set<std::string> known(const std::unordered_set<std::string>& of_plan,
                                      const std::vector<std::string>& ids) {
    for (const std::string& id : ids) {
        if (of_plan.contains(id)) continue;
        throw store::Error{"the plan has no operation of this id", store::Trouble::usage}
            .with("id", id)
            .hint("`idxfsck plan --show` lists the ids");
    }
    return {ids.begin(), ids.end()};
}

}  // namespace

Selection::Selection(const Plan& plan, const RepairOptions& options) {
    std::unordered_set<std::string> of_plan;
    for (const Operation& operation : plan.operations) of_plan.insert(operation.id);
    only_ = known(of_plan, options.only);
    except_ = known(of_plan, options.except);
}

}  // namespace idxfsck::repair
