#include "store/azure/token_chain.hpp"

#include "store/error.hpp"

namespace idxfsck::store {

Bytes TokenChain::get() {
    throw Error{"no credentials for Azure were found"}
        .with("connection string", "AZURE_STORAGE_CONNECTION_STRING is not set")
        .with("account key", "AZURE_STORAGE_KEY is not set")
        .with("shared access signature", "AZURE_STORAGE_SAS_TOKEN is not set")
        .hint("set one of them");
}

void TokenChain::forget(const Bytes&) {}
std::string TokenChain::source() const { return "none"; }

}  // namespace idxfsck::store
