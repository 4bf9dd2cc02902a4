// store/aws/sts.hpp
//
// Roles: credentials of the Security Token Service for those of somebody else.
//
// Errors   Throws Error with the role, the status and the service's code for it; the rest of an
//          answer is not shown, as nothing in it is ours to show.
// Source   AWS Security Token Service API Reference.

#pragma once

#include "store/aws/credentials.hpp"
#include "store/aws/place.hpp"

namespace idxfsck::store {

struct Role {
    std::string arn;
    std::string session_name;  // empty: one of our own
    std::string external_id;
    std::string duration_seconds;
    std::string source;  // for people, as in Credentials
};

Credentials assume_role(const AwsSurroundings& around, const AwsPlace& place, const Role& role,
                        const Credentials& from);

// `token` is what an identity provider gave.
Credentials assume_role_with_token(const AwsSurroundings& around, const AwsPlace& place,
                                   const Role& role, const Bytes& token);

// Whose credentials these are.
struct Caller {
    std::string account;  // twelve digits
    std::string arn;      // empty if the answer has none that can be shown
};

// Anyone may ask that.
Caller caller_of(const AwsSurroundings& around, const AwsPlace& place,
                 const Credentials& credentials);

}  // namespace idxfsck::store
