#include "store/aws/credential_chain.hpp"

#include "store/aws/metadata.hpp"
#include "store/aws/profile_credentials.hpp"
#include "store/error.hpp"

namespace idxfsck::store {

namespace {

constexpr std::int64_t renew_before_ms = 60'000;

[[noreturn]] void refuse_profile(const Profiles& profiles, const std::string& name) {
    const bool there = profiles.find(name) != nullptr;
    throw Error{there ? "the profile in AWS_PROFILE says nothing of credentials"
                      : "there is no such profile as AWS_PROFILE names",
                Trouble::usage}
        .with("profile", name)
        .hint("aws configure list-profiles names those that there are");
}

// The table of what was tried.
Error nothing_found(const Profiles& profiles) {
    Error error{"no credentials for AWS were found"};
    error.with("environment", "AWS_ACCESS_KEY_ID is not set");
    error.with("profile default", profiles.find("default") == nullptr
                                      ? "not in ~/.aws/config or ~/.aws/credentials"
                                      : "says nothing of credentials");
    error.with("web identity", "AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN are not set");
    error.with("container", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI and …_FULL_URI are not set");
    error.hint("set AWS_PROFILE to one of your profiles; after `aws sso login --profile NAME` "
               "that of a login will do");
    return error;
}

Credentials last_resort(const AwsSurroundings& around, const Profiles& profiles) {
    Error error = nothing_found(profiles);
    if (around.variable("AWS_EC2_METADATA_DISABLED") == "true") {
        throw error.with("instance", "AWS_EC2_METADATA_DISABLED is true");
    }
    try {
        return instance_credentials(around);
    } catch (const Error& why) {
        throw error.with("instance", why.what());
    }
}

bool lasts(const Credentials& credentials, std::int64_t until_ms) {
    return !credentials.expires_ms || *credentials.expires_ms > until_ms;
}

}  // namespace

Credentials find_credentials(const AwsSurroundings& around, const Profiles& profiles) {
    if (auto found = environment_credentials(around)) return *found;
    const std::string name = profile_name(around);
    if (auto found = profile_credentials(around, profiles, name)) return *found;
    if (around.variable("AWS_PROFILE")) refuse_profile(profiles, name);
    if (auto found = web_identity_credentials(around, profiles)) return *found;
    if (names_container(around)) return container_credentials(around);
    return last_resort(around, profiles);
}

Credentials CredentialChain::get() {
    const std::lock_guard lock{mutex_};
    const std::int64_t now_ms = around_.clock->wall_ms();
    if (kept_ && lasts(*kept_, now_ms + renew_before_ms)) return *kept_;
    try {
        kept_ = find_credentials(around_, profiles_);
    } catch (const Error&) {
        // What is left of the old ones is enough to try again a little later.
        if (!kept_ || !lasts(*kept_, now_ms)) throw;
    }
    return *kept_;
}

void CredentialChain::forget(const Credentials& refused) {
    const std::lock_guard lock{mutex_};
    // Another thread may have asked again already.
    if (kept_ && kept_->secret == refused.secret) kept_.reset();
}

}  // namespace idxfsck::store
