#include "audit/language/transforms.hpp"

#include <functional>

#include "store/json/scalar_text.hpp"

namespace idxfsck::audit::language {

namespace {

std::vector<TransformInfo> join_families() {
    std::vector<TransformInfo> all;
    for (const auto family : {text_transforms(), code_transforms(), digest_transforms(),
                              number_transforms(), time_transforms(), part_transforms()}) {
        all.insert(all.end(), family.begin(), family.end());
    }
    return all;
}

// Canonical spelling; bytes that lie in the scratch move to the arena.
bool canonical(Scratch& scratch, const store::ValueView& value, store::BytesView& text) {
    const std::optional<store::BytesView> number = store::canonical_number(value, scratch.number);
    if (!number) return false;
    const char* const begin = scratch.number.data();
    const bool in_scratch = !std::less<>{}(number->data(), begin) &&
                            std::less<>{}(number->data(), begin + scratch.number.size());
    text = in_scratch ? scratch.arena.copy(*number) : *number;
    return true;
}

bool make_number(Scratch& scratch, store::ValueView& value) {
    if (value.kind == store::Kind::text) value.kind = store::Kind::number;
    store::BytesView text;
    if (!store::is_numeric(value.kind) || !canonical(scratch, value, text)) {
        return refuse(scratch, Damage::key_wrong_type);
    }
    value = {store::Kind::number, text};
    return true;
}

bool make_time(Scratch& scratch, store::ValueView& value) {
    if (value.kind == store::Kind::date_time) return true;
    if (value.kind != store::Kind::text) return refuse(scratch, Damage::key_wrong_type);
    const auto ticks = store::date_time_from_text(value.payload);
    if (!ticks) return refuse(scratch, Damage::key_wrong_type);
    value = time_view(scratch, *ticks);
    return true;
}

bool make_bytes(Scratch& scratch, store::ValueView& value) {
    if (value.kind == store::Kind::binary || to_text(scratch, value)) return true;
    return refuse(scratch, Damage::key_wrong_type);
}

// Whole milliseconds are written with three digits, as most libraries do; finer times with seven.
int fraction_digits(std::int64_t ticks) {
    return ticks % 10'000 == 0 ? 3 : 7;
}

}  // namespace

std::span<const TransformInfo> transforms() {
    static const std::vector<TransformInfo> all = join_families();
    return all;
}

const TransformInfo* find_transform(std::string_view name) {
    for (const TransformInfo& info : transforms()) {
        if (info.name == name) return &info;
    }
    return nullptr;
}

std::vector<std::string_view> transform_names() {
    std::vector<std::string_view> names;
    for (const TransformInfo& info : transforms()) names.push_back(info.name);
    return names;
}

bool refuse(Scratch& scratch, Damage damage) {
    scratch.damage = damage;
    return false;
}

store::ValueView time_view(Scratch& scratch, std::int64_t ticks) {
    char* const bytes = scratch.arena.allocate(8);
    for (int index = 0; index < 8; ++index) {
        bytes[index] = static_cast<char>(static_cast<std::uint64_t>(ticks) >> (8 * index));
    }
    return {store::Kind::date_time, {bytes, 8}};
}

bool to_text(Scratch& scratch, store::ValueView& value) {
    if (value.kind == store::Kind::text) return true;
    if (store::is_numeric(value.kind)) {
        store::BytesView text;
        return canonical(scratch, value, text) && give_text(value, text);
    }
    if (value.kind == store::Kind::boolean) {
        return give_text(value, value.as_boolean() ? "true" : "false");
    }
    if (value.kind != store::Kind::guid && value.kind != store::Kind::date_time) return false;
    scratch.number.clear();
    if (value.kind == store::Kind::guid) {
        if (value.payload.size() != 16) return false;
        store::append_guid(scratch.number, value.payload);
    } else {
        const std::int64_t ticks = value.as_integer();
        if (ticks < 0 || ticks >= store::ticks_end) return false;
        store::append_date_time(scratch.number, ticks, fraction_digits(ticks));
    }
    return give_text(value, scratch.arena.copy(scratch.number));
}

bool make_fit(Takes takes, Scratch& scratch, store::ValueView& value) {
    switch (takes) {
        case Takes::text:
            return to_text(scratch, value) || refuse(scratch, Damage::key_wrong_type);
        case Takes::bytes: return make_bytes(scratch, value);
        case Takes::number: return make_number(scratch, value);
        case Takes::time: return make_time(scratch, value);
        case Takes::any:
        case Takes::missing: return true;
    }
    return true;
}

}  // namespace idxfsck::audit::language
