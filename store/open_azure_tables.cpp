#include "store/open_azure_tables.hpp"

#include "store/error.hpp"
#include "store/open_setting.hpp"

namespace idxfsck::store {

namespace {

std::string tenant_in(const Settings& settings) {
    const std::string text = text_setting(settings, "expect_tenant");
    const std::string tenant = guid_name(text);
    if (text.empty() || !tenant.empty()) return tenant;
    throw Error{"a tenant is a guid", Trouble::usage}
        .with("setting", "expect_tenant")
        .with("seen", text)
        .hint("`az account show --query tenantId` says which; a domain name is not compared");
}

}  // namespace

std::vector<std::string> azure_tables_setting_names() {
    return {"account", "endpoint", "expect_tenant", "rate"};
}

AzureTablesSettings azure_tables_settings(const Settings& settings) {
    AzureTablesSettings out;
    out.place = {text_setting(settings, "account"), text_setting(settings, "endpoint")};
    out.expect_tenant = tenant_in(settings);
    out.requests_a_second = rate_setting(settings, "requests");
    return out;
}

}  // namespace idxfsck::store
