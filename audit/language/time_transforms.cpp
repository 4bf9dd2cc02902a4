#include "audit/language/transforms.hpp"

namespace idxfsck::audit::language {

std::span<const TransformInfo> time_transforms() {
    return {};
}

}  // namespace idxfsck::audit::language
