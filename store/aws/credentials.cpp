#include "store/aws/credentials.hpp"

#include <nlohmann/json.hpp>

#include "store/error.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::store {

namespace {

constexpr std::int64_t epoch_ticks = 621'355'968'000'000'000;
constexpr std::int64_t ticks_per_ms = 10'000;

Bytes text_of(const nlohmann::json& object, const std::string& name) {
    const auto found = object.find(name);
    return found != object.end() && found->is_string() ? found->get<std::string>() : Bytes{};
}

}  // namespace

Credentials credentials_from_json(BytesView text, const std::string& token_name,
                                  const std::string& source) {
    const auto json = nlohmann::json::parse(text, nullptr, false);
    Credentials out;
    out.source = source;
    if (json.is_object()) {
        out.key_id = text_of(json, "AccessKeyId");
        out.secret = text_of(json, "SecretAccessKey");
        out.session_token = text_of(json, token_name);
        const Bytes expiration = text_of(json, "Expiration");
        out.expires_ms = time_ms_from_text(expiration);
        if (!expiration.empty() && !out.expires_ms) out.secret.clear();
    }
    if (out.key_id.empty() || out.secret.empty()) {
        throw Error{"what was to give credentials gave none"}
            .with("source", source)
            .hint("it must give JSON with AccessKeyId, SecretAccessKey and, for temporary ones, " +
                  token_name + " and Expiration");
    }
    return out;
}

std::optional<std::int64_t> time_ms_from_text(BytesView text) {
    const Decoded<std::int64_t> ticks = date_time_from_text(text);
    if (!ticks) return std::nullopt;
    return (*ticks - epoch_ticks) / ticks_per_ms;
}

}  // namespace idxfsck::store
