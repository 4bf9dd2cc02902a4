// store/aws/sso.hpp
//
// Credentials of IAM Identity Center, by the token that `aws sso login` left behind.
//
// Shape    The token is in ~/.aws/sso/cache, in a file named by the SHA-1 of the session's name, or
//          of the start address where a profile has no session. It is read, never renewed.
// Errors   Throws Error: usage if the profile lacks a setting; otherwise the hint is the command
//          that mends it.
// Source   AWS SDKs and Tools Reference Guide, "IAM Identity Center credential provider".

#pragma once

#include "store/aws/credentials.hpp"
#include "store/aws/profile_file.hpp"

namespace idxfsck::store {

// Is the profile one of Identity Center?
bool is_sso(const ProfileSection& profile);

Credentials sso_credentials(const AwsSurroundings& around, const Profiles& profiles,
                            const std::string& name);

}  // namespace idxfsck::store
