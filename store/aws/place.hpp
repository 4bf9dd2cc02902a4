// store/aws/place.hpp
//
// Where requests go: the region, and the address of a service in it.
//
// Shape    region    the spec's, else AWS_REGION, AWS_DEFAULT_REGION, the profile's. Never a guess,
//                    and never the region of the machine.
//          endpoint  AWS_ENDPOINT_URL_<SERVICE>, AWS_ENDPOINT_URL, the profile's endpoint_url,
//                    unless AWS_IGNORE_CONFIGURED_ENDPOINT_URLS is true; else AWS's own. One that
//                    the spec names is taken if the environment names it too, or if it is AWS's
//                    own or this machine; this machine then gets no credentials.
// Errors   Throws Error (usage) saying what to set.

#pragma once

#include <string>

#include "store/aws/profile_file.hpp"
#include "store/http/address.hpp"

namespace idxfsck::store {

struct AwsPlace {
    std::string region;
    std::string url;        // of the service, without a path
    bool configured = false;  // not AWS's own address
    bool credentials = true;  // may credentials go there? If not, requests are signed with a word
    std::string region_source;  // where the region was found, for people: "AWS_REGION"
};

struct PlaceWishes {
    std::string region;    // of the spec; empty: none
    std::string endpoint;  // of the spec; empty: none
};

std::string find_region(const AwsSurroundings& around, const Profiles& profiles,
                        const std::string& wished);

// AWS's own address of a service in a region.
std::string own_url(const std::string& service, const std::string& region);

// `service` as in the address: "dynamodb", "sts".
AwsPlace find_place(const AwsSurroundings& around, const Profiles& profiles,
                    const std::string& service, const PlaceWishes& wishes);

}  // namespace idxfsck::store
