#include "audit/language/shape.hpp"

#include <algorithm>

#include "audit/language/bound_template.hpp"

namespace idxfsck::audit::language {

namespace {

using store::BytesView;

bool agree(BytesView a, BytesView b) {
    return a.starts_with(b) || b.starts_with(a);
}

bool agree_at_end(BytesView a, BytesView b) {
    return a.ends_with(b) || b.ends_with(a);
}

}  // namespace

Shape::Shape(const Template& parsed) : any_{parsed.keeps_type()}, literals_(1) {
    for (const TemplatePart& part : parsed.parts) {
        if (part.operand && part.operand->varies()) {
            literals_.emplace_back();
        } else if (part.operand) {
            // A literal in braces with transforms: its text is not worked out here.
            literals_.emplace_back();
        } else {
            literals_.back() += part.literal;
        }
    }
    exact_ = literals_.size() == 1;
}

bool Shape::fits(const store::ValueView& value) const {
    return any_ || (value.kind == store::Kind::text && fits_text(value.payload));
}

bool Shape::fits_text(BytesView text) const {
    if (any_) return true;
    if (exact_) return text == literals_[0];
    const BytesView prefix = literals_.front();
    const BytesView suffix = literals_.back();
    if (text.size() < prefix.size() + suffix.size()) return false;
    if (!text.starts_with(prefix) || !text.ends_with(suffix)) return false;
    text.remove_prefix(prefix.size());
    text.remove_suffix(suffix.size());
    for (std::size_t index = 1; index + 1 < literals_.size(); ++index) {
        const std::size_t at = text.find(literals_[index]);
        if (at == BytesView::npos) return false;
        text.remove_prefix(at + literals_[index].size());
    }
    return true;
}

bool Shape::overlaps(const Shape& other) const {
    if (any_ || other.any_) return true;
    if (exact_) return other.fits_text(literals_[0]);
    if (other.exact_) return fits_text(other.literals_[0]);
    return agree(literals_.front(), other.literals_.front()) &&
           agree_at_end(literals_.back(), other.literals_.back());
}

std::string Shape::text() const {
    if (any_) return "…";
    std::string out = literals_[0];
    for (std::size_t index = 1; index < literals_.size(); ++index) out += "…" + literals_[index];
    return out;
}

ComponentShape::ComponentShape(const NamedTemplate& named) {
    for (const TemplateChoice& choice : named.choices) {
        shapes_.emplace_back(checked_template(choice.text));
    }
    if (named.otherwise) shapes_.emplace_back(checked_template(named.text));
}

bool ComponentShape::fits(const store::ValueView& value) const {
    return std::any_of(shapes_.begin(), shapes_.end(),
                       [&](const Shape& shape) { return shape.fits(value); });
}

bool ComponentShape::overlaps(const ComponentShape& other) const {
    return std::any_of(shapes_.begin(), shapes_.end(), [&](const Shape& mine) {
        return std::any_of(other.shapes_.begin(), other.shapes_.end(),
                           [&](const Shape& theirs) { return mine.overlaps(theirs); });
    });
}

bool ComponentShape::fits_all() const {
    return std::any_of(shapes_.begin(), shapes_.end(),
                       [](const Shape& shape) { return shape.fits_all(); });
}

}  // namespace idxfsck::audit::language
