// store/open_dynamodb.hpp
//
// A DynamoDB account and region from the settings that a spec gives a store of kind "dynamodb".
//
// Shape    region      else that of the environment or the profile
//          endpoint    another server than AWS's; credentials go there only if the environment
//                      names it too
//          expect_account  the account that the credentials must be of, or nothing is read
//          consistent  true: scans see every write before them, at twice the price
//          rate        read units a second at most
//          dollars_per_million_units        the price of a million read units
//          dollars_per_million_write_units  the price of a million write units
// Errors   As open.hpp.

#pragma once

#include "store/dynamodb/client.hpp"
#include "store/open.hpp"

namespace idxfsck::store {

// The names of the settings, in order.
std::vector<std::string> dynamodb_setting_names();

DynamodbSettings dynamodb_settings(const Settings& settings);

}  // namespace idxfsck::store
