#include "store/open_dynamodb.hpp"

#include "store/open_setting.hpp"

namespace idxfsck::store {

std::vector<std::string> dynamodb_setting_names() {
    return {"consistent", "endpoint", "rate", "region"};
}

DynamodbSettings dynamodb_settings(const Settings& settings) {
    DynamodbSettings out;
    out.place = {text_setting(settings, "region"), text_setting(settings, "endpoint")};
    out.consistent = flag_setting(settings, "consistent");
    out.units_a_second = rate_setting(settings, "read units");
    return out;
}

}  // namespace idxfsck::store
