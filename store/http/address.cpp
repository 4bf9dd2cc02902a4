#include "store/http/address.hpp"

#include <algorithm>
#include <array>
#include <memory>

#include <curl/curl.h>

namespace idxfsck::store {

namespace {

using Url = std::unique_ptr<CURLU, decltype(&curl_url_cleanup)>;

// Instance metadata, and the agents of containers: fixed by their makers, never routed.
constexpr std::array<BytesView, 5> metadata_hosts{
    "169.254.169.254", "fd00:ec2::254", "169.254.170.2", "169.254.170.23", "fd00:ec2::23"};

// The part, or nothing if the address has none.
std::optional<Bytes> part_of(const Url& url, CURLUPart part) {
    char* text = nullptr;
    if (curl_url_get(url.get(), part, &text, 0) != CURLUE_OK) return std::nullopt;
    Bytes out{text};
    curl_free(text);
    return out;
}

bool is_dotted_quad(BytesView host) {
    const auto digit_or_dot = [](char character) {
        return character == '.' || (character >= '0' && character <= '9');
    };
    return std::all_of(host.begin(), host.end(), digit_or_dot);
}

}  // namespace

Bytes HttpAddress::text() const {
    const bool version_6 = host.find(':') != Bytes::npos;
    Bytes out = encrypted ? "https://" : "http://";
    out.append(version_6 ? "[" : "").append(host).append(version_6 ? "]" : "");
    if (!port.empty()) out.append(":").append(port);
    return out;
}

std::optional<HttpAddress> parse_address(const Bytes& url) {
    if (url.find('\0') != Bytes::npos) return std::nullopt;
    const Url parsed{curl_url(), curl_url_cleanup};
    if (!parsed || curl_url_set(parsed.get(), CURLUPART_URL, url.c_str(), 0) != CURLUE_OK) {
        return std::nullopt;
    }
    if (part_of(parsed, CURLUPART_USER) || part_of(parsed, CURLUPART_PASSWORD)) return std::nullopt;
    const std::optional<Bytes> scheme = part_of(parsed, CURLUPART_SCHEME);
    std::optional<Bytes> host = part_of(parsed, CURLUPART_HOST);
    if (!scheme || !host || (*scheme != "http" && *scheme != "https")) return std::nullopt;
    if (host->starts_with('[') && host->ends_with(']')) *host = host->substr(1, host->size() - 2);
    for (char& character : *host) {
        if (character >= 'A' && character <= 'Z') character = static_cast<char>(character + 32);
    }
    return HttpAddress{*scheme == "https", *host, part_of(parsed, CURLUPART_PORT).value_or("")};
}

bool is_loopback(const HttpAddress& address) {
    if (address.host == "localhost" || address.host == "::1") return true;
    return address.host.starts_with("127.") && is_dotted_quad(address.host);
}

bool may_send(const HttpAddress& address, PlainHttp plain) {
    if (address.encrypted || is_loopback(address)) return true;
    if (plain != PlainHttp::metadata) return false;
    return std::find(metadata_hosts.begin(), metadata_hosts.end(), BytesView{address.host}) !=
           metadata_hosts.end();
}

}  // namespace idxfsck::store
