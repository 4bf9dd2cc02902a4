#include "store/open_dynamodb.hpp"

#include "store/open_setting.hpp"

namespace idxfsck::store {

namespace {

std::string text_of(const Settings& settings, const std::string& name) {
    const auto found = settings.find(name);
    return found == settings.end() ? std::string{} : found->second;
}

}  // namespace

std::vector<std::string> dynamodb_setting_names() { return {"consistent", "endpoint", "region"}; }

DynamodbSettings dynamodb_settings(const Settings& settings) {
    DynamodbSettings out;
    out.place = {text_of(settings, "region"), text_of(settings, "endpoint")};
    out.consistent = flag_setting(settings, "consistent");
    return out;
}

}  // namespace idxfsck::store
