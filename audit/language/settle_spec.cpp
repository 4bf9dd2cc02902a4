#include <algorithm>

#include "audit/language/bound_template.hpp"
#include "audit/language/inversion.hpp"
#include "audit/language/locator.hpp"
#include "audit/language/spec_reader.hpp"
#include "audit/language/uses.hpp"

namespace idxfsck::audit::language {

namespace {

bool has(const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

// Attributes that can be read back from the template.
std::vector<std::string> readable_sources(const NamedTemplate& named) {
    std::vector<std::string> names;
    visit(named, [&](const Operand& operand) {
        if (operand.source != Source::attribute) return;
        const bool readable =
            std::all_of(operand.transforms.begin(), operand.transforms.end(),
                        [](const TransformCall& call) { return call.info->invert != nullptr; });
        if (readable) names.push_back(source_name(operand));
    });
    return names;
}

// The attributes that an entry must hold to name its base row; nothing if the selector says all.
std::vector<std::string> identifying_attributes(const BaseSpec& base) {
    const Solution constants = constants_of(checked_condition(base.rows));
    std::vector<std::string> names;
    for (const std::string& component : base.key) {
        if (constants.contains(component)) continue;
        const auto made =
            std::find_if(base.locate.begin(), base.locate.end(),
                         [&](const NamedTemplate& named) { return named.name == component; });
        if (made == base.locate.end()) {
            names.push_back(component);
            continue;
        }
        for (const std::string& source : sources_of(*made)) names.push_back(source);
    }
    return names;
}

// Where nothing was said of a pointer but the key holds the whole base key, the key is the pointer.
void settle_pointer(IndexSpec& index, const BaseSpec& base) {
    if (index.has_pointer()) return;
    const std::vector<std::string> wanted = identifying_attributes(base);
    if (wanted.empty()) return;
    std::vector<NamedTemplate> holders;
    std::vector<std::string> held;
    for (const NamedTemplate& named : index.key) {
        const std::vector<std::string> sources = readable_sources(named);
        const bool holds = std::any_of(sources.begin(), sources.end(),
                                       [&](const auto& source) { return has(wanted, source); });
        if (holds) holders.push_back(named);
        held.insert(held.end(), sources.begin(), sources.end());
    }
    const bool whole = std::all_of(wanted.begin(), wanted.end(),
                                   [&](const std::string& name) { return has(held, name); });
    if (!whole) return;
    index.pointer = std::move(holders);
    index.pointer_in_key = true;
}

// A template that is one attribute and nothing else.
std::string hole(const std::string& attribute) {
    return attribute.find('`') == std::string::npos ? "{`" + attribute + "`}"
                                                    : "{\"" + attribute + "\"}";
}

// An index inside the base row is where its base is, and its pointer is the base key.
void settle_inside(IndexSpec& index, const BaseSpec& base) {
    if (!index.inside) return;
    index.store = base.store;
    index.store_place = index.of_place;
    index.table = base.table;
    index.rows = base.rows;
    index.expires = base.expires;
    if (!index.pointer.empty()) return;  // it has its complaint elsewhere
    for (const std::string& component : base.key) {
        NamedTemplate named;
        named.name = component;
        named.text = hole(component);
        named.place = index.place;
        index.pointer.push_back(std::move(named));
    }
}

}  // namespace

void settle_spec(Spec& spec, Reading& reading) {
    for (IndexSpec& index : spec.indexes) {
        const BaseSpec* const base = spec.base(index.of);
        if (base == nullptr) continue;
        check_inside(index, reading);
        settle_inside(index, *base);
    }
    check_names(spec, reading);
    for (IndexSpec& index : spec.indexes) {
        const BaseSpec* const base = spec.base(index.of);
        if (base == nullptr) continue;
        settle_pointer(index, *base);
        check_index(index, *base, reading);
    }
    check_shared_tables(spec, reading);
}

}  // namespace idxfsck::audit::language
