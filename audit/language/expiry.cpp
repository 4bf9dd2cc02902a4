#include "audit/language/expiry.hpp"

#include <charconv>
#include <cmath>

namespace idxfsck::audit::language {

namespace {

constexpr double ticks_of_a_millisecond = 10'000;
constexpr double day_ms = 86'400'000;
// DynamoDB takes a moment that lies longer ago for a mistake, and never deletes the row (Developer
// Guide, "Using time to live (TTL)"). To the day it does not say how long five years are.
constexpr double five_years_ms = 1826 * day_ms;
constexpr double five_years_slack_ms = 2 * day_ms;

std::optional<double> number_of(const store::ValueView& value) {
    store::Bytes scratch;
    const auto text = store::canonical_number(value, scratch);
    if (!text) return std::nullopt;
    double number = 0;
    const char* const end = text->data() + text->size();
    const auto read = std::from_chars(text->data(), end, number);
    return read.ptr == end && std::isfinite(number) ? std::optional{number} : std::nullopt;
}

}  // namespace

BoundExpiry::BoundExpiry(const ExpirySpec& spec, Binder& binder, bool by_dynamodb)
    : unit_ms_{static_cast<double>(spec.unit.count())},
      grace_ms_{static_cast<double>(spec.grace.count())},
      now_ms_{static_cast<double>(binder.now_ms())},
      // What is no number of seconds is not DynamoDB's to delete, but the application's.
      by_dynamodb_{by_dynamodb && spec.unit == std::chrono::seconds{1}} {
    if (spec.given()) at_.emplace(checked_template(spec.at), MissingPolicy{}, binder);
}

std::optional<double> BoundExpiry::moment(const Context& context) const {
    store::ValueView value;
    if (!at_ || !at_->evaluate(context, value)) return std::nullopt;
    if (value.kind == store::Kind::date_time) {
        const auto ticks = static_cast<double>(value.as_integer() - ticks_of(0));
        return ticks / ticks_of_a_millisecond;
    }
    if (!store::is_numeric(value.kind)) return std::nullopt;
    const std::optional<double> number = number_of(value);
    return number ? std::optional{*number * unit_ms_} : std::nullopt;
}

Lifetime BoundExpiry::lifetime(const Context& context) const {
    if (!at_) return Lifetime::lasting;
    const std::optional<double> at = moment(context);
    if (!at) return Lifetime::lasting;
    const double age_ms = now_ms_ - *at;
    if (by_dynamodb_ && age_ms > five_years_ms - five_years_slack_ms) {
        const bool surely = age_ms > five_years_ms + five_years_slack_ms + grace_ms_;
        return surely ? Lifetime::lasting : Lifetime::ending;
    }
    if (age_ms >= grace_ms_) return Lifetime::over;
    return age_ms >= -grace_ms_ ? Lifetime::ending : Lifetime::lasting;
}

bool BoundExpiry::will_expire(const Context& context) const {
    if (!at_) return false;
    const std::optional<double> at = moment(context);
    return at && *at > now_ms_;
}

}  // namespace idxfsck::audit::language
