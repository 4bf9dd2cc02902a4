#include "repair/evidence.hpp"

#include <algorithm>

namespace idxfsck::repair {

namespace {

const audit::Entry* find_claim(const std::vector<audit::Entry>& entries,
                               const audit::Entry& wanted) {
    const auto same = [&](const audit::Entry& entry) { return entry.same_claim(wanted); };
    const auto found = std::find_if(entries.begin(), entries.end(), same);
    return found == entries.end() ? nullptr : &*found;
}

}  // namespace

const audit::Entry* BaseEvidence::derives(const audit::Entry& entry) const {
    return find_claim(entries, entry);
}

bool BaseEvidence::derives_older(const audit::Entry& entry) const {
    return find_claim(older, entry) != nullptr;
}

const audit::Entry* IndexEvidence::holds(const audit::Entry& entry) const {
    return find_claim(held, entry);
}

bool same_row_key(const store::Key& a, const store::Key& b) {
    audit::Entry left;
    audit::Entry right;
    left.key = a;
    right.key = b;
    return left.same_key(right);
}

}  // namespace idxfsck::repair
