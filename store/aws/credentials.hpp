// store/aws/credentials.hpp
//
// What a request to AWS is signed with, and where it came from.
//
// Errors   No error of any function that makes these holds a part of them.

#pragma once

#include <optional>
#include <string>

#include "store/aws/surroundings.hpp"

namespace idxfsck::store {

struct Credentials {
    Bytes key_id;
    Bytes secret;
    Bytes session_token;                    // empty: none
    std::optional<std::int64_t> expires_ms;  // since 1970; nothing: they do not
    std::string source;                     // for people: "environment", "profile dev"
};

// From the JSON that processes, containers and instances give. The name of the token differs.
// Throws Error for anything else; `source` is then named, the text is not shown.
Credentials credentials_from_json(BytesView text, const std::string& token_name,
                                  const std::string& source);

// Of a time as AWS writes it: 2026-11-30T08:00:00Z.
std::optional<std::int64_t> time_ms_from_text(BytesView text);

}  // namespace idxfsck::store
