// store/http/address.hpp
//
// The address of a server, and which may be spoken to without TLS.
//
// Errors   Text that is no address: nothing.

#pragma once

#include <optional>

#include "store/http/transport.hpp"

namespace idxfsck::store {

struct HttpAddress {
    bool encrypted = false;  // https
    Bytes host;              // lower case, without brackets
    Bytes port;              // empty: the usual one

    // http://host:port, for people and for comparing.
    Bytes text() const;

    friend bool operator==(const HttpAddress&, const HttpAddress&) = default;
};

// Of http and https; refused with a user or a password in it, which is no place for a secret.
std::optional<HttpAddress> parse_address(const Bytes& url);

bool is_loopback(const HttpAddress& address);

// May a request go there: with TLS anywhere, without only where `plain` lets it.
bool may_send(const HttpAddress& address, PlainHttp plain);

}  // namespace idxfsck::store
