// store/aws/surroundings.hpp
//
// What the code that finds credentials may look at: environment, network, time, and a program that
// the user named in a profile. Tests bring their own.
//
// Threads  As its parts: calls may run at once.

#pragma once

#include <functional>
#include <optional>
#include <string>

#include "store/http/backoff.hpp"
#include "store/http/transport.hpp"

namespace idxfsck::store {

// Runs a command by the shell. Its standard output if it ended well; nothing if it did not, wrote
// more than 64 KiB, or took longer than a minute.
using ProcessRunner = std::function<std::optional<Bytes>(const std::string& command)>;

struct AwsSurroundings {
    // The value of an environment variable.
    std::function<std::optional<std::string>(const std::string& name)> environment;
    ProcessRunner run;
    Transport* transport = nullptr;
    Clock* clock = nullptr;
    Random random;
    // The region of the store, for the services that give credentials where nothing else is said.
    std::string store_region;

    // Nothing if it is not set, or empty.
    std::optional<std::string> variable(const std::string& name) const;
};

// Those of this process, without a transport.
AwsSurroundings system_surroundings();

// Sends until there is an answer that is no trouble of the server's, or the limits end it.
HttpResult send_patiently(const AwsSurroundings& around, HttpRequest request,
                          const RetryLimits& limits);

}  // namespace idxfsck::store
