#include "store/azure/token_claims.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "store/json/base64.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::store {

namespace {

using Json = nlohmann::json;

constexpr std::size_t name_bytes_max = 256;

Bytes text_in(const Json& claims, const char* name) {
    const auto found = claims.find(name);
    return found != claims.end() && found->is_string() ? found->get<std::string>() : Bytes{};
}

Json claims_in(BytesView token) {
    const std::size_t first = token.find('.');
    const std::size_t second = first == BytesView::npos ? first : token.find('.', first + 1);
    if (second == BytesView::npos) return {};
    const std::optional<Bytes> text =
        from_base64(token.substr(first + 1, second - first - 1), {true, false});
    return text ? Json::parse(*text, nullptr, false) : Json{};
}

// The name of a person: a text without what is no part of one.
std::string person_in(const Json& claims) {
    for (const char* const claim : {"upn", "unique_name", "preferred_username"}) {
        const Bytes name = text_in(claims, claim);
        const auto fits = [](char c) { return static_cast<std::uint8_t>(c) > ' ' && c != 0x7f; };
        const bool whole = !name.empty() && name.size() <= name_bytes_max && is_utf8(name);
        if (whole && std::all_of(name.begin(), name.end(), fits)) return name;
    }
    return {};
}

std::string identity_in(const Json& claims) {
    if (std::string person = person_in(claims); !person.empty()) return person;
    const std::string client = guid_name(text_in(claims, "appid"));
    if (!client.empty()) return "client " + client;
    const std::string object = guid_name(text_in(claims, "oid"));
    return object.empty() ? object : "object " + object;
}

}  // namespace

std::string guid_name(BytesView text) {
    const std::optional<Bytes> bytes = guid_from_text(text);
    std::string out;
    if (bytes) append_guid(out, *bytes);
    return out;
}

TokenClaims claims_of(BytesView token) {
    const Json claims = claims_in(token);
    if (!claims.is_object()) return {};
    return {guid_name(text_in(claims, "tid")), identity_in(claims)};
}

}  // namespace idxfsck::store
