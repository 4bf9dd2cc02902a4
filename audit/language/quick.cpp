#include "audit/language/quick.hpp"

#include <algorithm>

#include "audit/language/any_of.hpp"
#include "audit/language/bound_template.hpp"
#include "audit/language/shape.hpp"
#include "audit/language/transforms.hpp"

namespace idxfsck::audit::language {

namespace {

constexpr auto no_limit = static_cast<std::size_t>(-1);

// Does it take a look at every character to tell whether a key is refused?
bool looks_at_characters(const IndexLimits& limits) {
    return !limits.each.forbidden.empty() || !limits.each.control_characters;
}

// Values of other kinds may be refused.
void take_only(QuickPart& part, store::Kind kind) {
    part.kind = kind;
    const bool text = store::is_taken(store::Kind::text, kind);
    part.text_bytes_max = text ? part.bytes_max : 0;
}

// Longer keys may be, too.
void limit_key(std::vector<QuickPart>& key, const IndexLimits& limits) {
    for (std::size_t place = 0; place < key.size(); ++place) {
        const std::size_t bytes = limits.bytes_max_at(place).value_or(no_limit);
        key[place].bytes_max = std::min(bytes, limits.each.characters_max.value_or(bytes));
        take_only(key[place], limits.kind_at(place));
    }
}

std::optional<QuickPiece> piece_of(const TemplatePart& part, store::Projection& rows) {
    QuickPiece piece;
    if (!part.operand) {
        piece.literal = part.literal;
        return piece;
    }
    const Operand& operand = *part.operand;
    if (operand.source != Source::attribute || !operand.path.steps.empty()) return std::nullopt;
    if (operand.transforms.size() > 1) return std::nullopt;
    if (!operand.transforms.empty()) {
        const TransformCall& call = operand.transforms[0];
        if (call.info->name != "lower" || !call.arguments.empty()) return std::nullopt;
        piece.lower = true;
    }
    piece.from = QuickPiece::From::slot;
    piece.position = rows.slot(operand.path.attribute);
    return piece;
}

std::optional<QuickPart> part_of(const NamedTemplate& named, store::Projection& rows) {
    if (!named.choices.empty() || !named.otherwise) return std::nullopt;
    if (named.any.part != AnyOf::Part::none) return std::nullopt;
    QuickPart part;
    for (const TemplatePart& one : checked_template(named.text).parts) {
        const auto piece = piece_of(one, rows);
        if (!piece) return std::nullopt;
        part.pieces.push_back(*piece);
    }
    if (part.pieces.empty()) return std::nullopt;
    return part;
}

bool add_parts(const std::vector<NamedTemplate>& templates, store::Projection& rows,
               std::vector<QuickPart>& parts) {
    for (const NamedTemplate& named : templates) {
        auto part = part_of(named, rows);
        if (!part) return false;
        parts.push_back(std::move(*part));
    }
    return true;
}

bool add_copies(const std::vector<NamedTemplate>& copies, store::Projection& rows,
                std::vector<QuickCopy>& out) {
    for (const NamedTemplate& named : copies) {
        auto part = part_of(named, rows);
        if (!part) return false;
        part->left_out = part->is_value() && named.missing.absent.action != MissingAction::use;
        out.push_back({named.name, std::move(*part)});
    }
    return true;
}

QuickPart value_of(QuickPiece::From from, std::size_t position) {
    QuickPart part;
    part.pieces.push_back({from, position, {}, false});
    return part;
}

}  // namespace

std::optional<QuickEntry> quick_derive(const Layout& layout, const std::vector<NamedTemplate>& key,
                                       const IndexLimits& limits,
                                       store::Projection& base_rows) {
    const IndexSpec& spec = *layout.spec;
    const bool plain = spec.each.empty() && spec.container.kind == ContainerKind::none &&
                       !spec.inside && !layout.copies_all();
    if (!plain || looks_at_characters(limits)) return std::nullopt;
    QuickEntry entry;
    if (!add_parts(key, base_rows, entry.key)) return std::nullopt;
    limit_key(entry.key, limits);
    if (!add_parts(spec.pointer, base_rows, entry.pointer)) return std::nullopt;
    if (!add_copies(layout.copies, base_rows, entry.copies)) return std::nullopt;
    return entry;
}

std::optional<QuickEntry> quick_decode(const Layout& layout, const std::vector<NamedTemplate>& key,
                                       const IndexLimits& limits,
                                       store::Projection& index_rows) {
    const IndexSpec& spec = *layout.spec;
    if (spec.inside || spec.container.kind != ContainerKind::none || layout.copies_all() ||
        KeyAnyOf{key}.given() || looks_at_characters(limits)) {
        return std::nullopt;
    }
    QuickEntry entry;
    for (std::size_t index = 0; index < key.size(); ++index) {
        entry.key.push_back(value_of(QuickPiece::From::key, index));
    }
    limit_key(entry.key, limits);
    for (const PointerPlace& place : layout.pointer) {
        entry.pointer.push_back(
            place.component ? value_of(QuickPiece::From::key, *place.component)
                            : value_of(QuickPiece::From::slot, index_rows.slot(place.name)));
        take_only(entry.pointer.back(), place.kind);
    }
    for (const std::string& name : layout.copied.names()) {
        QuickPart part = value_of(QuickPiece::From::slot, index_rows.slot(name));
        part.left_out = true;
        entry.copies.push_back({name, std::move(part)});
    }
    return entry;
}

bool owns_every_row(const Layout& layout, const std::vector<NamedTemplate>& key) {
    const IndexSpec& spec = *layout.spec;
    if (!spec.rows.empty() || spec.expires.given()) return false;
    if (spec.inside) return true;
    return !KeyAnyOf{key}.given() &&
           std::all_of(key.begin(), key.end(), [](const NamedTemplate& named) {
               return ComponentShape{named}.fits_all();
           });
}

}  // namespace idxfsck::audit::language
