#include "store/azure/token_chain.hpp"

#include <algorithm>
#include <array>

#include "store/error.hpp"

namespace idxfsck::store {

namespace {

constexpr std::int64_t renew_before_ms = 60'000;

struct Wanted {
    bool environment = true;
    bool workload = true;
    bool managed = true;
    bool command = true;
    bool only = false;  // one alone, by its name
};

std::string lower(std::string text) {
    for (char& c : text) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    return text;
}

Wanted wanted_sources(const AzureSurroundings& around) {
    const std::string word = lower(around.variable("AZURE_TOKEN_CREDENTIALS").value_or("dev"));
    if (word == "dev") return {};
    if (word == "prod") return {true, true, true, false, false};
    if (word == "environmentcredential") return {true, false, false, false, true};
    if (word == "workloadidentitycredential") return {false, true, false, false, true};
    if (word == "managedidentitycredential") return {false, false, true, false, true};
    if (word == "azureclicredential") return {false, false, false, true, true};
    throw Error{"AZURE_TOKEN_CREDENTIALS names no source of credentials", Trouble::usage}
        .with("seen", word)
        .hint("it is dev, prod, EnvironmentCredential, WorkloadIdentityCredential, "
              "ManagedIdentityCredential or AzureCliCredential");
}

// The table of what was tried.
Error nothing_found(const Wanted& wanted) {
    Error error{"no credentials for Azure were found"};
    error.with("connection string", "AZURE_STORAGE_CONNECTION_STRING is not set");
    error.with("account key", "AZURE_STORAGE_KEY is not set");
    error.with("shared access signature", "AZURE_STORAGE_SAS_TOKEN is not set");
    const auto tried = [&](const char* name, bool asked, const char* why) {
        error.with(name, asked ? why : "left out by AZURE_TOKEN_CREDENTIALS");
    };
    tried("environment", wanted.environment, "AZURE_CLIENT_SECRET is not set");
    tried("workload identity", wanted.workload, "AZURE_FEDERATED_TOKEN_FILE is not set");
    if (!wanted.managed) tried("managed identity", false, "");
    if (!wanted.command) tried("az", false, "");
    error.hint("log in: az login; or set AZURE_STORAGE_CONNECTION_STRING");
    return error;
}

}  // namespace

AzureToken find_azure_token(const AzureSurroundings& around, const TokenResource& resource) {
    const Wanted wanted = wanted_sources(around);
    if (wanted.environment) {
        if (auto token = environment_token(around, resource)) return *token;
    }
    if (wanted.workload) {
        if (auto token = workload_token(around, resource)) return *token;
    }
    Error error = nothing_found(wanted);
    if (wanted.managed) {
        if (auto token = hosted_identity_token(around, resource)) return *token;
        try {
            return machine_token(around, resource);
        } catch (const Error& why) {
            if (wanted.only) throw;
            error.with("managed identity", why.what());
        }
    }
    if (!wanted.command) throw error;
    try {
        return command_token(around, resource);
    } catch (const Error& why) {
        throw error.with("az", why.what());
    }
}

TokenChain::TokenChain(AzureSurroundings around, bool cosmos)
    : around_{std::move(around)},
      resource_{cosmos ? "https://cosmos.azure.com" : "https://storage.azure.com"} {}

Bytes TokenChain::get() {
    const std::lock_guard lock{mutex_};
    const std::int64_t now_ms = around_.clock->wall_ms();
    if (kept_ && kept_->expires_ms > now_ms + renew_before_ms) return kept_->text;
    try {
        kept_ = find_azure_token(around_, resource_);
        source_ = kept_->source;
    } catch (const Error&) {
        // What is left of the old one is enough to try again a little later.
        if (!kept_ || kept_->expires_ms <= now_ms) throw;
    }
    return kept_->text;
}

void TokenChain::forget(const Bytes& refused) {
    const std::lock_guard lock{mutex_};
    // Another thread may have asked again already.
    if (kept_ && kept_->text == refused) kept_.reset();
}

std::string TokenChain::source() const {
    const std::lock_guard lock{mutex_};
    return source_;
}

}  // namespace idxfsck::store
