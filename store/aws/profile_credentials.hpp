// store/aws/profile_credentials.hpp
//
// The credentials of one profile: a role, keys, a process, or a login of IAM Identity Center,
// looked for in this order.
//
// Errors   A profile that says where its credentials are and does not give them is an Error: nobody
//          wants those of somebody else instead.

#pragma once

#include "store/aws/credentials.hpp"
#include "store/aws/profile_file.hpp"

namespace idxfsck::store {

// Nothing if the profile says nothing of credentials, or is not there.
std::optional<Credentials> profile_credentials(const AwsSurroundings& around,
                                               const Profiles& profiles, const std::string& name);

// From AWS_ACCESS_KEY_ID and the like; nothing if they are not set.
std::optional<Credentials> environment_credentials(const AwsSurroundings& around);

// From AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN; nothing if they are not set.
std::optional<Credentials> web_identity_credentials(const AwsSurroundings& around,
                                                    const Profiles& profiles);

}  // namespace idxfsck::store
