// audit/language/any_of.hpp
//
// Key components of which a part may be any one of several texts.
//
// Shape    Entries carry the first of the texts, whichever their row has, so that both sides agree.
// Threads  Constant.

#pragma once

#include <string>
#include <vector>

#include "audit/entry.hpp"
#include "audit/language/toml_table.hpp"
#include "audit/scratch.hpp"
#include "audit/spec.hpp"

namespace idxfsck::audit::language {

class KeyAnyOf {
public:
    // `key` are the templates in the order of the schema.
    explicit KeyAnyOf(const std::vector<NamedTemplate>& key);

    bool given() const { return given_; }

    // Puts the key as entries carry it into scratch.key. False if a component has none of the
    // texts.
    bool make_canonical(std::span<const store::ValueView> key, Scratch& scratch) const;

    // The keys of all rows that the entry may stand in. The first is another for each entry, so
    // that what a repair writes is spread.
    std::vector<store::Key> rows_of(const EntryView& entry) const;

private:
    std::vector<AnyOf> parts_;
    bool given_ = false;
};

// Takes `{@any(…)}` out of the text, if it is there; complains if it cannot stand so.
AnyOf take_any_of(PlacedText& text, Reading& reading);

}  // namespace idxfsck::audit::language
