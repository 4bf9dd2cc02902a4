#include "audit/language/binding.hpp"

#include <algorithm>

namespace idxfsck::audit::language {

namespace {

constexpr std::int64_t ticks_per_ms = 10'000;
constexpr std::int64_t unix_epoch_ticks = 621'355'968'000'000'000;
// The last millisecond that ticks can say: the end of the year 9999.
constexpr std::int64_t unix_ms_max = 253'402'300'799'999;

store::ValueView member(const store::ValueView& value, const std::string& name) {
    if (value.kind != store::Kind::map) return {};
    store::ElementCursor cursor{value};
    while (cursor.next()) {
        if (cursor.name() == name) return cursor.value();
    }
    return {};
}

store::ValueView element(const store::ValueView& value, std::size_t index) {
    if (!store::is_container(value.kind) || value.kind == store::Kind::map) return {};
    store::ElementCursor cursor{value};
    while (cursor.next()) {
        if (index-- == 0) return cursor.value();
    }
    return {};
}

std::string name_of(const Operand& operand) {
    const std::string path = operand.path.steps.empty() && operand.path.attribute.empty()
                                 ? std::string{}
                                 : operand.path.text();
    switch (operand.source) {
        case Source::attribute: return operand.path.steps.empty() ? operand.path.attribute : path;
        case Source::item: return "@item" + path;
        case Source::key: return "@key" + path;
        case Source::value: return "@value" + path;
        case Source::literal: return {};
        case Source::now: return "now()";
    }
    return {};
}

}  // namespace

std::size_t RowBinder::slot(const Operand& operand, std::vector<PathStep>&) {
    return projection_.slot(operand.path.attribute);
}

BoundOperand::BoundOperand(const Operand& operand, Binder& binder)
    : source_{operand.source},
      steps_{operand.path.steps},
      literal_{operand.literal},
      transforms_{bind_transforms(operand.transforms)},
      name_{name_of(operand)} {
    if (source_ == Source::now) {
        source_ = Source::literal;
        literal_ = store::Value::date_time(ticks_of(binder.now_ms()));
    }
    if (source_ == Source::literal) return;
    if (binder.elements_in_slots()) source_ = Source::attribute;
    if (source_ == Source::attribute) slot_ = binder.slot(operand, steps_);
}

store::ValueView BoundOperand::source_value(const Context& context) const {
    switch (source_) {
        case Source::attribute: return context.slots[slot_];
        case Source::item: return context.item;
        case Source::key: return context.key;
        case Source::value: return context.value;
        case Source::literal:
        case Source::now: return literal_.view();
    }
    return {};
}

bool BoundOperand::evaluate(const Context& context, store::ValueView& value) const {
    value = source_value(context);
    if (!steps_.empty()) value = walk(value, steps_);
    if (transforms_.empty() || run_transforms(transforms_, context.scratch, value)) return true;
    context.scratch.damaged_attribute = name_;
    return false;
}

store::ValueView walk(store::ValueView value, std::span<const PathStep> steps) {
    for (const PathStep& step : steps) {
        value = step.element ? element(value, *step.element) : member(value, step.name);
        if (!value.present()) break;
    }
    return value;
}

std::int64_t ticks_of(std::int64_t unix_ms) {
    const std::int64_t bounded =
        std::clamp(unix_ms, -unix_epoch_ticks / ticks_per_ms, unix_ms_max);
    return unix_epoch_ticks + bounded * ticks_per_ms;
}

}  // namespace idxfsck::audit::language
