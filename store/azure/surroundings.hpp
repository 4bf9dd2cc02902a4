// store/azure/surroundings.hpp
//
// What the code that finds Azure credentials may look at: the same as for AWS.

#pragma once

#include "store/aws/surroundings.hpp"

namespace idxfsck::store {

using AzureSurroundings = AwsSurroundings;

}  // namespace idxfsck::store
