#include "audit/language/any_of.hpp"

#include <algorithm>
#include <charconv>

#include "audit/language/member_list.hpp"
#include "store/digest.hpp"

namespace idxfsck::audit::language {

namespace {

using store::BytesView;
using store::Kind;
using store::Value;
using store::ValueView;
using Part = AnyOf::Part;

Value whole_value(const AnyOf& any, const std::string& text) {
    return any.numbers ? Value::number(text) : Value::text(text);
}

// The rest of the text without that part, if it has it.
std::optional<BytesView> rest_of(const AnyOf& any, BytesView text, BytesView part) {
    if (text.size() <= part.size()) return std::nullopt;
    if (any.part == Part::first) {
        if (!text.starts_with(part) || text[part.size()] != any.beside) return std::nullopt;
        return text.substr(part.size());
    }
    const std::size_t rest = text.size() - part.size();
    if (!text.ends_with(part) || text[rest - 1] != any.beside) return std::nullopt;
    return text.substr(0, rest);
}

std::string joined(const AnyOf& any, BytesView rest, const std::string& part) {
    const std::string text{rest};
    return any.part == Part::first ? part + text : text + part;
}

// The component as entries carry it, or absent.
ValueView canonical(const AnyOf& any, const ValueView& value, Scratch& scratch) {
    for (const std::string& text : any.texts) {
        if (any.part == Part::whole) {
            if (!same_value(whole_value(any, text).view(), value)) continue;
            const Value first = whole_value(any, any.texts.front());
            return {first.kind, scratch.arena.copy(first.payload)};
        }
        if (value.kind != Kind::text) return {};
        if (const auto rest = rest_of(any, value.payload, text)) {
            return {Kind::text, scratch.arena.copy(joined(any, *rest, any.texts.front()))};
        }
    }
    return {};
}

// The component with another of the texts.
Value with_text(const AnyOf& any, const Value& component, const std::string& text) {
    if (any.part == Part::whole) return whole_value(any, text);
    const auto rest = rest_of(any, component.payload, any.texts.front());
    return rest ? Value::text(joined(any, *rest, text)) : component;
}

}  // namespace

KeyAnyOf::KeyAnyOf(const std::vector<NamedTemplate>& key) {
    for (const NamedTemplate& named : key) {
        parts_.push_back(named.any);
        given_ = given_ || named.any.part != Part::none;
    }
}

bool KeyAnyOf::make_canonical(std::span<const ValueView> key, Scratch& scratch) const {
    scratch.key.clear();
    if (key.size() != parts_.size()) return false;
    for (std::size_t index = 0; index < key.size(); ++index) {
        const bool plain = parts_[index].part == Part::none;
        scratch.key.push_back(plain ? key[index] : canonical(parts_[index], key[index], scratch));
        if (!scratch.key.back().present()) return false;
    }
    return true;
}

std::vector<store::Key> KeyAnyOf::rows_of(const EntryView& entry) const {
    store::Bytes bytes;
    append_entry_bytes(bytes, entry, false);
    std::vector<store::Key> keys(1);
    for (std::size_t index = 0; index < entry.key.size() && index < parts_.size(); ++index) {
        const AnyOf& any = parts_[index];
        const Value component{entry.key[index]};
        const std::vector<std::string> alone{""};
        const std::vector<std::string>& texts = any.part == Part::none ? alone : any.texts;
        std::vector<store::Key> longer;
        for (const store::Key& key : keys) {
            for (const std::string& text : texts) {
                longer.push_back(key);
                longer.back().push_back(any.part == Part::none ? component
                                                               : with_text(any, component, text));
            }
        }
        keys = std::move(longer);
    }
    const std::string digest = store::digest(bytes).substr(0, 8);
    std::uint32_t first = 0;
    std::from_chars(digest.data(), digest.data() + digest.size(), first, 16);
    std::rotate(keys.begin(), keys.begin() + first % keys.size(), keys.end());
    return keys;
}

}  // namespace idxfsck::audit::language
