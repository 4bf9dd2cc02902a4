#include "store/azure/access.hpp"

#include <algorithm>
#include <array>

#include "store/aws/credentials.hpp"
#include "store/azure/connection_string.hpp"
#include "store/error.hpp"
#include "store/http/address.hpp"

namespace idxfsck::store {

namespace {

constexpr std::array<std::string_view, 3> storage_suffixes{
    ".table.core.windows.net", ".table.core.chinacloudapi.cn", ".table.core.usgovcloudapi.net"};
constexpr std::string_view cosmos_suffix = ".table.cosmos.azure.com";

// It becomes a part of a host name: nothing else may come in that way.
bool is_account(const std::string& name) {
    const auto fits = [](char c) {
        return c == '-' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    };
    return name.size() >= 3 && name.size() <= 44 && std::all_of(name.begin(), name.end(), fits);
}

struct Address {
    HttpAddress host;
    std::string path;  // "" or "/account"
    std::string text() const { return host.text() + path; }

    friend bool operator==(const Address&, const Address&) = default;
};

std::string path_of(const std::string& url) {
    const std::size_t scheme = url.find("://");
    const std::size_t begin = scheme == std::string::npos ? scheme : url.find('/', scheme + 3);
    std::string path = begin == std::string::npos ? "" : url.substr(begin);
    while (path.ends_with('/')) path.pop_back();
    return path;
}

Address checked_address(const std::string& url) {
    const std::optional<HttpAddress> host = parse_address(url);
    const std::string path = path_of(url);
    if (!host || (!path.empty() && !is_account(path.substr(1)))) {
        throw Error{"the endpoint is no address of a table service", Trouble::usage}.hint(
            "an endpoint is https://ACCOUNT.table.core.windows.net or, on this machine, "
            "http://127.0.0.1:10002/devstoreaccount1");
    }
    if (may_send(*host, PlainHttp::loopback)) return {*host, path};
    throw Error{"plain HTTP goes to this machine only", Trouble::usage}
        .with("endpoint", host->text())
        .hint("give the endpoint with https://");
}

// The account whose own address it is; nothing for any other server.
std::optional<std::string> owner_of(const Address& address) {
    const auto& [encrypted, name, port] = address.host;
    if (!encrypted || (!port.empty() && port != "443") || !address.path.empty()) return {};
    const auto account_before =
        [host = std::string_view{name}](std::string_view suffix) -> std::optional<std::string> {
        if (!host.ends_with(suffix)) return std::nullopt;
        const std::string account{host.substr(0, host.size() - suffix.size())};
        return is_account(account) ? std::optional{account} : std::nullopt;
    };
    for (const std::string_view suffix : storage_suffixes) {
        if (auto account = account_before(suffix)) return account;
    }
    return account_before(cosmos_suffix);
}

void place(AzureAccess& access, const Address& address) {
    access.url = address.text();
    access.own = owner_of(address).has_value();
    access.cosmos = address.host.host.ends_with(cosmos_suffix);
    access.account_in_path = !address.path.empty();
}

[[noreturn]] void refuse_other_account(const std::string& source, const std::string& theirs,
                                       const std::string& wished) {
    throw Error{"the credentials are for another account than the spec's", Trouble::usage}
        .with("source", source)
        .with("account", theirs)
        .with("wished", wished)
        .hint("set the environment for the account that the spec names");
}

// A server on this machine that only the spec names gets what everybody knows.
AzureAccess emulator_access(const AzureWishes& wishes, Address address) {
    AzureAccess access;
    access.account = emulator_account;
    if (!wishes.account.empty() && wishes.account != access.account) {
        refuse_other_account("emulator", access.account, wishes.account);
    }
    if (address.path.empty()) address.path = std::string{"/"} + emulator_account;
    if (address.path.substr(1) != access.account) {
        refuse_other_account("emulator", access.account, address.path.substr(1));
    }
    place(access, address);
    access.right = AzureRight::account_key;
    access.secret = emulator_key();
    access.source = "emulator";
    return access;
}

[[noreturn]] void refuse_endpoint(const Address& wished) {
    throw Error{"credentials go to no server that only a spec names", Trouble::usage}
        .with("endpoint", wished.text())
        .hint("if you trust it, set AZURE_STORAGE_SERVICE_ENDPOINT=" + wished.text());
}

AzureAccess of_connection_string(const Bytes& text, const AzureWishes& wishes) {
    const ConnectionString parts = parse_connection_string(text);
    AzureAccess access;
    access.source = "AZURE_STORAGE_CONNECTION_STRING";
    const Address address = checked_address(parts.endpoint);
    if (!wishes.endpoint.empty() && checked_address(wishes.endpoint) != address) {
        const Address wished = checked_address(wishes.endpoint);
        if (is_loopback(wished.host)) return emulator_access(wishes, wished);
        refuse_endpoint(wished);
    }
    place(access, address);
    access.account = parts.account.empty() ? owner_of(address).value_or("") : parts.account;
    if (!wishes.account.empty() && access.account != wishes.account) {
        refuse_other_account(access.source, access.account, wishes.account);
    }
    access.right = parts.key.empty() ? AzureRight::shared_access : AzureRight::account_key;
    access.secret = parts.key.empty() ? parts.shared_access : parts.key;
    return access;
}

// The account and the address that the environment and the spec agree on.
AzureAccess placed(const AzureSurroundings& around, const AzureWishes& wishes) {
    AzureAccess access;
    const std::string given = around.variable("AZURE_STORAGE_SERVICE_ENDPOINT").value_or("");
    const std::string theirs = around.variable("AZURE_STORAGE_ACCOUNT").value_or("");
    const std::string url = wishes.endpoint.empty() ? given : wishes.endpoint;
    access.account = wishes.account.empty() ? theirs : wishes.account;
    if (url.empty()) {
        if (access.account.empty()) {
            throw Error{"no storage account is given", Trouble::usage}.hint(
                "add `account = \"NAME\"` to the store, or set AZURE_STORAGE_ACCOUNT");
        }
        if (!is_account(access.account)) {
            throw Error{"this is no name of a storage account", Trouble::usage}.with(
                "account", access.account);
        }
        place(access, checked_address("https://" + access.account + ".table.core.windows.net"));
    } else {
        const Address address = checked_address(url);
        const bool trusted = !given.empty() && checked_address(given) == address;
        const std::optional<std::string> owner = owner_of(address);
        if (!trusted && !owner) {
            if (is_loopback(address.host)) return emulator_access(wishes, address);
            refuse_endpoint(address);
        }
        place(access, address);
        if (access.account.empty()) access.account = owner.value_or("");
        if (access.account.empty() && !address.path.empty()) {
            access.account = address.path.substr(1);
        }
        if (owner && *owner != access.account) {
            refuse_other_account("endpoint", *owner, access.account);
        }
    }
    if (!wishes.account.empty() && !theirs.empty() && theirs != wishes.account) {
        refuse_other_account("AZURE_STORAGE_ACCOUNT", theirs, wishes.account);
    }
    return access;
}

// What would hide rows from whoever reads by the signature.
void check_reach(const AzureAccess& access) {
    for (const char* const name : {"spk", "srk", "epk", "erk"}) {
        if (signature_parameter(access.secret, name).empty()) continue;
        throw Error{"the shared access signature shows a range of the keys alone", Trouble::usage}
            .with("source", access.source)
            .with("parameter", name)
            .hint("an audit would take the rows that it hides for rows that are missing: make one "
                  "without a start and an end");
    }
}

void check_shared_access(const AzureSurroundings& around, const AzureAccess& access) {
    const Bytes& text = access.secret;
    const bool signed_text = text.starts_with("sig=") || text.find("&sig=") != Bytes::npos;
    if (!signed_text || text.find_first_of(BytesView{" \t\r\n#\0", 6}) != Bytes::npos) {
        throw Error{"this is no shared access signature", Trouble::usage}
            .with("source", access.source)
            .hint("it reads `sv=…&sig=…`; `az storage account generate-sas --services t` makes "
                  "one");
    }
    check_reach(access);
    const std::optional<std::int64_t> end = time_ms_from_text(signature_end(text));
    if (!end || *end > around.clock->wall_ms()) return;
    throw Error{"the shared access signature has run out"}
        .with("source", access.source)
        .hint("make a new one: az storage account generate-sas --services t");
}

void find_right(const AzureSurroundings& around, AzureAccess& access) {
    if (const auto key = around.variable("AZURE_STORAGE_KEY")) {
        access.right = AzureRight::account_key;
        access.source = "AZURE_STORAGE_KEY";
        access.secret = account_key_from_text(*key, access.source);
    } else if (const auto signature = around.variable("AZURE_STORAGE_SAS_TOKEN")) {
        access.right = AzureRight::shared_access;
        access.source = "AZURE_STORAGE_SAS_TOKEN";
        access.secret = signature->starts_with('?') ? signature->substr(1) : *signature;
    }
}

}  // namespace

Bytes signature_parameter(const Bytes& signature, BytesView name) {
    for (BytesView rest = signature; !rest.empty();) {
        const BytesView part = rest.substr(0, rest.find('&'));
        rest.remove_prefix(std::min(part.size() + 1, rest.size()));
        const bool named = part.size() > name.size() && part[name.size()] == '=';
        if (named && part.starts_with(name)) return Bytes{part.substr(name.size() + 1)};
    }
    return {};
}

Bytes signature_end(const Bytes& signature) {
    Bytes text = signature_parameter(signature, "se");
    for (const char* const colon : {"%3A", "%3a"}) {
        for (std::size_t at = text.find(colon); at != Bytes::npos; at = text.find(colon, at)) {
            text.replace(at, 3, ":");
        }
    }
    return time_ms_from_text(text) ? text : Bytes{};
}

AzureAccess find_azure_access(const AzureSurroundings& around, const AzureWishes& wishes) {
    const auto text = around.variable("AZURE_STORAGE_CONNECTION_STRING");
    AzureAccess access = text ? of_connection_string(*text, wishes) : placed(around, wishes);
    if (access.source.empty()) find_right(around, access);
    if (access.right == AzureRight::account_key && access.account.empty()) {
        throw Error{"no storage account is given", Trouble::usage}.hint(
            "add `account = \"NAME\"` to the store, or set AZURE_STORAGE_ACCOUNT");
    }
    if (access.right == AzureRight::shared_access) check_shared_access(around, access);
    return access;
}

}  // namespace idxfsck::store
