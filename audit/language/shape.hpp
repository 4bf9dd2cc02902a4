// audit/language/shape.hpp
//
// The shape of the keys that templates make: what tells the rows of one index from those of another
// where both share a table.
//
// Shape    A component's shape is the literal texts of its template, in order, with anything
//          between them. A template that is one attribute alone has no shape: it fits every value.
// Errors   fits() may be true of a value that the template never makes; it is never false of one
//          that it makes.

#pragma once

#include <span>
#include <string>
#include <vector>

#include "audit/language/ast.hpp"
#include "audit/spec.hpp"
#include "store/value.hpp"

namespace idxfsck::audit::language {

class Shape {
public:
    // One template among the choices of a component.
    explicit Shape(const Template& parsed);

    bool fits(const store::ValueView& value) const;
    bool fits_text(store::BytesView text) const;
    bool fits_all() const { return any_; }
    // May some value fit both? True if in doubt.
    bool overlaps(const Shape& other) const;

    // "EMAIL#…" for messages.
    std::string text() const;

private:
    bool any_ = false;
    bool exact_ = false;                 // no operands: one text only
    std::vector<std::string> literals_;  // before, between and after the operands
};

// All the shapes that one component may have.
class ComponentShape {
public:
    explicit ComponentShape(const NamedTemplate& named);

    bool fits(const store::ValueView& value) const;
    bool overlaps(const ComponentShape& other) const;
    bool fits_all() const;
    const std::vector<Shape>& shapes() const { return shapes_; }

private:
    std::vector<Shape> shapes_;
};

}  // namespace idxfsck::audit::language
