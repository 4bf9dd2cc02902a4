#include "store/open_azure_tables.hpp"

#include "store/open_setting.hpp"

namespace idxfsck::store {

std::vector<std::string> azure_tables_setting_names() { return {"account", "endpoint", "rate"}; }

AzureTablesSettings azure_tables_settings(const Settings& settings) {
    AzureTablesSettings out;
    out.place = {text_setting(settings, "account"), text_setting(settings, "endpoint")};
    out.requests_a_second = rate_setting(settings, "requests");
    return out;
}

}  // namespace idxfsck::store
