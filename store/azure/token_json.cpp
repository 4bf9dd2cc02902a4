#include "store/azure/token_json.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "store/error.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::store {

namespace {

using Json = nlohmann::json;

// Where nothing is said, the next question comes soon.
constexpr std::int64_t lifetime_unknown_ms = 300'000;
constexpr std::int64_t lifetime_seconds_max = 30 * 86'400;

Bytes text_of(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : Bytes{};
}

// A whole number, bare or in a text.
std::optional<std::int64_t> number_of(const Json& object, const char* name) {
    const auto found = object.find(name);
    if (found == object.end()) return std::nullopt;
    if (found->is_number_integer()) return found->get<std::int64_t>();
    return found->is_string() ? integer_from_text<std::int64_t>(found->get<std::string>())
                              : std::nullopt;
}

std::int64_t expiry_in(const Json& json, std::int64_t now_ms) {
    const auto fits = [](std::int64_t seconds) {
        return seconds > 0 && seconds <= lifetime_seconds_max;
    };
    if (const auto seconds = number_of(json, "expires_in"); seconds && fits(*seconds)) {
        return now_ms + *seconds * 1000;
    }
    const auto at = number_of(json, "expires_on");
    if (at && fits(*at - now_ms / 1000)) return *at * 1000;
    return now_ms + lifetime_unknown_ms;
}

// It goes into a header.
bool is_token(BytesView text) {
    const auto fits = [](char c) { return c > ' ' && c < 0x7f; };
    return !text.empty() && std::all_of(text.begin(), text.end(), fits);
}

// AADSTS7000215 of "AADSTS7000215: Invalid client secret provided…".
Bytes code_in(BytesView description) {
    const BytesView code = description.substr(0, description.find(':'));
    const bool word = code.starts_with("AADSTS") && code.size() < 20 &&
                      code.find_first_not_of("0123456789", 6) == BytesView::npos;
    return word ? Bytes{code} : Bytes{};
}

Bytes word_in(BytesView text) {
    const auto fits = [](char c) { return c == '_' || (c >= 'a' && c <= 'z'); };
    const bool word = text.size() < 60 && std::all_of(text.begin(), text.end(), fits);
    return word ? Bytes{text} : Bytes{};
}

}  // namespace

AzureToken token_from_json(const AzureSurroundings& around, BytesView text,
                           const std::string& source) {
    const Json json = Json::parse(text, nullptr, false);
    AzureToken out;
    out.source = source;
    if (json.is_object()) {
        out.text = text_of(json, "access_token");
        if (out.text.empty()) out.text = text_of(json, "accessToken");
        out.expires_ms = expiry_in(json, around.clock->wall_ms());
    }
    if (is_token(out.text)) return out;
    throw Error{"what was to give a token gave none"}.with("source", source);
}

AzureToken token_from_answer(const AzureSurroundings& around, const HttpResult& result,
                             const std::string& source) {
    if (result.failure.empty() && result.status == 200) {
        return token_from_json(around, result.body, source);
    }
    Error error{"no token was given"};
    error.with("source", source);
    if (!result.failure.empty()) throw error.with("cause", result.failure);
    error.with("status", std::to_string(result.status));
    const Json json = Json::parse(result.body, nullptr, false);
    if (!json.is_object()) throw error;
    const Bytes word = word_in(text_of(json, "error"));
    const Bytes code = code_in(text_of(json, "error_description"));
    if (!word.empty()) error.with("cause", word);
    if (!code.empty()) error.with("code", code);
    throw error;
}

bool is_identity_name(BytesView name) {
    const auto fits = [](char c) {
        return c == '-' || c == '.' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
               (c >= 'a' && c <= 'z');
    };
    return !name.empty() && name.size() <= 253 && name[0] != '-' && name[0] != '.' &&
           std::all_of(name.begin(), name.end(), fits);
}

}  // namespace idxfsck::store
