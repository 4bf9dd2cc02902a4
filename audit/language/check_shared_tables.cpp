#include <algorithm>

#include "audit/language/bound_template.hpp"
#include "audit/language/inversion.hpp"
#include "audit/language/shape.hpp"
#include "audit/language/spec_reader.hpp"

namespace idxfsck::audit::language {

namespace {

const NamedTemplate* component(const IndexSpec& index, const std::string& name) {
    for (const NamedTemplate& named : index.key) {
        if (named.name == name) return &named;
    }
    return nullptr;
}

// Could one row of the table have the shape of both keys?
bool shapes_overlap(const IndexSpec& a, const IndexSpec& b) {
    for (const NamedTemplate& named : a.key) {
        const NamedTemplate* const other = component(b, named.name);
        if (other != nullptr && !ComponentShape{named}.overlaps(ComponentShape{*other})) {
            return false;
        }
    }
    return true;
}

// Could a row of the base have the shape of the index's keys? A component that has literals and of
// which the base's selector says nothing is taken to tell them apart.
bool fits_base(const IndexSpec& index, const BaseSpec& base) {
    const Solution constants = constants_of(checked_condition(base.rows));
    return std::all_of(index.key.begin(), index.key.end(), [&](const NamedTemplate& named) {
        const ComponentShape shape{named};
        const auto constant = constants.find(named.name);
        return constant == constants.end() ? shape.fits_all() : shape.fits(constant->second);
    });
}

// Two versions of one index whose rows look alike: a row is read as a current one first.
bool can_be_tried(const IndexSpec& first, const IndexSpec& second) {
    return first.family() == second.family() && second.rows.empty() && second.has_pointer();
}

void check_pair(const IndexSpec& first, IndexSpec& second, Reading& reading) {
    if (first.store != second.store || first.table != second.table) return;
    if (!first.rows.empty() && !second.rows.empty()) return;
    if (!shapes_overlap(first, second)) return;
    if (can_be_tried(first, second)) {
        second.tried_in_order = true;
        return;
    }
    const IndexSpec& unclear = second.rows.empty() ? second : first;
    const IndexSpec& other = second.rows.empty() ? first : second;
    reading.complain(unclear.place,
                     "its rows cannot be told from those of index " + other.name +
                         " in the same table",
                     unclear.name, "give both `rows`, a condition on the rows of the table");
}

// The two directions of a pair share their rows, if one of them only reports.
bool is_pair(const Spec& spec, const IndexSpec& index, const BaseSpec& base) {
    if (index.of == base.name) return false;
    return index.read_only ||
           std::all_of(spec.indexes.begin(), spec.indexes.end(), [&](const IndexSpec& other) {
               return other.of != base.name || other.read_only;
           });
}

void check_with_base(const IndexSpec& index, const BaseSpec& base, Reading& reading) {
    if (index.store != base.store || index.table != base.table) return;
    if (base.rows.empty()) {
        reading.complain(base.place,
                         "its rows cannot be told from those of index " + index.name +
                             " in the same table",
                         base.name, "give the base `rows`: rows = 'PartitionKey == \"user\"'");
    } else if (index.rows.empty() && fits_base(index, base)) {
        reading.complain(index.place,
                         "its rows cannot be told from those of base " + base.name +
                             " in the same table",
                         index.name, "give the index `rows`, a condition on the rows of the table");
    }
}

}  // namespace

void check_shared_tables(Spec& spec, Reading& reading) {
    for (std::size_t index = 0; index < spec.indexes.size(); ++index) {
        // What lies inside the base row shares it with nobody.
        if (spec.indexes[index].inside) continue;
        for (std::size_t before = 0; before < index; ++before) {
            if (spec.indexes[before].inside) continue;
            check_pair(spec.indexes[before], spec.indexes[index], reading);
        }
        for (const BaseSpec& base : spec.bases) {
            if (is_pair(spec, spec.indexes[index], base)) continue;
            check_with_base(spec.indexes[index], base, reading);
        }
    }
}

}  // namespace idxfsck::audit::language
