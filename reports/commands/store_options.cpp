#include "reports/commands/store_options.hpp"

namespace idxfsck::reports {

store::Shape shape_option(const Arguments& arguments) {
    const auto name = arguments.choice("shape", {store::shape_names.begin(),
                                                 store::shape_names.end()});
    return name ? *store::find_shape(*name) : store::Shape::automatic;
}

}  // namespace idxfsck::reports
