#include "store/key_filter.hpp"

#include <bit>

#include <xxhash.h>

namespace idxfsck::store {

namespace {

// Places a key: few keys are found behind another's.
constexpr std::size_t places_per_key = 4;

std::uint64_t hash_component(const ValueView& component, std::uint64_t seed) {
    Bytes scratch;
    BytesView payload = component.payload;
    if (component.kind == Kind::number) {
        payload = canonical_number(component, scratch).value_or(component.payload);
    }
    return XXH3_64bits_withSeed(payload.data(), payload.size(),
                                seed + static_cast<std::uint64_t>(component.kind));
}

}  // namespace

KeyFilter::KeyFilter(std::span<const Key> keys)
    : table_(std::bit_ceil((keys.size() + 1) * places_per_key)), mask_{table_.size() - 1} {
    std::vector<ValueView> views;
    for (const Key& key : keys) {
        views.assign(key.begin(), key.end());
        add(hash_of(views));
    }
}

std::uint64_t KeyFilter::hash_of(std::span<const ValueView> key) {
    std::uint64_t hash = 0;
    for (const ValueView& component : key) hash = hash_component(component, hash);
    return hash == 0 ? 1 : hash;
}

void KeyFilter::add(std::uint64_t hash) {
    std::size_t place = hash & mask_;
    while (table_[place] != 0 && table_[place] != hash) place = (place + 1) & mask_;
    table_[place] = hash;
}

}  // namespace idxfsck::store
