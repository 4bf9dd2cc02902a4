// store/aws/credential_chain.hpp
//
// Credentials from wherever this person or machine has them, renewed before they run out.
//
// Shape    The order, and the first that has something wins:
//            1  AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN
//            2  the profile in AWS_PROFILE, else the profile `default`
//            3  AWS_WEB_IDENTITY_TOKEN_FILE with AWS_ROLE_ARN
//            4  a container's agent, if the environment names one
//            5  the instance, unless AWS_EC2_METADATA_DISABLED is true
//          A source that is named and fails ends the search: nobody wants another identity instead
//          of the one that they named. With AWS_PROFILE set nothing after 2 is asked.
// Errors   Throws Error. With nothing found its fields say what was tried and why it was not it,
//          and its hint what to do. No error holds a part of a key.
// Threads  All calls may run at once.

#pragma once

#include <mutex>

#include "store/aws/credentials.hpp"
#include "store/aws/profile_file.hpp"

namespace idxfsck::store {

// Asks every source anew.
Credentials find_credentials(const AwsSurroundings& around, const Profiles& profiles);

class CredentialChain {
public:
    CredentialChain(AwsSurroundings around, Profiles profiles)
        : around_{std::move(around)}, profiles_{std::move(profiles)} {}

    // Good for another minute at least, unless the source gives nothing better.
    Credentials get();

    // The server says that these have run out: the next get() asks the source again.
    void forget(const Credentials& refused);

private:
    const AwsSurroundings around_;
    const Profiles profiles_;
    std::mutex mutex_;
    std::optional<Credentials> kept_;
};

}  // namespace idxfsck::store
