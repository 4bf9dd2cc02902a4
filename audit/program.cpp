#include "audit/program.hpp"

namespace idxfsck::audit {

std::vector<store::Key> IndexProgram::rows_of(const EntryView& entry) const {
    store::Key key;
    for (const store::ValueView& part : entry.key) key.emplace_back(part);
    return {std::move(key)};
}

}  // namespace idxfsck::audit
