#include "store/azure/connection_string.hpp"

#include <map>

#include "store/error.hpp"
#include "store/json/base64.hpp"

namespace idxfsck::store {

namespace {

constexpr const char* emulator_endpoint = "http://127.0.0.1:10002/devstoreaccount1";

[[noreturn]] void refuse(const std::string& what) {
    throw Error{"the connection string for Azure makes no sense", Trouble::usage}
        .with("source", "AZURE_STORAGE_CONNECTION_STRING")
        .with("cause", what)
        .hint("copy it from the portal's page \"Access keys\", or from "
              "`az storage account show-connection-string`");
}

std::map<std::string, Bytes> parts_of(BytesView text) {
    std::map<std::string, Bytes> parts;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find(';'), text.size());
        const BytesView part = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (part.find_first_not_of(" \t\r\n") == BytesView::npos) continue;
        const std::size_t equals = part.find('=');
        if (equals == BytesView::npos || equals == 0) refuse("a part without a name");
        const Bytes name{part.substr(0, equals)};
        if (!parts.emplace(name, part.substr(equals + 1)).second) refuse("a name comes twice");
    }
    return parts;
}

}  // namespace

Bytes emulator_key() {
    return *from_base64(
        "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==");
}

Bytes account_key_from_text(BytesView text, const std::string& source) {
    const std::optional<Bytes> key = from_base64(text);
    if (key && !key->empty()) return *key;
    throw Error{"this is no key of a storage account", Trouble::usage}
        .with("source", source)
        .hint("`az storage account keys list --account-name NAME` shows them");
}

ConnectionString parse_connection_string(BytesView text) {
    std::map<std::string, Bytes> parts = parts_of(text);
    ConnectionString out;
    if (parts["UseDevelopmentStorage"] == "true") {
        if (!parts["DevelopmentStorageProxyUri"].empty()) refuse("a proxy of the emulator");
        return {emulator_account, emulator_key(), {}, emulator_endpoint, true};
    }
    out.account = parts["AccountName"];
    out.shared_access = parts["SharedAccessSignature"];
    if (out.shared_access.starts_with('?')) out.shared_access.erase(0, 1);
    if (const Bytes& key = parts["AccountKey"]; !key.empty()) {
        out.key = account_key_from_text(key, "AZURE_STORAGE_CONNECTION_STRING");
    }
    out.endpoint = parts["TableEndpoint"];
    while (out.endpoint.ends_with('/')) out.endpoint.pop_back();
    if (out.key.empty() && out.shared_access.empty()) {
        refuse("neither AccountKey nor SharedAccessSignature");
    }
    if (out.endpoint.empty()) {
        if (out.account.empty()) refuse("neither AccountName nor TableEndpoint");
        const Bytes protocol = parts["DefaultEndpointsProtocol"];
        const Bytes suffix = parts["EndpointSuffix"];
        out.endpoint = (protocol.empty() ? "https" : protocol) + "://" + out.account + ".table." +
                       (suffix.empty() ? "core.windows.net" : suffix);
    }
    if (!out.key.empty() && out.account.empty()) refuse("AccountKey without AccountName");
    return out;
}

}  // namespace idxfsck::store
