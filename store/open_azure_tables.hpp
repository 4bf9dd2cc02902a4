// store/open_azure_tables.hpp
//
// The tables of an Azure account from the settings that a spec gives a store of kind
// "azure_tables".
//
// Shape    account        else that of the environment
//          endpoint       another server than the account's own under core.windows.net; credentials
//                         go there only if the environment names it too, or if it is Azure's own
//          expect_tenant  the tenant that the credentials must be a token of, or nothing is read
//          rate           requests a second at most
// Errors   As open.hpp.

#pragma once

#include "store/azure_tables/client.hpp"
#include "store/open.hpp"

namespace idxfsck::store {

// The names of the settings, in order.
std::vector<std::string> azure_tables_setting_names();

AzureTablesSettings azure_tables_settings(const Settings& settings);

}  // namespace idxfsck::store
