#include "store/aws/place.hpp"

#include <algorithm>
#include <utility>

#include "store/error.hpp"

namespace idxfsck::store {

namespace {

// It becomes a part of a host name: nothing else may come in that way.
bool is_region(const std::string& region) {
    const auto fits = [](char c) {
        return c == '-' || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    };
    return !region.empty() && region.size() <= 40 &&
           std::all_of(region.begin(), region.end(), fits);
}

std::string profile_setting(const AwsSurroundings& around, const Profiles& profiles,
                            const std::string& name) {
    const ProfileSection* const section = profiles.find(profile_name(around));
    return section == nullptr ? std::string{} : setting_of(*section, name);
}

std::string upper(std::string text) {
    for (char& c : text) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
    return text;
}

std::string environment_endpoint(const AwsSurroundings& around, const Profiles& profiles,
                                 const std::string& service) {
    if (around.variable("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS") == "true") return {};
    for (const std::string& name :
         {"AWS_ENDPOINT_URL_" + upper(service), std::string{"AWS_ENDPOINT_URL"}}) {
        if (const auto value = around.variable(name)) return *value;
    }
    return profile_setting(around, profiles, "endpoint_url");
}

HttpAddress checked_address(const std::string& url) {
    const std::optional<HttpAddress> address = parse_address(url);
    if (!address) {
        throw Error{"the endpoint is no address of a server", Trouble::usage}.hint(
            "an endpoint is https://HOST or, on this machine, http://localhost:PORT, without user, "
            "password or path");
    }
    if (may_send(*address, PlainHttp::loopback)) return *address;
    throw Error{"plain HTTP goes to this machine only", Trouble::usage}
        .with("endpoint", address->text())
        .hint("give the endpoint with https://");
}

// The hosts of the service in the region, with and without FIPS; no others under amazonaws.com, as
// some of these belong to customers.
bool is_own(const HttpAddress& address, const std::string& service, const std::string& region) {
    if (!address.encrypted || (!address.port.empty() && address.port != "443")) return false;
    return address.text() == own_url(service, region) ||
           address.text() == own_url(service + "-fips", region);
}

struct FoundRegion {
    std::string name;
    std::string source;
};

FoundRegion look_for_region(const AwsSurroundings& around, const Profiles& profiles,
                            const std::string& wished) {
    if (!wished.empty()) return {wished, "`region` in the spec"};
    for (const char* const variable : {"AWS_REGION", "AWS_DEFAULT_REGION"}) {
        if (const auto value = around.variable(variable)) return {*value, variable};
    }
    const std::string of_profile = profile_setting(around, profiles, "region");
    if (!of_profile.empty()) return {of_profile, "profile " + profile_name(around)};
    return {around.store_region, "the store"};
}

FoundRegion checked_region(const AwsSurroundings& around, const Profiles& profiles,
                           const std::string& wished) {
    FoundRegion found = look_for_region(around, profiles, wished);
    const std::string& region = found.name;
    if (region.empty()) {
        throw Error{"no region is given", Trouble::usage}.hint(
            "add `region = \"eu-west-1\"` to the store, or set AWS_REGION");
    }
    if (!is_region(region)) {
        throw Error{"this is no name of a region", Trouble::usage}
            .with("region", region)
            .hint("a region is called like eu-west-1");
    }
    return found;
}

}  // namespace

std::string find_region(const AwsSurroundings& around, const Profiles& profiles,
                        const std::string& wished) {
    return checked_region(around, profiles, wished).name;
}

std::string own_url(const std::string& service, const std::string& region) {
    const bool china = region.starts_with("cn-");
    return "https://" + service + "." + region + (china ? ".amazonaws.com.cn" : ".amazonaws.com");
}

AwsPlace find_place(const AwsSurroundings& around, const Profiles& profiles,
                    const std::string& service, const PlaceWishes& wishes) {
    AwsPlace place;
    FoundRegion found = checked_region(around, profiles, wishes.region);
    place.region = std::move(found.name);
    place.region_source = std::move(found.source);
    const std::string given = environment_endpoint(around, profiles, service);
    const std::optional<HttpAddress> known =
        given.empty() ? std::nullopt : std::optional{checked_address(given)};
    if (wishes.endpoint.empty()) {
        place.configured = known && !is_own(*known, service, place.region);
        place.url = known ? known->text() : own_url(service, place.region);
        return place;
    }
    const HttpAddress wished = checked_address(wishes.endpoint);
    place.url = wished.text();
    place.configured = !is_own(wished, service, place.region);
    if (!place.configured || wished == known) return place;
    place.credentials = false;
    if (is_loopback(wished)) return place;
    throw Error{"credentials go to no server that only a spec names", Trouble::usage}
        .with("endpoint", wished.text())
        .hint("if you trust it, set AWS_ENDPOINT_URL_" + upper(service) + "=" + wished.text());
}

}  // namespace idxfsck::store
