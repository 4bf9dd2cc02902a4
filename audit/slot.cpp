#include "audit/slot.hpp"

namespace idxfsck::audit {

store::Bytes slot_of(const IndexSpec& index, const Entry& entry) {
    Entry slot;
    // A base row has one place for the entry inside it.
    slot.key = index.inside ? entry.pointer : entry.key;
    const ContainerKind kind = index.container.kind;
    if (kind == ContainerKind::map || kind == ContainerKind::columns) {
        if (!entry.pointer.empty()) slot.pointer.push_back(entry.pointer.front());
    } else if (kind != ContainerKind::none) {
        slot.pointer = entry.pointer;
    }
    store::Bytes bytes;
    store::append_varint(bytes, index.name.size());
    bytes.append(index.name);
    append_entry_bytes(bytes, EntryLoan{slot}.view(), false);
    return bytes;
}

}  // namespace idxfsck::audit
