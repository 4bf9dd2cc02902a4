#include <algorithm>

#include "audit/language/bound_template.hpp"
#include "audit/language/entry_maker.hpp"
#include "audit/language/inversion.hpp"
#include "audit/language/member_parts.hpp"
#include "audit/language/nearest.hpp"
#include "audit/language/spec_reader.hpp"
#include "audit/language/uses.hpp"

namespace idxfsck::audit::language {

namespace {

// Looks at one index; each check is one thing that contradicts another.
class IndexCheck {
public:
    IndexCheck(const IndexSpec& index, Reading& reading) : index_{index}, reading_{reading} {}

    void run();

private:
    void check_elements();
    void check_element(const Operand& operand, SpecPlace place);
    void check_container();
    void check_kinds();
    void check_scope();
    void check_constants();
    void check_attribute_names();
    void check_key();
    void check_any_of();
    void complain(SpecPlace place, std::string text, std::string seen = {}, std::string hint = {});

    const IndexSpec& index_;
    Reading& reading_;
    bool speaks_of_element_ = false;
};

void IndexCheck::complain(SpecPlace place, std::string text, std::string seen, std::string hint) {
    reading_.complain(place, std::move(text), std::move(seen), std::move(hint));
}

void IndexCheck::run() {
    check_elements();
    check_container();
    check_kinds();
    check_scope();
    check_constants();
    check_attribute_names();
    check_key();
    check_any_of();
}

// Only a key may be spread over several.
void IndexCheck::check_any_of() {
    const auto refuse = [&](const std::vector<NamedTemplate>& templates) {
        for (const NamedTemplate& named : templates) {
            if (named.any.part == AnyOf::Part::none) continue;
            complain(named.place, "`@any` stands in the key of an index only", named.name);
        }
    };
    if (!index_.pointer_in_key) refuse(index_.pointer);
    for (const auto* templates : {&index_.copies, &index_.constants}) refuse(*templates);
    if (index_.inside) refuse(index_.key);
}

void IndexCheck::check_element(const Operand& operand, SpecPlace place) {
    if (!is_element(operand)) return;
    speaks_of_element_ = true;
    // An `each` that makes no sense has its complaint already.
    if (!index_.each.empty() || index_.each_place.line != 0) return;
    complain(reading_.text.within(place, operand.offset), "there is no element without `each`",
             source_name(operand), "add each = \"{Tags}\", or name an attribute");
}

void IndexCheck::check_elements() {
    const auto at = [this](SpecPlace place) {
        return [this, place](const Operand& operand) { check_element(operand, place); };
    };
    for (const auto* templates : {&index_.key, &index_.pointer, &index_.copies}) {
        if (templates == &index_.pointer && index_.pointer_in_key) continue;
        for (const NamedTemplate& named : *templates) visit(named, at(named.place));
    }
    if (index_.container.kind != ContainerKind::none) {
        for (const NamedTemplate& named : pointer_templates(index_)) visit(named, at(named.place));
    }
    visit(checked_condition(index_.when), at(index_.when_place));
    if (index_.each.empty()) return;
    visit(checked_template(index_.each), [this](const Operand& operand) {
        if (is_element(operand)) {
            complain(index_.each_place, "`each` cannot speak of its own elements", index_.each);
        }
    });
    if (!speaks_of_element_) {
        complain(index_.each_place, "nothing speaks of the elements of `each`", index_.each,
                 "use {@item} in the key, or of a map {@key} and {@value}");
    }
}

void IndexCheck::check_container() {
    if (index_.container.kind == ContainerKind::none) return;
    const SpecPlace place = index_.container.place;
    if (!index_.pointer.empty()) {
        complain(index_.pointer.front().place, "an index with a container has no pointer", {},
                 "the member says whose entry it is");
    }
    if (index_.copies_mode != CopiesMode::none) {
        complain(place, "an index with a container has no copies", {},
                 "the rows of a container belong to several base rows");
    }
    if (index_.unique) {
        complain(place, "a container holds several entries of one key and is not unique");
    }
}

void IndexCheck::check_kinds() {
    if (index_.unique && index_.lossy) {
        complain(index_.place, "an index is unique or lossy, not both", index_.name,
                 "unique: two rows of one key are a finding; lossy: any one of them is right");
    }
    if (!index_.covers.empty() && !index_.has_pointer()) {
        complain(index_.covers_place, "`covers` needs entries that name their base row",
                 index_.name, "without a pointer, entries of the other rows would look unclaimed");
    }
    if (index_.lossy && !index_.has_pointer()) {
        complain(index_.place, "a lossy index has a pointer", index_.name,
                 "without a pointer an entry serves every row that derives it anyway");
    }
    if (index_.lossy && index_.container.kind != ContainerKind::none) {
        complain(index_.place, "a container is not lossy: it has room for all", index_.name);
    }
}

void IndexCheck::check_scope() {
    std::vector<std::string> used;
    visit(index_.key, [&](const Operand& operand) { used.push_back(source_name(operand)); });
    for (const std::string& name : index_.unique_scope) {
        if (std::find(used.begin(), used.end(), name) != used.end()) continue;
        complain(index_.place, "the key leaves out what it is unique within", name,
                 "two scopes would share one index row: use {" + name + "} in the key");
    }
}

void IndexCheck::check_constants() {
    for (const NamedTemplate& named : index_.constants) {
        visit(named, [&](const Operand& operand) {
            if (!operand.varies()) return;
            complain(named.place, "a constant does not depend on the row", source_name(operand),
                     "an attribute that does stands in `copies`");
        });
    }
}

void IndexCheck::check_attribute_names() {
    std::vector<std::string> names;
    for (const auto* templates : {&index_.pointer, &index_.copies, &index_.constants}) {
        if (templates == &index_.pointer && index_.pointer_in_key) continue;
        for (const NamedTemplate& named : *templates) {
            if (std::find(names.begin(), names.end(), named.name) != names.end()) {
                complain(named.place, "this attribute of the index row is given twice", named.name);
            }
            names.push_back(named.name);
        }
    }
    if (index_.container.kind == ContainerKind::none || index_.container.attribute.empty()) return;
    for (const std::string& part : part_names(index_.container)) {
        if (std::find(names.begin(), names.end(), part) == names.end()) continue;
        complain(index_.container.place, "this attribute of the index row is given twice", part);
    }
}

void IndexCheck::check_key() {
    if (index_.key.empty() || index_.container.kind != ContainerKind::none) return;
    bool varies = false;
    visit(index_.key, [&](const Operand& operand) { varies = varies || operand.varies(); });
    if (varies) return;
    complain(index_.key.front().place, "the key is the same for every row", {},
             "use an attribute: {Email}");
}

}  // namespace

void check_index(const IndexSpec& index, const BaseSpec&, Reading& reading) {
    IndexCheck{index, reading}.run();
}

}  // namespace idxfsck::audit::language
