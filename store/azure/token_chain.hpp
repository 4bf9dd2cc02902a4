// store/azure/token_chain.hpp
//
// Tokens of Microsoft Entra ID for a table service, from wherever this person or machine has an
// identity, renewed before they run out.
//
// Shape    The order, and the first that has something wins:
//            1  a client's secret: AZURE_TENANT_ID, AZURE_CLIENT_ID, AZURE_CLIENT_SECRET
//            2  a workload's identity: AZURE_FEDERATED_TOKEN_FILE
//            3  a managed identity: IDENTITY_ENDPOINT, else the machine, asked once for a second
//            4  the command `az`
//          AZURE_TOKEN_CREDENTIALS: "dev" or nothing all of these, "prod" the first three, the name
//          of one (EnvironmentCredential, WorkloadIdentityCredential, ManagedIdentityCredential,
//          AzureCliCredential) that one alone. A source that is named and fails ends the search.
// Errors   Throws Error. With nothing found its fields say what was tried and why it was not it,
//          and its hint what to do. No error holds a part of a token.
// Threads  All calls may run at once.

#pragma once

#include <mutex>
#include <string>

#include "store/azure/token.hpp"

namespace idxfsck::store {

// Asks every source anew.
AzureToken find_azure_token(const AzureSurroundings& around, const TokenResource& resource);

class TokenChain {
public:
    // `cosmos`: for the Table API of Cosmos DB instead of storage accounts.
    TokenChain(AzureSurroundings around, bool cosmos);

    // Good for another minute at least, unless the source gives nothing better.
    Bytes get();
    // The server refuses this one: the next get() asks the source again.
    void forget(const Bytes& refused);
    // Where the last one came from, for people.
    std::string source() const;

private:
    const AzureSurroundings around_;
    const TokenResource resource_;
    mutable std::mutex mutex_;
    std::optional<AzureToken> kept_;
    std::string source_ = "none";
};

}  // namespace idxfsck::store
