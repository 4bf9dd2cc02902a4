// audit/language/entry_maker.hpp
//
// Derive: from a base row to the entries that it calls for.
//
// Shape    In this order: `when` (of the row), `each`, then for each element `when` (if it speaks
//          of the element), key, pointer, copies. A key component that is absent, by its policy,
//          means that the row, or the element, calls for no entry. A pointer that is absent is
//          damage: the entry could not name its row.
// Threads  Constant.

#pragma once

#include <optional>
#include <vector>

#include "audit/language/bound_template.hpp"
#include "audit/language/key_check.hpp"
#include "audit/language/layout.hpp"
#include "audit/program.hpp"

namespace idxfsck::audit::language {

class EntryMaker {
public:
    // `layout` must outlive the maker. `key` are the templates in the order of the index's schema.
    EntryMaker(const Layout& layout, const std::vector<NamedTemplate>& key,
               const IndexLimits& limits, Binder& binder);

    Derived derive(const store::RowView& row, Scratch& scratch, EntrySink& sink) const;
    // What the conditions on the row say, if none speaks of an element.
    Derived screen(const store::RowView& row, Scratch& scratch) const;

private:
    struct Job {
        Context context;
        store::BytesView attributes;
        EntrySink& sink;
        bool found = false;  // an entry, or damage
    };

    void derive_each(Job& job) const;
    void derive_element(Job& job) const;
    void derive_one(Job& job) const;
    bool make_key(Job& job) const;
    bool make_pointer(Job& job) const;
    bool make_copies(Job& job) const;
    void make_all_copies(Job& job) const;
    static void damaged(Job& job, Damage damage, store::BytesView attribute);

    const Layout& layout_;
    IndexLimits limits_;
    BoundCondition covers_;
    BoundCondition when_;
    bool when_of_element_;
    std::optional<BoundTemplate> each_;
    std::vector<BoundValue> key_;
    std::vector<BoundValue> pointer_;
    std::vector<BoundValue> copies_;
};

// The templates that make an entry's pointer: those of the index, or those of a container's member.
std::vector<NamedTemplate> pointer_templates(const IndexSpec& index);

// Does the condition speak of @item, @key or @value?
bool speaks_of_element(const Condition& condition);

}  // namespace idxfsck::audit::language
