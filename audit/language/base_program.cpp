#include "audit/language/base_program.hpp"

#include <utility>

#include "audit/language/bound_template.hpp"
#include "audit/language/parser.hpp"
#include "store/error.hpp"

namespace idxfsck::audit::language {

BaseRows::BaseRows(BaseSpec spec, Binder& binder, bool by_dynamodb)
    : spec_{std::move(spec)},
      rows_{checked_condition(spec_.rows), binder},
      expires_{spec_.expires, binder, by_dynamodb} {
    if (rows_.always() && !expires_.given()) real_slots_.emplace();
    for (const std::string& text : spec_.real_if) {
        Faults faults;
        const std::optional<Path> path = parse_path(text, faults);
        store::ensure(path.has_value(), "the paths of a spec were checked when it was read");
        Operand operand;
        operand.source = Source::attribute;
        operand.path = *path;
        real_if_.emplace_back(operand, binder);
        if (!operand.path.steps.empty()) real_slots_.reset();
        std::vector<PathStep> steps;
        if (real_slots_) real_slots_->push_back(binder.slot(operand, steps));
    }
}

RowClass BaseRows::classify(const store::RowView& row, Scratch& scratch) const {
    scratch.reset();
    const Context context{row.slots, scratch};
    if (!rows_.holds(context)) return RowClass::other;
    // What has expired may well have lost attributes on its way.
    switch (expires_.given() ? expires_.lifetime(context) : Lifetime::lasting) {
        case Lifetime::over: return RowClass::expired;
        case Lifetime::ending: return RowClass::expiring;
        case Lifetime::lasting: break;
    }
    for (const BoundOperand& operand : real_if_) {
        store::ValueView value;
        operand.evaluate(context, value);
        if (!value.present() || value.kind == store::Kind::null) return RowClass::partial;
    }
    return RowClass::real;
}

std::optional<double> BaseRows::expires_ms(const store::RowView& row, Scratch& scratch) const {
    scratch.reset();
    return expires_.moment({row.slots, scratch});
}

}  // namespace idxfsck::audit::language
