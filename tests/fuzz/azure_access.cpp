// What an environment says of an Azure account: connection strings, endpoints, signatures, and the
// answers of those who give tokens.
//
// Promised: no bytes crash a parser; a right is given whole or refused; a request goes with TLS, or
// stays on this machine; and what the environment keeps secret goes to no server that only a spec
// names. Method: the input as each of these texts, and its lines as an account, an endpoint of the
// environment, one of the spec, and a signature.

#include <algorithm>
#include <map>

#include "store/azure/access.hpp"
#include "store/azure/connection_string.hpp"
#include "store/azure/token_claims.hpp"
#include "store/azure/token_json.hpp"
#include "store/error.hpp"
#include "store/http/address.hpp"
#include "store/json/base64.hpp"
#include "store/json/scalar_text.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/target.hpp"

namespace idxfsck::tests {

namespace {

using store::AzureAccess;
using store::Bytes;
using store::BytesView;
using Environment = std::map<std::string, std::string>;

store::AzureSurroundings around(const Environment& environment) {
    store::AzureSurroundings out;
    out.environment = [environment](const std::string& name) -> std::optional<std::string> {
        const auto found = environment.find(name);
        if (found == environment.end()) return std::nullopt;
        return found->second;
    };
    out.clock = &store::system_clock();
    return out;
}

void check_connection_string(BytesView bytes) {
    try {
        const store::ConnectionString parts = store::parse_connection_string(bytes);
        store::ensure(!parts.key.empty() || !parts.shared_access.empty(), "it gives a right");
        store::ensure(parts.key.empty() || !parts.account.empty(), "a key is of an account");
        store::ensure(!parts.endpoint.empty() && !parts.endpoint.ends_with('/'),
                      "it gives an endpoint");
    } catch (const store::Error& error) {
        store::ensure(error.trouble() == store::Trouble::usage, "it is the user's to mend");
    }
}

// Nothing if there is none.
std::optional<AzureAccess> access_of(const Environment& environment,
                                     const store::AzureWishes& wishes) {
    try {
        const AzureAccess access = store::find_azure_access(around(environment), wishes);
        const auto address = store::parse_address(access.url);
        store::ensure(address && store::may_send(*address, store::PlainHttp::loopback),
                      "a request goes with TLS, or stays on this machine");
        const bool needs_secret = access.right != store::AzureRight::token;
        store::ensure(access.secret.empty() != needs_secret, "a right is whole");
        return access;
    } catch (const store::Error&) {
        // What makes no sense is refused.
        return std::nullopt;
    }
}

void check_access(BytesView bytes) {
    static_cast<void>(access_of({{"AZURE_STORAGE_CONNECTION_STRING", Bytes{bytes}}}, {}));
    Input input{bytes};
    const std::string account{input.line()};
    const std::string endpoint{input.line()};
    const std::string wished{input.line()};
    const std::string signature{input.line()};
    const Environment keyed{{"AZURE_STORAGE_ACCOUNT", account},
                            {"AZURE_STORAGE_KEY", store::to_base64("key")}};
    // Where the environment names no server, only Azure itself gets the key.
    const auto placed = access_of(keyed, {"", wished});
    store::ensure(!placed || placed->own || placed->source == "emulator",
                  "no key goes to a server that only a spec names");
    store::ensure(!placed || (placed->source == "emulator") == (placed->secret != "key"),
                  "an emulator gets what everybody knows");
    static_cast<void>(access_of({{"AZURE_STORAGE_ACCOUNT", account},
                                 {"AZURE_STORAGE_SERVICE_ENDPOINT", endpoint},
                                 {"AZURE_STORAGE_SAS_TOKEN", signature}},
                                {"", wished}));
}

void check_token(BytesView bytes) {
    try {
        const store::AzureToken token = store::token_from_json(around({}), bytes, "test");
        const auto fits = [](char c) { return c > ' ' && c < 0x7f; };
        store::ensure(!token.text.empty() &&
                          std::all_of(token.text.begin(), token.text.end(), fits),
                      "a token can stand in a header");
    } catch (const store::Error&) {
        // What gives no token says so.
    }
    store::HttpResult refusal;
    refusal.status = 400;
    refusal.body = bytes;
    try {
        static_cast<void>(store::token_from_answer(around({}), refusal, "test"));
        store::ensure(false, "a refusal gives no token");
    } catch (const store::Error&) {
    }
}

void check_claims(BytesView token) {
    const store::TokenClaims claims = store::claims_of(token);
    store::ensure(claims.tenant.empty() || store::guid_name(claims.tenant) == claims.tenant,
                  "a tenant is a guid");
    const auto shows = [](char c) { return static_cast<std::uint8_t>(c) >= ' ' && c != 0x7f; };
    store::ensure(store::is_utf8(claims.identity) &&
                      std::all_of(claims.identity.begin(), claims.identity.end(), shows),
                  "an identity can be shown");
}

}  // namespace

void fuzz_azure_access(BytesView bytes) {
    check_connection_string(bytes);
    check_access(bytes);
    check_token(bytes);
    check_claims(bytes);
    check_claims("x." + store::to_base64(bytes, {true, false}) + ".x");
    for (const char* const name : {"sp", "se", "spk"}) {
        store::ensure(store::signature_parameter(Bytes{bytes}, name).size() <= bytes.size(),
                      "a parameter is a part of its signature");
    }
}

}  // namespace idxfsck::tests
