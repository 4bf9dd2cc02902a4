// store/azure/token_claims.hpp
//
// Whom a token of Microsoft Entra ID stands for, as it says itself.
//
// Shape    A token is three texts in base64, joined by dots; the second is JSON. It is not checked
//          here: what holds of a token says the service that it goes to. Only what names an
//          identity, and is no secret, is taken out.
// Errors   None: of a token that is built otherwise nothing is known.
// Source   "Access token claims reference", Microsoft Learn; RFC 7519.

#pragma once

#include <string>

#include "store/bytes.hpp"

namespace idxfsck::store {

struct TokenClaims {
    std::string tenant;    // a guid in lower case; empty: not known
    std::string identity;  // for people: "ann@example.com", else "client GUID", "object GUID"
};

TokenClaims claims_of(BytesView token);

// A guid as a tenant or a client is called by, in lower case; empty for any other text.
std::string guid_name(BytesView text);

}  // namespace idxfsck::store
