// store/azure/access.hpp
//
// Where requests to a table service go, and by what right.
//
// Shape    The account is the spec's, else that of the environment. What is first there wins:
//            1  AZURE_STORAGE_CONNECTION_STRING
//            2  AZURE_STORAGE_KEY
//            3  AZURE_STORAGE_SAS_TOKEN
//            4  a token of Microsoft Entra ID, by token_chain.hpp
//          The address is that of the connection string, else AZURE_STORAGE_SERVICE_ENDPOINT, else
//          the spec's, else the account's own under core.windows.net. One that only the spec names
//          is taken if it is Azure's own, or this machine; this machine is taken for an emulator
//          and gets the key that all emulators have.
//          A signature that is cut to a range of keys is refused: through it the service shows the
//          rows of that range as if they were all.
// Errors   Throws Error (usage) saying what to set. No error holds a part of a secret.
// Source   "Configure Azure Storage connection strings", "Create a service SAS" and "az storage",
//          Microsoft Learn.

#pragma once

#include <string>

#include "store/azure/surroundings.hpp"

namespace idxfsck::store {

enum class AzureRight { account_key, shared_access, token };

struct AzureAccess {
    std::string url;      // of the service, without a slash at the end
    std::string account;
    bool cosmos = false;  // the Table API of Cosmos DB
    bool own = false;     // an address of Azure's own
    bool account_in_path = false;  // as emulators have it
    AzureRight right = AzureRight::token;
    Bytes secret;        // the decoded key, or the signature without '?'
    std::string source;  // for people: "AZURE_STORAGE_KEY"
};

struct AzureWishes {
    std::string account;   // of the spec; empty: none
    std::string endpoint;  // of the spec; empty: none
};

// A parameter of a shared access signature, as it stands there; empty if it has none of this name.
Bytes signature_parameter(const Bytes& signature, BytesView name);

// Until when a signature holds, in RFC 3339; empty if it does not say so itself.
Bytes signature_end(const Bytes& signature);

AzureAccess find_azure_access(const AzureSurroundings& around, const AzureWishes& wishes);

}  // namespace idxfsck::store
