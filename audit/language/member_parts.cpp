#include "audit/language/member_parts.hpp"

#include <algorithm>
#include <optional>

#include "audit/language/member_list.hpp"
#include "audit/language/utf8.hpp"

namespace idxfsck::audit::language {

namespace {

using store::Kind;
using store::Row;
using store::Value;
using store::ValueView;

// Two quotes and a comma.
constexpr std::size_t json_member_units = 3;

ValueView attribute_of(const Row& row, const std::string& name) {
    return row.attribute(name).value_or(ValueView{});
}

bool fits(const ContainerSpec& container, const ValueView& part) {
    return container.characters_max == 0 || part.kind != Kind::text ||
           utf16_units(part.payload) <= container.characters_max;
}

// What stands in a text for a member beside the member itself.
std::size_t units_beside(const ContainerSpec& container) {
    return container.kind == ContainerKind::json ? json_member_units
                                                 : utf16_units(container.separator);
}

std::size_t longest_in(const ContainerSpec& container, const ValueView& part) {
    std::size_t longest = 0;
    for (const Value& member : members_of(container, part)) {
        longest = std::max(longest, utf16_units(member.payload));
    }
    return longest;
}

// Where a member is tried, one part after the other.
std::vector<std::string> in_order_of_filling(const std::vector<std::string>& names,
                                             const Row& row) {
    std::size_t last = 0;
    for (std::size_t index = 0; index < names.size(); ++index) {
        if (attribute_of(row, names[index]).present()) last = index;
    }
    const auto from = names.begin() + static_cast<std::ptrdiff_t>(last);
    std::vector<std::string> order{from, names.end()};
    order.insert(order.end(), names.begin(), from);
    return order;
}

}  // namespace

std::vector<std::string> part_names(const ContainerSpec& container) {
    if (container.parts == 0) return {container.attribute};
    std::vector<std::string> names;
    for (std::uint64_t number = 0; number < container.parts; ++number) {
        names.push_back(container.attribute + std::to_string(number));
    }
    return names;
}

bool is_full(const ContainerSpec& container, std::span<const ValueView> parts) {
    if (container.characters_max == 0) return false;
    const std::size_t beside = units_beside(container);
    // No member is longer than the part that it stands in: most rows are told without looking at
    // members.
    std::size_t bytes_max = 0;
    for (const ValueView& part : parts) bytes_max = std::max(bytes_max, part.payload.size());
    const auto has_plenty = [&](const ValueView& part) {
        return part.payload.size() + beside + bytes_max <= container.characters_max;
    };
    if (std::any_of(parts.begin(), parts.end(), has_plenty)) return false;
    std::size_t longest = 0;
    for (const ValueView& part : parts) longest = std::max(longest, longest_in(container, part));
    return std::all_of(parts.begin(), parts.end(), [&](const ValueView& part) {
        return utf16_units(part.payload) + beside + longest > container.characters_max;
    });
}

void add_to_parts(const ContainerSpec& container, std::span<const ValueView> member, Row& row) {
    const std::vector<std::string> names = part_names(container);
    for (const std::string& name : names) {
        const ValueView part = attribute_of(row, name);
        if (container.parts == 0 || !part.present()) continue;
        const std::optional<Value> with = with_member(container, part, member);
        if (with && with->view() == part) return;
    }
    for (const std::string& name : in_order_of_filling(names, row)) {
        const std::optional<Value> with =
            with_member(container, attribute_of(row, name), member);
        if (!with || !fits(container, with->view())) continue;
        row.set(name, *with);
        return;
    }
}

bool take_from_parts(const ContainerSpec& container, std::span<const ValueView> member, Row& row) {
    const std::vector<std::string> names = part_names(container);
    const Value first{attribute_of(row, names.front())};
    bool left = false;
    for (const std::string& name : names) {
        const std::optional<Value> without =
            without_member(container, attribute_of(row, name), member);
        // A part that cannot be read may have any members.
        left = left || !without || without->kind != Kind::absent;
        if (without) row.set(name, *without);
    }
    if (!left && container.keep_empty) {
        row.set(names.front(), empty_members(container, first.view()));
    }
    return left;
}

}  // namespace idxfsck::audit::language
