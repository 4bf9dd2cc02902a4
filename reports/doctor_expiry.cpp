#include "reports/doctor_expiry.hpp"

#include "audit/language/key_kinds.hpp"

namespace idxfsck::reports {

namespace {

// The attribute that says when, if it is one alone.
std::string time_attribute(const audit::ExpirySpec& expires) {
    audit::NamedTemplate named;
    named.text = expires.at;
    return audit::language::copied_attribute(named);
}

// `deletes` is the attribute by which the table does; empty: it deletes none.
std::string note_on(const std::string& owner, const audit::ExpirySpec& expires,
                    const std::string& deletes) {
    if (!expires.given()) {
        if (deletes.empty()) return {};
        return owner + " has no `expires`, but the table's TTL is " + deletes +
               ": what has expired counts as there until it is deleted; expires = { at = \"{" +
               deletes + "}\" } lets it be gone";
    }
    if (deletes.empty()) {
        return owner + " has `expires`, but the table's TTL is off: what has expired counts as "
                       "gone, and nothing deletes it";
    }
    const std::string said = time_attribute(expires);
    if (said.empty() || said == deletes) return {};
    return owner + " expires by " + said + ", but the table's TTL is " + deletes +
           ": what one of the two takes for gone is there by the other; which is right?";
}

}  // namespace

std::vector<std::string> expiry_notes(const audit::Spec& spec, const DoctorTable& table) {
    std::vector<std::string> notes;
    if (!table.seen.expiry || !table.seen.expiry->untold.empty()) return notes;
    const auto look = [&](const std::string& owner, const audit::ExpirySpec& expires) {
        std::string note = note_on(owner, expires, table.seen.expiry->attribute);
        if (!note.empty()) notes.push_back(std::move(note));
    };
    for (const audit::BaseSpec& base : spec.bases) {
        const bool here = base.store == table.store && base.table == table.table;
        if (here) look("base " + base.name, base.expires);
    }
    for (const audit::IndexSpec& index : spec.indexes) {
        const bool here = index.store == table.store && index.table == table.table;
        if (here && !index.inside) look("index " + index.name, index.expires);
    }
    return notes;
}

}  // namespace idxfsck::reports
