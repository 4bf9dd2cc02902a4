#include "store/aws/sso.hpp"

#include <filesystem>

#include <nlohmann/json.hpp>
#include <openssl/sha.h>

#include "store/aws/place.hpp"
#include "store/error.hpp"
#include "store/private_file.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t file_bytes_max = 64 << 10;

struct Session {
    std::string cached_by;  // what the cache file is named for
    std::string region;
};

[[noreturn]] void refuse(const std::string& profile, const std::string& text) {
    throw Error{text}.with("profile", profile).hint("run: aws sso login --profile " + profile);
}

[[noreturn]] void refuse_setting(const std::string& profile, const std::string& setting) {
    throw Error{"the profile lacks a setting", Trouble::usage}
        .with("profile", profile)
        .with("setting", setting);
}

Session session_of(const Profiles& profiles, const std::string& name) {
    const ProfileSection& profile = *profiles.find(name);
    const std::string session = setting_of(profile, "sso_session");
    if (session.empty()) {
        return {setting_of(profile, "sso_start_url"), setting_of(profile, "sso_region")};
    }
    const auto found = profiles.sso_sessions.find(session);
    if (found == profiles.sso_sessions.end()) refuse_setting(name, "[sso-session " + session + "]");
    return {session, setting_of(found->second, "sso_region")};
}

Bytes sha1_hex(BytesView text) {
    unsigned char out[SHA_DIGEST_LENGTH];
    SHA1(reinterpret_cast<const unsigned char*>(text.data()), text.size(), out);
    return to_hex({reinterpret_cast<const char*>(out), sizeof out});
}

Bytes token_of(const AwsSurroundings& around, const Session& session, const std::string& profile) {
    const std::optional<std::string> folder = aws_folder(around);
    const std::string path =
        folder.value_or("") + "/sso/cache/" + sha1_hex(session.cached_by) + ".json";
    std::error_code ignored;
    if (!folder || !std::filesystem::exists(path, ignored)) {
        refuse(profile, "nobody has logged in for this profile");
    }
    const auto json =
        nlohmann::json::parse(read_file(path, file_bytes_max, Links::follow), nullptr, false);
    const auto text = [&](const char* member) {
        const auto found = json.is_object() ? json.find(member) : json.end();
        return found != json.end() && found->is_string() ? found->get<std::string>() : Bytes{};
    };
    const std::optional<std::int64_t> expires_ms = time_ms_from_text(text("expiresAt"));
    const Bytes token = text("accessToken");
    if (token.empty() || !expires_ms) refuse(profile, "the login for this profile cannot be read");
    if (*expires_ms <= around.clock->wall_ms()) refuse(profile, "the login has run out");
    return token;
}

HttpRequest request_for(const ProfileSection& profile, const std::string& region,
                        const Bytes& token) {
    HttpRequest request;
    request.method = "GET";
    request.url = own_url("portal.sso", region) +
                  "/federation/credentials?role_name=" + setting_of(profile, "sso_role_name") +
                  "&account_id=" + setting_of(profile, "sso_account_id");
    request.headers = {{"x-amz-sso_bearer_token", token}};
    request.response_bytes_max = file_bytes_max;
    request.total_ms_max = 10'000;
    return request;
}

// {"roleCredentials": {"accessKeyId": …, "expiration": milliseconds}}
Credentials credentials_in(BytesView body, const std::string& source) {
    const auto json = nlohmann::json::parse(body, nullptr, false);
    Credentials out;
    out.source = source;
    if (!json.is_object() || !json.contains("roleCredentials")) return out;
    const nlohmann::json& role = json["roleCredentials"];
    const auto text = [&](const char* member) {
        const bool there = role.is_object() && role.contains(member) && role[member].is_string();
        return there ? role[member].get<std::string>() : Bytes{};
    };
    out.key_id = text("accessKeyId");
    out.secret = text("secretAccessKey");
    out.session_token = text("sessionToken");
    const bool timed = role.is_object() && role.contains("expiration");
    if (timed && role["expiration"].is_number_integer()) {
        out.expires_ms = role["expiration"].get<std::int64_t>();
    }
    return out;
}

}  // namespace

bool is_sso(const ProfileSection& profile) {
    return profile.contains("sso_session") || profile.contains("sso_start_url");
}

Credentials sso_credentials(const AwsSurroundings& around, const Profiles& profiles,
                            const std::string& name) {
    const ProfileSection& profile = *profiles.find(name);
    for (const char* const setting : {"sso_account_id", "sso_role_name"}) {
        const std::string value = setting_of(profile, setting);
        // They go into an address as they are.
        const bool plain = value.find_first_of("&?#%/ ") == std::string::npos;
        if (value.empty() || !plain) refuse_setting(name, setting);
    }
    const Session session = session_of(profiles, name);
    if (session.region.empty()) refuse_setting(name, "sso_region");
    static_cast<void>(find_region(around, profiles, session.region));
    const Bytes token = token_of(around, session, name);
    const HttpResult result =
        send_patiently(around, request_for(profile, session.region, token), {100, 2'000, 15'000});
    if (!result.failure.empty()) {
        throw Error{"IAM Identity Center does not answer"}
            .with("profile", name)
            .with("cause", result.failure);
    }
    if (result.status == 401) refuse(name, "the login is not accepted any more");
    const Credentials out = credentials_in(result.body, "profile " + name + " (sso)");
    if (result.status == 200 && !out.key_id.empty() && !out.secret.empty()) return out;
    throw Error{"IAM Identity Center gives no credentials"}
        .with("profile", name)
        .with("status", std::to_string(result.status))
        .hint("may this login use the account and the role of the profile?");
}

}  // namespace idxfsck::store
