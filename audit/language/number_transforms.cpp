#include "audit/language/transforms.hpp"

namespace idxfsck::audit::language {

std::span<const TransformInfo> number_transforms() {
    return {};
}

}  // namespace idxfsck::audit::language
