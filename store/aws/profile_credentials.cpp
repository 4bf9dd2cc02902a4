#include "store/aws/profile_credentials.hpp"

#include <algorithm>

#include "store/aws/metadata.hpp"
#include "store/aws/sso.hpp"
#include "store/aws/sts.hpp"
#include "store/error.hpp"
#include "store/private_file.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t token_bytes_max = 64 << 10;
constexpr std::size_t roles_in_a_row_max = 5;

class ProfileLookup {
public:
    ProfileLookup(const AwsSurroundings& around, const Profiles& profiles)
        : around_{around}, profiles_{profiles} {}

    std::optional<Credentials> find(const std::string& name) {
        const ProfileSection* const profile = profiles_.find(name);
        if (profile == nullptr) return std::nullopt;
        if (profile->contains("role_arn")) return role(name, *profile);
        if (auto keys = static_keys(name, *profile)) return keys;
        if (profile->contains("credential_process")) return process(name, *profile);
        if (is_sso(*profile)) return sso_credentials(around_, profiles_, name);
        if (profile->contains("login_session")) {
            throw Error{"the profile logs in in a way that is not known here", Trouble::usage}
                .with("profile", name)
                .hint("give it `credential_process = aws configure export-credentials --profile " +
                      name + "` under another name");
        }
        return std::nullopt;
    }

private:
    std::optional<Credentials> static_keys(const std::string& name,
                                           const ProfileSection& profile) const {
        Credentials out{setting_of(profile, "aws_access_key_id"),
                        setting_of(profile, "aws_secret_access_key"),
                        setting_of(profile, "aws_session_token"),
                        std::nullopt,
                        "profile " + name};
        if (out.key_id.empty() && out.secret.empty()) return std::nullopt;
        if (!out.key_id.empty() && !out.secret.empty()) return out;
        throw Error{"the profile has half a key", Trouble::usage}.with("profile", name).hint(
            "a profile needs aws_access_key_id and aws_secret_access_key");
    }

    Credentials process(const std::string& name, const ProfileSection& profile) const {
        const std::string source = "profile " + name + " (process)";
        const std::optional<Bytes> output = around_.run(setting_of(profile, "credential_process"));
        if (!output) {
            throw Error{"the program that fetches credentials failed"}
                .with("profile", name)
                .hint("run the credential_process of the profile by hand and see what it says");
        }
        return credentials_from_json(*output, "SessionToken", source);
    }

    Credentials role(const std::string& name, const ProfileSection& profile) {
        const Role role{setting_of(profile, "role_arn"), setting_of(profile, "role_session_name"),
                        setting_of(profile, "external_id"), setting_of(profile, "duration_seconds"),
                        "profile " + name + " (role)"};
        const std::string region = setting_of(profile, "region");
        const AwsPlace place = find_place(around_, profiles_, "sts", {region, ""});
        const std::string token_file = setting_of(profile, "web_identity_token_file");
        if (!token_file.empty()) {
            const Bytes token = read_file(token_file, token_bytes_max, Links::follow);
            return assume_role_with_token(around_, place, role, token);
        }
        if (profile.contains("mfa_serial")) {
            throw Error{"the role wants a code from a device, which nobody can be asked for here",
                        Trouble::usage}
                .with("profile", name)
                .hint("run: eval \"$(aws configure export-credentials --format env --profile " +
                      name + ")\"");
        }
        return assume_role(around_, place, role, role_source(name, profile));
    }

    // Whose credentials ask for the role.
    Credentials role_source(const std::string& name, const ProfileSection& profile) {
        const std::string from = setting_of(profile, "source_profile");
        if (from.empty()) return machine_source(name, setting_of(profile, "credential_source"));
        std::optional<Credentials> found;
        if (from == name) {
            found = static_keys(name, profile);
        } else {
            const bool again = std::find(seen_.begin(), seen_.end(), from) != seen_.end();
            if (again || seen_.size() >= roles_in_a_row_max) {
                throw Error{"profiles name each other in a circle, or too many in a row",
                            Trouble::usage}
                    .with("profile", name)
                    .with("source_profile", from);
            }
            seen_.push_back(name);
            found = find(from);
        }
        if (found) return *found;
        throw Error{"the profile that a role comes from has no credentials", Trouble::usage}
            .with("profile", name)
            .with("source_profile", from);
    }

    Credentials machine_source(const std::string& name, const std::string& source) const {
        if (source == "Ec2InstanceMetadata") return instance_credentials(around_);
        if (source == "EcsContainer") return container_credentials(around_);
        if (source == "Environment") {
            if (auto found = environment_credentials(around_)) return *found;
        }
        throw Error{"a role does not say whose credentials ask for it", Trouble::usage}
            .with("profile", name)
            .with("credential_source", source)
            .hint("a profile with role_arn needs source_profile, or credential_source = "
                  "Environment, Ec2InstanceMetadata or EcsContainer");
    }

    const AwsSurroundings& around_;
    const Profiles& profiles_;
    std::vector<std::string> seen_;
};

}  // namespace

std::optional<Credentials> profile_credentials(const AwsSurroundings& around,
                                               const Profiles& profiles, const std::string& name) {
    return ProfileLookup{around, profiles}.find(name);
}

std::optional<Credentials> environment_credentials(const AwsSurroundings& around) {
    const auto key_id = around.variable("AWS_ACCESS_KEY_ID");
    const auto secret = around.variable("AWS_SECRET_ACCESS_KEY");
    if (!key_id && !secret) return std::nullopt;
    if (!key_id || !secret) {
        throw Error{"the environment has half a key", Trouble::usage}.hint(
            "set both of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or neither");
    }
    return Credentials{*key_id, *secret, around.variable("AWS_SESSION_TOKEN").value_or(""),
                       std::nullopt, "environment"};
}

std::optional<Credentials> web_identity_credentials(const AwsSurroundings& around,
                                                    const Profiles& profiles) {
    const auto file = around.variable("AWS_WEB_IDENTITY_TOKEN_FILE");
    const auto arn = around.variable("AWS_ROLE_ARN");
    if (!file || !arn) return std::nullopt;
    const Role role{*arn, around.variable("AWS_ROLE_SESSION_NAME").value_or(""), "", "",
                    "web identity"};
    return assume_role_with_token(around, find_place(around, profiles, "sts", {}), role,
                                  read_file(*file, token_bytes_max, Links::follow));
}

}  // namespace idxfsck::store
