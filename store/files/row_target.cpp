#include "store/files/row_target.hpp"

#include <algorithm>

namespace idxfsck::store {

RowTarget::RowTarget(const std::vector<Bytes>& key_names, const Projection* projection)
    : whole_{projection == nullptr || projection->all},
      slots_{projection == nullptr ? 0 : projection->names.size()},
      key_(key_names.size()),
      digits_(key_names.size()) {
    for (std::size_t place = 0; place < slots_; ++place) {
        by_name_.emplace_back(projection->names[place], place);
    }
    std::size_t places = slots_;
    for (const Bytes& name : key_names) {
        const auto known = std::find_if(by_name_.begin(), by_name_.end(),
                                        [&](const auto& entry) { return entry.first == name; });
        key_places_.push_back(known == by_name_.end() ? places++ : known->second);
        if (known == by_name_.end()) by_name_.emplace_back(name, key_places_.back());
    }
    values_.resize(places);
    std::sort(by_name_.begin(), by_name_.end());
    key_view_ = key_;
    if (key_.size() == 1) key_view_ = std::span{values_}.subspan(key_places_[0], 1);
}

std::size_t RowTarget::place_of(BytesView name) const {
    const auto found = std::lower_bound(by_name_.begin(), by_name_.end(),
                                        std::pair{name, std::size_t{0}});
    return found != by_name_.end() && found->first == name ? found->second : no_place;
}

bool RowTarget::in_key(BytesView name) const {
    const std::size_t place = place_of(name);
    return place != no_place &&
           std::find(key_places_.begin(), key_places_.end(), place) != key_places_.end();
}

std::string_view RowTarget::finish_key() {
    for (std::size_t component = 0; component < key_.size(); ++component) {
        ValueView& value = values_[key_places_[component]];
        if (!value.present()) return "a key attribute is missing";
        if (is_container(value.kind)) return "a key attribute that is a list, map or set";
        if (value.kind == Kind::number) {
            const auto digits = canonical_number(value, digits_[component]);
            if (!digits) return "a key attribute that is too large a number";
            value.payload = *digits;
        }
        if (key_.size() > 1) key_[component] = value;
    }
    return {};
}

}  // namespace idxfsck::store
