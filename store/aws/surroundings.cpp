#include "store/aws/surroundings.hpp"

#include <algorithm>
#include <cstdlib>

#include "store/aws/process.hpp"

namespace idxfsck::store {

std::optional<std::string> AwsSurroundings::variable(const std::string& name) const {
    std::optional<std::string> value = environment(name);
    if (value && value->empty()) return std::nullopt;
    return value;
}

AwsSurroundings system_surroundings() {
    AwsSurroundings around;
    around.environment = [](const std::string& name) -> std::optional<std::string> {
        const char* const value = std::getenv(name.c_str());
        if (value == nullptr) return std::nullopt;
        return value;
    };
    around.run = run_process;
    around.clock = &system_clock();
    around.random = system_random;
    return around;
}

HttpResult send_patiently(const AwsSurroundings& around, HttpRequest request,
                          const RetryLimits& limits) {
    Backoff backoff{limits, *around.clock, around.random};
    while (true) {
        request.total_ms_max = std::min(request.total_ms_max, backoff.left_ms());
        HttpResult result = around.transport->start(request).get();
        const bool again = result.failure.empty() ? result.status >= 500 || result.status == 429
                                                  : result.may_help;
        if (!again || !backoff.wait()) return result;
    }
}

}  // namespace idxfsck::store
