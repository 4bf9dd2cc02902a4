// store/azure/token_json.hpp
//
// What token servers and `az` say.
//
// Errors   Throws Error (AzureToken's rules): the text is never shown, but for the server's codes.

#pragma once

#include "store/azure/token.hpp"

namespace idxfsck::store {

// From {"access_token": …, "expires_in": …} or az's {"accessToken": …, "expires_on": …}.
AzureToken token_from_json(const AzureSurroundings& around, BytesView text,
                           const std::string& source);

// From the answer of a server, or an Error that says why it gave none.
AzureToken token_from_answer(const AzureSurroundings& around, const HttpResult& result,
                             const std::string& source);

// A name of a tenant or client that may go into an address or a command.
bool is_identity_name(BytesView name);

}  // namespace idxfsck::store
