#include "audit/language/key_kinds.hpp"

#include "audit/language/bound_template.hpp"
#include "audit/language/transforms.hpp"

namespace idxfsck::audit::language {

namespace {

using store::Kind;

KindSet any_key_kind() {
    return {Kind::number, Kind::text, Kind::binary};
}

Kind merged(Kind kind) {
    return store::is_numeric(kind) ? Kind::number : kind;
}

KindSet kinds_after(KindSet kinds, const TransformInfo& info) {
    switch (info.gives) {
        case Gives::text: return {Kind::text};
        case Gives::binary: return {Kind::binary};
        case Gives::number: return {Kind::number};
        case Gives::list: return {Kind::list};
        case Gives::time: return {Kind::date_time};
        case Gives::same: break;
    }
    // What lies in a list, or what a text stands for, may be anything.
    if (info.takes != Takes::missing) return any_key_kind();
    kinds.insert(Kind::text);
    return kinds;
}

KindSet source_kinds(const Operand& operand, const KnownKinds& known) {
    const bool whole = operand.path.steps.empty();
    switch (operand.source) {
        case Source::literal: return {merged(operand.literal.kind)};
        case Source::now: return {Kind::date_time};
        case Source::key: return whole ? KindSet{Kind::text} : any_key_kind();
        case Source::attribute: break;
        case Source::item:
        case Source::value: return any_key_kind();
    }
    const auto found = known.find(operand.path.attribute);
    return whole && found != known.end() ? KindSet{found->second} : any_key_kind();
}

KindSet kinds_of(const std::string& text, const MissingPolicy& missing, const KnownKinds& known) {
    const Template parsed = checked_template(text);
    if (!parsed.keeps_type()) return {Kind::text};
    const Operand& operand = *parsed.parts[0].operand;
    KindSet kinds = source_kinds(operand, known);
    for (const TransformCall& call : operand.transforms) {
        kinds = kinds_after(std::move(kinds), *call.info);
    }
    for (const MissingRule* rule : {&missing.absent, &missing.null, &missing.empty}) {
        if (rule->action == MissingAction::use) kinds.insert(Kind::text);
    }
    return kinds;
}

std::string words_of(const KindSet& kinds) {
    std::string words;
    for (const Kind kind : kinds) {
        words.append(words.empty() ? "" : " or ").append(store::kind_name(kind));
    }
    return words;
}

// What to change so that the table can take it.
std::string hint_for(const std::string& name, Kind taken) {
    switch (taken) {
        case Kind::number:
            return "a template of several pieces is text: write the part as one field that is a "
                   "number, as in " + name + " = \"{" + name + "}\", or make a number of its "
                   "digits: |plus(0)";
        case Kind::text:
            return "|text makes text of a number, a guid or a time, |hex and |base64 of bytes";
        default:
            return "write the part as one field that is binary, or make bytes of its text: "
                   "|from_base64, |from_hex, or a digest";
    }
}

Complaint complaint_of(const std::string& owner, const store::TableSchema& table,
                       const NamedTemplate& named, const KindSet& made, Kind taken) {
    return {named.place, "a part of a key can never be of the kind that its table takes",
            owner + ", table " + table.name + ": " + named.name + " is " + words_of(made) +
                ", the table takes " + std::string{store::kind_name(taken)},
            hint_for(named.name, taken)};
}

void complain(const std::string& owner, const store::TableSchema& table,
              const std::vector<NamedTemplate>& templates, const KnownKinds& known,
              std::vector<Complaint>& complaints) {
    const KnownKinds takes = known_kinds(table);
    for (const NamedTemplate& named : templates) {
        const auto taken = takes.find(named.name);
        if (taken == takes.end()) continue;
        const KindSet made = possible_kinds(named, known);
        if (made.contains(taken->second)) continue;
        complaints.push_back(complaint_of(owner, table, named, made, taken->second));
    }
}

// The kind that a word of `types` stands for, as a key has it.
Kind declared_kind(const store::Bytes& word) {
    for (const Kind kind : any_key_kind()) {
        if (word == store::kind_name(kind)) return kind;
    }
    return word == "int32" || word == "int64" ? Kind::number : Kind::absent;
}

}  // namespace

KnownKinds known_kinds(const store::TableSchema& table) {
    KnownKinds kinds;
    for (std::size_t place = 0; place < table.key_kinds.size(); ++place) {
        kinds.emplace(table.key[place], table.key_kinds[place]);
    }
    return kinds;
}

KindSet possible_kinds(const NamedTemplate& named, const KnownKinds& known) {
    // A salt is a text, before or behind another; only alone it may be a number.
    if (named.any.part == AnyOf::Part::whole && named.any.numbers) return {Kind::number};
    if (named.any.part != AnyOf::Part::none) return {Kind::text};
    KindSet kinds;
    for (const TemplateChoice& choice : named.choices) {
        kinds.merge(kinds_of(choice.text, named.missing, known));
    }
    if (named.otherwise) kinds.merge(kinds_of(named.text, named.missing, known));
    return kinds;
}

std::string copied_attribute(const NamedTemplate& named) {
    if (!named.choices.empty() || !named.otherwise) return {};
    const Template parsed = checked_template(named.text);
    if (!parsed.keeps_type()) return {};
    const Operand& operand = *parsed.parts[0].operand;
    const bool plain = operand.source == Source::attribute && operand.path.steps.empty() &&
                       operand.transforms.empty();
    return plain ? operand.path.attribute : std::string{};
}

std::vector<Complaint> kind_complaints(const IndexSpec& index, const store::TableSchema& table,
                                       const KnownKinds& base) {
    std::vector<Complaint> complaints;
    // Inside the base row the key is no key of a table.
    if (!index.inside) complain("index " + index.name, table, index.key, base, complaints);
    return complaints;
}

std::vector<Complaint> kind_complaints(const BaseSpec& base, const store::TableSchema& table) {
    std::vector<Complaint> complaints;
    complain("base " + base.name, table, base.locate, {}, complaints);
    for (const auto& [name, taken] : known_kinds(table)) {
        const auto declared = base.types.find(name);
        if (declared == base.types.end() || declared_kind(declared->second) == taken) continue;
        complaints.push_back(
            {base.place, "a type is declared that the key of the table never is",
             "base " + base.name + ", table " + table.name + ": " + name + " is " +
                 declared->second + ", the table takes " + std::string{store::kind_name(taken)},
             "leave it out of `types`: the table says it, or write " + name + " = \"" +
                 std::string{store::kind_name(taken)} + "\""});
    }
    return complaints;
}

}  // namespace idxfsck::audit::language
