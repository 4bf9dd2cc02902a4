// audit/language/binding.hpp
//
// Operands bound to slots: from the name of an attribute to its place in a row that is cut to a
// projection.
//
// Threads  Bound operands are constant. A Context belongs to one thread.

#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "audit/language/ast.hpp"
#include "audit/language/transform_call.hpp"
#include "audit/scratch.hpp"
#include "store/row.hpp"

namespace idxfsck::audit::language {

// What an operand is evaluated against.
struct Context {
    std::span<const store::ValueView> slots;
    Scratch& scratch;
    // The element in hand, where there is one.
    store::ValueView item{};
    store::ValueView key{};
    store::ValueView value{};
};

// Finds the slot of an operand's source.
class Binder {
public:
    explicit Binder(std::int64_t now_ms) : now_ms_{now_ms} {}
    virtual ~Binder() = default;

    // The slot of what varies. Takes from `steps` those that the slot has done already.
    virtual std::size_t slot(const Operand& operand, std::vector<PathStep>& steps) = 0;
    // Are @item, @key and @value in slots too?
    virtual bool elements_in_slots() const { return false; }
    std::int64_t now_ms() const { return now_ms_; }

private:
    std::int64_t now_ms_;
};

// The attributes of a table's rows; adds to its projection what is used.
class RowBinder : public Binder {
public:
    RowBinder(store::Projection& projection, std::int64_t now_ms)
        : Binder{now_ms}, projection_{projection} {}

    std::size_t slot(const Operand& operand, std::vector<PathStep>& steps) override;

private:
    store::Projection& projection_;
};

class BoundOperand {
public:
    BoundOperand(const Operand& operand, Binder& binder);

    // The value, absent if there is none. False: a transform refused it; the scratch says why.
    bool evaluate(const Context& context, store::ValueView& value) const;

    // The path of the attribute, for messages: "profile.email".
    const std::string& name() const { return name_; }

private:
    store::ValueView source_value(const Context& context) const;

    Source source_;
    std::size_t slot_ = 0;
    std::vector<PathStep> steps_;
    store::Value literal_;
    std::vector<BoundTransform> transforms_;
    std::string name_;
};

// Follows `steps` into `value`: absent where there is no such member or element.
store::ValueView walk(store::ValueView value, std::span<const PathStep> steps);

// Unix milliseconds as ticks, see store/value.hpp.
std::int64_t ticks_of(std::int64_t unix_ms);

}  // namespace idxfsck::audit::language
