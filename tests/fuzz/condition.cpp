// Conditions.
//
// Promised: text that is no condition has a fault with a place in it; a condition holds or does not
// for every row, and never together with its negation. Method: the first line of the input as a
// condition, the others as texts of the attributes a, b, c and d; then values of other kinds.

#include "audit/language/bound_condition.hpp"
#include "audit/language/functions.hpp"
#include "audit/language/inversion.hpp"
#include "audit/language/parser.hpp"
#include "store/error.hpp"
#include "tests/fuzz/input.hpp"
#include "tests/fuzz/target.hpp"

namespace idxfsck::tests {

namespace {

namespace language = audit::language;
using store::Value;

using Row = std::map<std::string, Value>;

bool holds(const language::Condition& condition, const Row& row) {
    store::Projection projection;
    language::RowBinder binder{projection, 1'700'000'000'000};
    const language::BoundCondition bound{condition, binder};
    std::vector<store::ValueView> slots(projection.names.size());
    for (std::size_t slot = 0; slot < slots.size(); ++slot) {
        const auto place = row.find(projection.names[slot]);
        if (place != row.end()) slots[slot] = place->second.view();
    }
    audit::Scratch scratch;
    const auto a = row.find("a");
    const store::ValueView item = a == row.end() ? store::ValueView{} : a->second.view();
    return bound.holds({slots, scratch, item, item, item});
}

language::Condition negated(language::Condition condition) {
    const std::size_t root = condition.nodes.size() - 1;
    language::ConditionNode negation;
    negation.kind = language::NodeKind::negation;
    negation.children = {root};
    condition.nodes.push_back(std::move(negation));
    return condition;
}

// A spec with a regular expression that makes no sense is refused when it is read.
bool expressions_make_sense(const language::Condition& condition) {
    for (const language::ConditionNode& node : condition.nodes) {
        if (node.function == nullptr) continue;
        if (node.function->function != language::Function::matches) continue;
        if (!language::check_expression(node.operands[1].literal.payload).empty()) return false;
    }
    return true;
}

void check_row(const language::Condition& condition, const Row& row) {
    const bool straight = holds(condition, row);
    if (condition.always()) {
        store::ensure(straight, "an empty condition always holds");
        return;
    }
    store::ensure(!(straight && holds(negated(condition), row)),
                  "a condition and its negation do not both hold");
}

}  // namespace

void fuzz_condition(store::BytesView bytes) {
    Input input{bytes};
    const store::BytesView text = input.line();
    language::Faults faults;
    const auto parsed = language::parse_condition(text, faults);
    if (!parsed) {
        store::ensure(!faults.empty(), "text that is no condition has a fault");
        for (const language::Fault& fault : faults) {
            store::ensure(fault.offset <= text.size(), "a fault lies in the text");
        }
        return;
    }
    static_cast<void>(language::constants_of(*parsed));
    if (!expressions_make_sense(*parsed)) return;
    Row row;
    for (const char* const name : {"a", "b", "c", "d"}) {
        row[name] = Value::text(store::Bytes{input.line()});
    }
    check_row(*parsed, row);
    check_row(*parsed, {});
    check_row(*parsed, {{"a", Value::number("-12.50")}, {"b", Value::binary("\xff\xfe")},
                        {"c", Value::list({Value::text("x")})}, {"d", Value::null()}});
    check_row(*parsed, {{"a", Value::map({{"b", Value::boolean(true)}})}, {"b", Value::real(1e300)},
                        {"c", Value::date_time(0)}, {"d", Value::guid(store::Bytes(16, '\7'))}});
}

}  // namespace idxfsck::tests
