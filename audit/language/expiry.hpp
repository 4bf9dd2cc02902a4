// audit/language/expiry.hpp
//
// When rows expire, bound to slots.
//
// Threads  Constant.

#pragma once

#include <optional>

#include "audit/language/bound_template.hpp"
#include "audit/program.hpp"

namespace idxfsck::audit::language {

class BoundExpiry {
public:
    // `by_dynamodb`: the rows are deleted by DynamoDB's own rules.
    BoundExpiry(const ExpirySpec& spec, Binder& binder, bool by_dynamodb);

    bool given() const { return at_.has_value(); }

    // At the audit's `now`. A row without a moment, or with one that cannot be read, lasts.
    Lifetime lifetime(const Context& context) const;
    // Has it a moment at which it will expire, still to come?
    bool will_expire(const Context& context) const;
    // When, in Unix milliseconds.
    std::optional<double> moment(const Context& context) const;

private:
    std::optional<BoundTemplate> at_;
    double unit_ms_ = 1;
    double grace_ms_ = 0;
    double now_ms_ = 0;
    bool by_dynamodb_ = false;
};

}  // namespace idxfsck::audit::language
