// reports/redact.hpp
//
// A result that may be shown to people who must not see the data: every key and value replaced by a
// keyed hash, so that equal ones are still seen to be equal.
//
// Shape    The hash is HMAC-SHA-256 of the value's kind and payload, its first 16 hex digits, as
//          the text "#0123456789abcdef". The key comes from IDXFSCK_REDACT_KEY, so that the reports
//          of several audits can be compared; without it a random one is made and forgotten.
//          Versions and digests of rows go too: they could be guessed back.
//          Names of attributes, tables and indexes stay.

#pragma once

#include <string>

#include "audit/coverage.hpp"

namespace idxfsck::reports {

class Redactor {
public:
    explicit Redactor(std::string key) : key_{std::move(key)} {}

    // With the key from the environment, or a random one.
    static Redactor from_environment();

    store::Value value(const store::Value& value) const;
    audit::AuditResult result(audit::AuditResult result) const;

private:
    void redact(std::vector<store::Value>& values) const;
    void redact(audit::SeenRow& row) const;
    void redact(audit::Finding& finding) const;

    std::string key_;
};

}  // namespace idxfsck::reports
