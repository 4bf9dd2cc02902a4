#include "audit/language/arena.hpp"

#include <algorithm>
#include <cstring>

namespace idxfsck::audit::language {

store::BytesView Arena::copy(store::BytesView bytes) {
    char* const place = allocate(bytes.size());
    if (!bytes.empty()) std::memcpy(place, bytes.data(), bytes.size());
    return {place, bytes.size()};
}

char* Arena::allocate_elsewhere(std::size_t size) {
    if (current_ < chunks_.size()) ++current_;
    while (current_ < chunks_.size() && chunks_[current_].size < size) ++current_;
    if (current_ == chunks_.size()) {
        const std::size_t doubled = chunks_.empty() ? 0 : chunks_.back().size * 2;
        const std::size_t wanted = std::max({chunk_bytes_min, doubled, size});
        chunks_.push_back({std::make_unique_for_overwrite<char[]>(wanted), wanted});
        total_ += wanted;
    }
    used_ = size;
    return chunks_[current_].bytes.get();
}

void Arena::shrink() {
    while (!chunks_.empty() && total_ > kept_bytes_max) {
        total_ -= chunks_.back().size;
        chunks_.pop_back();
    }
}

}  // namespace idxfsck::audit::language
