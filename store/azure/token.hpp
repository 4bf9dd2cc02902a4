// store/azure/token.hpp
//
// A token of Microsoft Entra ID, and each place that gives one.
//
// Shape    Each function gives a token; nothing if the environment says nothing of such a source;
//          and throws if it is named and fails.
// Errors   Throws Error, with `source` and what the server says in its own code words. No error
//          holds a part of a token or a secret. Whom a token stands for: token_claims.hpp.
// Source   "Microsoft identity platform and the OAuth 2.0 client credentials flow", "How to use
//          managed identities", "az account get-access-token", Microsoft Learn; the credentials of
//          the Azure SDK for C++.

#pragma once

#include <optional>
#include <string>

#include "store/azure/surroundings.hpp"

namespace idxfsck::store {

struct AzureToken {
    Bytes text;
    std::int64_t expires_ms = 0;  // since 1970
    std::string source;           // for people: "environment (client 1234…)"
};

// What a token is for: "https://storage.azure.com".
using TokenResource = std::string;

// AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET.
std::optional<AzureToken> environment_token(const AzureSurroundings& around,
                                            const TokenResource& resource);

// AZURE_FEDERATED_TOKEN_FILE with AZURE_TENANT_ID and AZURE_CLIENT_ID.
std::optional<AzureToken> workload_token(const AzureSurroundings& around,
                                         const TokenResource& resource);

// IDENTITY_ENDPOINT with IDENTITY_HEADER, as App Service and Container Apps have them.
std::optional<AzureToken> hosted_identity_token(const AzureSurroundings& around,
                                                const TokenResource& resource);

// Of the machine, asked for at most a second: off the cloud nobody answers. Never nothing.
AzureToken machine_token(const AzureSurroundings& around, const TokenResource& resource);

// By the command `az`. Never nothing.
AzureToken command_token(const AzureSurroundings& around, const TokenResource& resource);

}  // namespace idxfsck::store
