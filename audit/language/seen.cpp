#include "audit/language/seen.hpp"

#include <algorithm>

#include <xxhash.h>

namespace idxfsck::audit::language {

void Seen::clear() {
    if (items_.empty()) return;
    items_.clear();
    bytes_.clear();
    if (slots_.size() > kept_slots_max) slots_ = {};
    if (bytes_.capacity() > kept_bytes_max) bytes_ = {};
    std::fill(slots_.begin(), slots_.end(), 0);
}

store::BytesView Seen::bytes_of(const Item& item) const {
    return store::BytesView{bytes_}.substr(item.begin, item.size);
}

std::size_t Seen::find(std::uint64_t hash, store::BytesView bytes) const {
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash & mask;
    while (slots_[slot] != 0) {
        const Item& item = items_[slots_[slot] - 1];
        if (item.hash == hash && bytes_of(item) == bytes) return slot;
        slot = (slot + 1) & mask;
    }
    return slot;
}

bool Seen::insert(const EntryView& entry) {
    if (slots_.size() < 2 * (items_.size() + 1)) grow();
    const store::BytesView bytes = canonical_.of(entry, true);
    const std::uint64_t hash = XXH3_64bits(bytes.data(), bytes.size());
    const std::size_t slot = find(hash, bytes);
    if (slots_[slot] != 0) return false;
    items_.push_back({hash, bytes_.size(), bytes.size()});
    bytes_.append(bytes);
    slots_[slot] = static_cast<std::uint32_t>(items_.size());
    return true;
}

void Seen::grow() {
    slots_.assign(std::max<std::size_t>(16, slots_.size() * 2), 0);
    for (std::size_t index = 0; index < items_.size(); ++index) {
        const std::size_t slot = find(items_[index].hash, bytes_of(items_[index]));
        slots_[slot] = static_cast<std::uint32_t>(index + 1);
    }
}

}  // namespace idxfsck::audit::language
