// audit/language/base_program.hpp
//
// Which rows of a table are rows of a base, and which of them are real.

#pragma once

#include <optional>
#include <vector>

#include "audit/language/bound_condition.hpp"
#include "audit/language/expiry.hpp"
#include "audit/program.hpp"

namespace idxfsck::audit::language {

class BaseRows : public BaseProgram {
public:
    // `by_dynamodb`: its table is one of DynamoDB, which deletes what expires by rules of its own.
    BaseRows(BaseSpec spec, Binder& binder, bool by_dynamodb);

    const BaseSpec& spec() const override { return spec_; }
    RowClass classify(const store::RowView& row, Scratch& scratch) const override;
    const std::vector<std::size_t>* real_slots() const override {
        return real_slots_ ? &*real_slots_ : nullptr;
    }
    std::optional<double> expires_ms(const store::RowView& row, Scratch& scratch) const override;

private:
    BaseSpec spec_;
    BoundCondition rows_;
    std::vector<BoundOperand> real_if_;
    std::optional<std::vector<std::size_t>> real_slots_;
    BoundExpiry expires_;
};

}  // namespace idxfsck::audit::language
