#include "audit/language/inversion.hpp"

#include <array>

#include "audit/language/member_list.hpp"
#include "audit/language/transform_call.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::audit::language {

namespace {

using store::BytesView;
using store::Kind;
using store::Value;
using store::ValueView;

// Ways to take a text apart that are looked at before it counts as ambiguous.
constexpr int attempts_max = 10'000;

bool learn(Solution& solution, const std::string& name, Value value) {
    const auto [place, added] = solution.try_emplace(name, value);
    return added || same_value(place->second, value);
}

// The source's value, given what came out of the transforms.
std::optional<Value> source_of(const Operand& operand, ValueView value, const Types& types,
                               bool from_text, Scratch& scratch) {
    const std::vector<BoundTransform> bound = bind_transforms(operand.transforms);
    if (!invert_transforms(bound, scratch, value)) return std::nullopt;
    const bool guessed = from_text || !operand.transforms.empty();
    const auto type = types.find(source_name(operand));
    if (!guessed || type == types.end()) return Value{value};
    // Only text and numbers can be spelled as another kind.
    const bool spelled = value.kind == Kind::text || value.kind == Kind::number;
    return spelled ? value_of_kind(value.payload, type->second) : std::optional{Value{value}};
}

bool invert_operand(const Operand& operand, const ValueView& value, const Types& types,
                    bool from_text, Scratch& scratch, Solution& solution) {
    if (!operand.varies()) return true;
    std::optional<Value> source = source_of(operand, value, types, from_text, scratch);
    return source && learn(solution, source_name(operand), std::move(*source));
}

// Tries the ways in which a text splits at the literals of a template.
class Splitter {
public:
    Splitter(const Template& parsed, const Types& types, Scratch& scratch)
        : parsed_{parsed}, types_{types}, scratch_{scratch} {}

    // The one solution, or nothing.
    std::optional<Solution> split(BytesView text, const Solution& known) {
        attempt(0, text, known);
        if (solutions_ != 1 || attempts_ > attempts_max) return std::nullopt;
        return std::move(found_);
    }

private:
    // Recursion is as deep as the template has parts.
    void attempt(std::size_t part, BytesView rest, const Solution& known);
    void attempt_operand(std::size_t part, BytesView rest, const Solution& known);
    void take(std::size_t part, std::size_t size, BytesView rest, const Solution& known);
    static bool fits(const Operand& operand, BytesView piece);

    const Template& parsed_;
    const Types& types_;
    Scratch& scratch_;
    Solution found_;
    int solutions_ = 0;
    int attempts_ = 0;
};

void Splitter::attempt(std::size_t part, BytesView rest, const Solution& known) {
    if (++attempts_ > attempts_max || solutions_ > 1) return;
    if (part == parsed_.parts.size()) {
        if (!rest.empty()) return;
        ++solutions_;
        found_ = known;
    } else if (parsed_.parts[part].operand) {
        attempt_operand(part, rest, known);
    } else if (rest.starts_with(parsed_.parts[part].literal)) {
        attempt(part + 1, rest.substr(parsed_.parts[part].literal.size()), known);
    }
}

void Splitter::attempt_operand(std::size_t part, BytesView rest, const Solution& known) {
    if (part + 1 == parsed_.parts.size()) {
        take(part, rest.size(), rest, known);
        return;
    }
    const TemplatePart& next = parsed_.parts[part + 1];
    if (next.operand) {
        for (std::size_t size = 0; size <= rest.size(); ++size) take(part, size, rest, known);
        return;
    }
    for (std::size_t at = rest.find(next.literal); at != BytesView::npos;
         at = rest.find(next.literal, at + 1)) {
        take(part, at, rest, known);
    }
}

void Splitter::take(std::size_t part, std::size_t size, BytesView rest, const Solution& known) {
    if (attempts_ > attempts_max || solutions_ > 1) return;
    const Operand& operand = *parsed_.parts[part].operand;
    const BytesView piece = rest.substr(0, size);
    if (!fits(operand, piece)) return;
    Solution more = known;
    if (!invert_operand(operand, text_view(piece), types_, true, scratch_, more)) return;
    attempt(part + 1, rest.substr(size), more);
}

bool Splitter::fits(const Operand& operand, BytesView piece) {
    if (operand.transforms.empty()) return true;
    const BoundTransform last = bind_transforms(operand.transforms).back();
    if (last.info->alphabet == nullptr) return true;
    const Alphabet alphabet = last.info->alphabet(last.arguments);
    if (alphabet.width != 0 && piece.size() != alphabet.width) return false;
    if (alphabet.holds == nullptr) return true;
    for (const char character : piece) {
        if (!alphabet.holds(character)) return false;
    }
    return true;
}

void add_constant(const ConditionNode& node, Solution& constants) {
    if (node.kind != NodeKind::compare || node.comparison != Comparison::equal) return;
    const Operand& left = node.operands[0];
    const Operand& right = node.operands[1];
    const bool swapped = left.source == Source::literal;
    const Operand& attribute = swapped ? right : left;
    const Operand& literal = swapped ? left : right;
    const bool plain = attribute.source == Source::attribute && attribute.transforms.empty() &&
                       literal.source == Source::literal && literal.transforms.empty();
    if (plain) constants.try_emplace(source_name(attribute), literal.literal);
}

}  // namespace

std::string source_name(const Operand& operand) {
    const Path& path = operand.path;
    const bool bare = path.attribute.empty() && path.steps.empty();
    switch (operand.source) {
        case Source::attribute: return path.steps.empty() ? path.attribute : path.text();
        case Source::item: return bare ? "@item" : "@item" + path.text();
        case Source::key: return bare ? "@key" : "@key" + path.text();
        case Source::value: return bare ? "@value" : "@value" + path.text();
        case Source::literal: return {};
        case Source::now: return "now()";
    }
    return {};
}

bool invert_template(const Template& parsed, const ValueView& value, const Types& types,
                     Scratch& scratch, Solution& solution) {
    Solution known = solution;
    if (parsed.keeps_type()) {
        const Operand& operand = *parsed.parts[0].operand;
        if (!invert_operand(operand, value, types, false, scratch, known)) return false;
        solution = std::move(known);
        return true;
    }
    if (value.kind != Kind::text) return false;
    std::optional<Solution> found =
        Splitter{parsed, types, scratch}.split(value.payload, known);
    if (!found) return false;
    solution = std::move(*found);
    return true;
}

Solution constants_of(const Condition& condition) {
    Solution constants;
    if (condition.always()) return constants;
    const ConditionNode& root = condition.nodes.back();
    if (root.kind != NodeKind::all_of) {
        add_constant(root, constants);
        return constants;
    }
    for (const std::size_t child : root.children) add_constant(condition.nodes[child], constants);
    return constants;
}

bool is_recoverable_kind(BytesView kind) {
    constexpr std::array<BytesView, 8> kinds{"text",    "number", "int32",     "int64",
                                             "boolean", "guid",   "date_time", "binary"};
    for (const BytesView known : kinds) {
        if (known == kind) return true;
    }
    return false;
}

std::optional<Value> value_of_kind(BytesView text, BytesView kind) {
    if (kind == "number") {
        if (!store::is_number(text)) return std::nullopt;
        return Value::number(store::Bytes{text});
    }
    if (kind == "int32") {
        const auto number = store::integer_from_text<std::int32_t>(text);
        return number ? std::optional{Value::int32(*number)} : std::nullopt;
    }
    if (kind == "int64") {
        const auto number = store::integer_from_text<std::int64_t>(text);
        return number ? std::optional{Value::int64(*number)} : std::nullopt;
    }
    if (kind == "boolean") {
        if (text != "true" && text != "false") return std::nullopt;
        return Value::boolean(text == "true");
    }
    if (kind == "guid") {
        std::optional<store::Bytes> guid = store::guid_from_text(text);
        return guid ? std::optional{Value::guid(std::move(*guid))} : std::nullopt;
    }
    if (kind == "date_time") {
        const auto ticks = store::date_time_from_text(text);
        return ticks ? std::optional{Value::date_time(*ticks)} : std::nullopt;
    }
    const Kind bytes = kind == "binary" ? Kind::binary : Kind::text;
    return Value{bytes, store::Bytes{text}};
}

}  // namespace idxfsck::audit::language
