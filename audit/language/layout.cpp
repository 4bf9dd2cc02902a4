#include "audit/language/layout.hpp"

#include <algorithm>

#include "audit/language/key_kinds.hpp"

namespace idxfsck::audit::language {

namespace {

std::optional<std::size_t> component_of(const store::TableSchema& schema, std::string_view name) {
    for (std::size_t index = 0; index < schema.key.size(); ++index) {
        if (schema.key[index] == name) return index;
    }
    return std::nullopt;
}

void append_names(std::vector<std::string>& out, const std::vector<NamedTemplate>& templates) {
    for (const NamedTemplate& named : templates) out.push_back(named.name);
}

NameSet not_copied(const IndexSpec& index, const BaseSpec& base, const store::TableSchema& schema) {
    std::vector<std::string> names = index.copies_except;
    names.insert(names.end(), base.key.begin(), base.key.end());
    names.insert(names.end(), schema.key.begin(), schema.key.end());
    append_names(names, index.pointer);
    append_names(names, index.constants);
    append_names(names, index.copies);
    return NameSet{std::move(names)};
}

NameSet not_members(const IndexSpec& index) {
    std::vector<std::string> names = index.container.except;
    append_names(names, index.constants);
    return NameSet{std::move(names)};
}

}  // namespace

NameSet::NameSet(std::vector<std::string> names) : names_{std::move(names)} {
    std::sort(names_.begin(), names_.end());
    names_.erase(std::unique(names_.begin(), names_.end()), names_.end());
}

bool NameSet::has(std::string_view name) const {
    return std::binary_search(names_.begin(), names_.end(), name, std::less<>{});
}

Layout make_layout(const IndexSpec& index, const BaseSpec& base, store::TableSchema schema,
                   const store::TableSchema& base_schema) {
    const KnownKinds base_kinds = known_kinds(base_schema);
    Layout layout;
    layout.spec = &index;
    layout.schema = std::move(schema);
    for (const NamedTemplate& named : index.pointer) {
        const auto kind = base_kinds.find(copied_attribute(named));
        layout.pointer.push_back({named.name, component_of(layout.schema, named.name),
                                  kind == base_kinds.end() ? store::Kind::absent : kind->second});
    }
    // The rows of a container get the constants when they are made; they are no part of an entry.
    if (index.container.kind == ContainerKind::none) {
        layout.copies = index.constants;
        layout.copies.insert(layout.copies.end(), index.copies.begin(), index.copies.end());
    }
    std::sort(layout.copies.begin(), layout.copies.end(),
              [](const NamedTemplate& a, const NamedTemplate& b) { return a.name < b.name; });
    std::vector<std::string> names;
    append_names(names, layout.copies);
    layout.copied = NameSet{std::move(names)};
    layout.not_copied = not_copied(index, base, layout.schema);
    layout.not_members = not_members(index);
    return layout;
}

}  // namespace idxfsck::audit::language
