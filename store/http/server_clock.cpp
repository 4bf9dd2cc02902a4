#include "store/http/server_clock.hpp"

#include <ctime>

#include <curl/curl.h>

namespace idxfsck::store {

namespace {

constexpr std::int64_t change_ms_min = 5'000;

}  // namespace

bool ServerClock::mend(const HttpResult& answer) {
    const std::time_t there = curl_getdate(Bytes{answer.header("date")}.c_str(), nullptr);
    if (there <= 0) return false;
    const std::int64_t offset_ms = std::int64_t{there} * 1000 - machine_.wall_ms();
    const std::int64_t change_ms = offset_ms - offset_ms_;
    if (change_ms > -change_ms_min && change_ms < change_ms_min) return false;
    offset_ms_ = offset_ms;
    return true;
}

}  // namespace idxfsck::store
