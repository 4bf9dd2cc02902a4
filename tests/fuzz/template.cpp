// Templates.
//
// Promised: text that is no template has a fault with a place in it; a template gives a value or
// refuses for every row; what it gives away when it is read backwards is what it was made of.
// Method: the first line of the input as a template, the others as texts of the attributes a, b, c
// and d; then the second line as a value that the template might have made.

#include "audit/language/bound_template.hpp"
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

Row row_of(Input& input) {
    Row row;
    for (const char* const name : {"a", "b", "c", "d"}) {
        if (input.empty()) break;
        row[name] = Value::text(store::Bytes{input.line()});
    }
    return row;
}

class Evaluation {
public:
    explicit Evaluation(const language::Template& parsed)
        : binder_{projection_, 1'700'000'000'000}, bound_{parsed, keep_all(), binder_} {}

    // Nothing if the template refuses the row, or leaves it out.
    std::optional<Value> of(const Row& row) {
        std::vector<store::ValueView> slots(projection_.names.size());
        for (std::size_t slot = 0; slot < slots.size(); ++slot) {
            const auto place = row.find(projection_.names[slot]);
            if (place != row.end()) slots[slot] = place->second.view();
        }
        scratch_.reset();
        store::ValueView value;
        const language::Context context{slots, scratch_, value_of(row, "a"), value_of(row, "b"),
                                        value_of(row, "c")};
        if (!bound_.evaluate(context, value)) {
            store::ensure(scratch_.damage != audit::Damage::none, "a refusal says why");
            return std::nullopt;
        }
        if (!value.present()) return std::nullopt;
        return Value{value};
    }

private:
    static audit::MissingPolicy keep_all() {
        audit::MissingPolicy policy;
        policy.null.action = audit::MissingAction::keep;
        return policy;
    }
    static store::ValueView value_of(const Row& row, const char* name) {
        const auto place = row.find(name);
        return place == row.end() ? store::ValueView{} : place->second.view();
    }

    store::Projection projection_;
    language::RowBinder binder_;
    language::BoundTemplate bound_;
    audit::Scratch scratch_;
};

bool is_bytes(const Value& value) {
    return value.kind == store::Kind::text || value.kind == store::Kind::binary;
}

// Text "7" that was padded comes back as the number 7, text that is no UTF-8 out of hexadecimal as
// binary: the spec's `types` say which it was.
bool same_text(const Value& a, const Value& b) {
    if (is_bytes(a) && is_bytes(b)) return a.payload == b.payload;
    audit::Scratch scratch;
    store::ValueView left = a.view();
    store::ValueView right = b.view();
    if (left == right) return true;
    return language::to_text(scratch, left) && language::to_text(scratch, right) && left == right;
}

void check_forward(const language::Template& parsed, const Row& row) {
    Evaluation evaluation{parsed};
    const std::optional<Value> value = evaluation.of(row);
    if (!value) return;
    audit::Scratch scratch;
    language::Solution solution;
    if (!language::invert_template(parsed, *value, {}, scratch, solution)) return;
    for (const auto& [name, known] : solution) {
        const auto place = row.find(name);
        // A null that is kept becomes empty text, and comes back as that.
        if (place == row.end() || place->second.kind == store::Kind::null) continue;
        store::ensure(same_text(known, place->second), "a template gives away what it was made of");
    }
}

void check_backward(const language::Template& parsed, store::BytesView text) {
    audit::Scratch scratch;
    language::Solution solution;
    const Value value = Value::text(store::Bytes{text});
    if (!language::invert_template(parsed, value, {}, scratch, solution)) return;
    for (const language::TemplatePart& part : parsed.parts) {
        const bool plain = !part.operand || (part.operand->source == language::Source::attribute &&
                                             part.operand->path.steps.empty());
        if (!plain) return;
    }
    Evaluation evaluation{parsed};
    const std::optional<Value> again = evaluation.of({solution.begin(), solution.end()});
    store::ensure(again && same_text(*again, value), "what was taken apart makes the same again");
}

}  // namespace

void fuzz_template(store::BytesView bytes) {
    Input input{bytes};
    const store::BytesView text = input.line();
    language::Faults faults;
    static_cast<void>(language::parse_path(text, faults));
    faults.clear();
    const auto parsed = language::parse_template(text, faults);
    if (!parsed) {
        store::ensure(!faults.empty(), "text that is no template has a fault");
        for (const language::Fault& fault : faults) {
            store::ensure(fault.offset <= text.size(), "a fault lies in the text");
        }
        return;
    }
    Input values = input;
    check_forward(*parsed, row_of(values));
    check_forward(*parsed, {{"a", Value::number("-12.50")}, {"b", Value::binary("\xff\xfe")},
                            {"c", Value::list({Value::text("x")})}, {"d", Value::null()}});
    check_backward(*parsed, input.line());
}

}  // namespace idxfsck::tests
