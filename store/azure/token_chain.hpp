// store/azure/token_chain.hpp
//
// Tokens of Microsoft Entra ID for a table service, from wherever this person or machine has an
// identity, renewed before they run out.
//
// Errors   Throws Error. With nothing found its fields say what was tried and why it was not it,
//          and its hint what to do. No error holds a part of a token.
// Threads  All calls may run at once.

#pragma once

#include <mutex>
#include <string>

#include "store/azure/surroundings.hpp"

namespace idxfsck::store {

class TokenChain {
public:
    // `cosmos`: for the Table API of Cosmos DB instead of storage accounts.
    TokenChain(AzureSurroundings around, bool cosmos)
        : around_{std::move(around)}, cosmos_{cosmos} {}

    Bytes get();
    // The server refuses this one: the next get() asks the source again.
    void forget(const Bytes& refused);
    // Where the last one came from, for people.
    std::string source() const;

private:
    const AzureSurroundings around_;
    const bool cosmos_;
};

}  // namespace idxfsck::store
