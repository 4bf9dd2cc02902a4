#include <algorithm>
#include <array>
#include <cstring>

#include "audit/language/transforms.hpp"
#include "audit/language/utf8.hpp"

namespace idxfsck::audit::language {

namespace {

using store::BytesView;
using store::Kind;
using store::ValueView;

bool trim_ends(const Arguments& arguments, ValueView& value, bool left, bool right) {
    BytesView text = value.payload;
    if (arguments.size() == 0) return give_text(value, trim_space(text, left, right));
    const BytesView characters = arguments.texts[0];
    const auto trimmed = [&](char byte) { return characters.find(byte) != BytesView::npos; };
    while (left && !text.empty() && trimmed(text.front())) text.remove_prefix(1);
    while (right && !text.empty() && trimmed(text.back())) text.remove_suffix(1);
    return give_text(value, text);
}

bool trim(const Arguments& arguments, Scratch&, ValueView& value) {
    return trim_ends(arguments, value, true, true);
}

bool ltrim(const Arguments& arguments, Scratch&, ValueView& value) {
    return trim_ends(arguments, value, true, false);
}

bool rtrim(const Arguments& arguments, Scratch&, ValueView& value) {
    return trim_ends(arguments, value, false, true);
}

std::string check_trim(const Arguments& arguments) {
    if (arguments.size() == 0) return {};
    if (arguments.texts[0].empty()) return "no characters to trim";
    return is_ascii(arguments.texts[0]) ? "" : "only ASCII characters can be named";
}

template <CaseChange Change>
bool change(const Arguments&, Scratch& scratch, ValueView& value) {
    const auto text = change_case(scratch.arena, value.payload, Change);
    return text ? give_text(value, *text) : refuse(scratch, Damage::key_characters);
}

template <bool Lower>
bool change_ascii_only(const Arguments&, Scratch& scratch, ValueView& value) {
    char* const out = scratch.arena.allocate(value.payload.size());
    const char first = Lower ? 'A' : 'a';
    std::transform(value.payload.begin(), value.payload.end(), out, [&](char character) {
        const bool changes = character >= first && character <= first + 25;
        return static_cast<char>(changes ? character ^ 0x20 : character);
    });
    return give_text(value, {out, value.payload.size()});
}

template <NormalForm Form>
bool normal(const Arguments&, Scratch& scratch, ValueView& value) {
    const auto text = normalize(scratch.arena, value.payload, Form);
    return text ? give_text(value, *text) : refuse(scratch, Damage::key_characters);
}

bool replace(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    const BytesView old_text = arguments.texts[0];
    const BytesView new_text = arguments.texts[1];
    std::size_t count = 0;
    BytesView rest = value.payload;
    for (std::size_t at = rest.find(old_text); at != BytesView::npos; at = rest.find(old_text)) {
        ++count;
        rest.remove_prefix(at + old_text.size());
    }
    if (count == 0) return true;
    const std::size_t kept = value.payload.size() - count * old_text.size();
    const std::size_t size = kept + count * new_text.size();
    char* const out = scratch.arena.allocate(size);
    char* next = out;
    const auto put = [&](BytesView bytes) { next = std::copy(bytes.begin(), bytes.end(), next); };
    rest = value.payload;
    for (std::size_t at = rest.find(old_text); at != BytesView::npos; at = rest.find(old_text)) {
        put(rest.substr(0, at));
        put(new_text);
        rest.remove_prefix(at + old_text.size());
    }
    put(rest);
    return give_text(value, {out, size});
}

std::string check_replace(const Arguments& arguments) {
    return arguments.texts[0].empty() ? "nothing to replace" : "";
}

std::string check_positive(const Arguments& arguments) {
    const bool fits = arguments.numbers[0] > 0 && arguments.numbers[0] <= 1'000'000'000;
    return fits ? "" : "out of range: 1 to 1000000000";
}

std::size_t count_of(const Arguments& arguments) {
    return static_cast<std::size_t>(arguments.numbers[0]);
}

bool truncate(const Arguments& arguments, Scratch&, ValueView& value) {
    return give_text(value, cut_text(value.payload, count_of(arguments)));
}

bool first(const Arguments& arguments, Scratch&, ValueView& value) {
    const std::size_t size = bytes_of_characters(value.payload, count_of(arguments));
    return give_text(value, value.payload.substr(0, size));
}

bool last(const Arguments& arguments, Scratch&, ValueView& value) {
    std::size_t begin = value.payload.size();
    for (std::size_t count = count_of(arguments); count > 0 && begin > 0; --count) {
        --begin;
        while (begin > 0 && (static_cast<unsigned char>(value.payload[begin]) & 0xC0) == 0x80) {
            --begin;
        }
    }
    return give_text(value, value.payload.substr(begin));
}

bool keep(const Arguments&, Scratch&, ValueView&) {
    return true;
}

bool use_default(const Arguments& arguments, Scratch&, ValueView& value) {
    const bool missing = value.kind == Kind::absent || value.kind == Kind::null;
    return missing ? give_text(value, arguments.texts[0]) : true;
}

bool kind_word(const Arguments&, Scratch&, ValueView& value) {
    if (value.kind == Kind::absent) return true;
    const Kind kind = store::is_numeric(value.kind) ? Kind::number : value.kind;
    return give_text(value, store::kind_name(kind));
}

// Pairs, and one more for all others.
bool map_values(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    const std::size_t pairs = arguments.size() / 2;
    for (std::size_t pair = 0; pair < pairs; ++pair) {
        if (value.payload == arguments.texts[2 * pair]) {
            return give_text(value, arguments.texts[2 * pair + 1]);
        }
    }
    if (arguments.size() % 2 == 0) return refuse(scratch, Damage::key_wrong_type);
    return give_text(value, arguments.texts.back());
}

// Only where every text comes from one other, and there is nothing for "all others".
bool unmap_values(const Arguments& arguments, Scratch&, ValueView& value) {
    if (arguments.size() % 2 != 0 || value.kind != Kind::text) return false;
    const std::string* found = nullptr;
    for (std::size_t index = 1; index < arguments.size(); index += 2) {
        if (arguments.texts[index] != value.payload) continue;
        if (found != nullptr) return false;
        found = &arguments.texts[index - 1];
    }
    return found != nullptr && give_text(value, *found);
}

bool take_off(const Arguments& arguments, Scratch&, ValueView& value) {
    const BytesView prefix = arguments.texts[0];
    BytesView text = value.payload;
    if (text.starts_with(prefix)) text.remove_prefix(prefix.size());
    return give_text(value, text);
}

bool take_rest(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    const BytesView prefix = arguments.texts[0];
    if (!value.payload.starts_with(prefix)) return refuse(scratch, Damage::key_wrong_type);
    return give_text(value, value.payload.substr(prefix.size()));
}

bool put_before(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    if (value.kind != Kind::text) return false;
    const store::Bytes whole = arguments.texts[0] + store::Bytes{value.payload};
    return give_text(value, scratch.arena.copy(whole));
}

bool split(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    const BytesView separator = arguments.texts[0];
    scratch.number.clear();
    BytesView rest = value.payload;
    while (!value.payload.empty()) {
        const std::size_t end = rest.find(separator);
        store::append_element(scratch.number, text_view(rest.substr(0, end)));
        if (end == BytesView::npos) break;
        rest.remove_prefix(end + separator.size());
    }
    value = {Kind::list, scratch.arena.copy(scratch.number)};
    return true;
}

std::string check_split(const Arguments& arguments) {
    return arguments.texts[0].empty() ? "the separator is empty" : "";
}

const std::array<TransformInfo, 25> table{{
    {"trim", "['characters']", "Without white space, or the ASCII characters named, at both ends.",
     Takes::text, Gives::text, "T", trim, nullptr, check_trim},
    {"ltrim", "['characters']", "As trim, at the left end only.", Takes::text, Gives::text, "T",
     ltrim, nullptr, check_trim},
    {"rtrim", "['characters']", "As trim, at the right end only.", Takes::text, Gives::text, "T",
     rtrim, nullptr, check_trim},
    {"lower", "", "Lower case, full Unicode mapping (as JavaScript, Java, Python).", Takes::text,
     Gives::text, "", change<CaseChange::lower>},
    {"upper", "", "Upper case, full Unicode mapping: ß becomes SS.", Takes::text, Gives::text, "",
     change<CaseChange::upper>},
    {"lower_simple", "", "Lower case, character by character (as .NET invariant, Go).",
     Takes::text, Gives::text, "", change<CaseChange::lower_simple>},
    {"upper_simple", "", "Upper case, character by character: ß stays.", Takes::text, Gives::text,
     "", change<CaseChange::upper_simple>},
    {"lower_ascii", "", "Lower case of A to Z, all else as it is.", Takes::text, Gives::text, "",
     change_ascii_only<true>},
    {"upper_ascii", "", "Upper case of a to z, all else as it is.", Takes::text, Gives::text, "",
     change_ascii_only<false>},
    {"fold", "", "Unicode case folding, for comparing without case.", Takes::text, Gives::text, "",
     change<CaseChange::fold>},
    {"nfc", "", "Unicode normal form C.", Takes::text, Gives::text, "", normal<NormalForm::nfc>},
    {"nfkc", "", "Unicode normal form KC.", Takes::text, Gives::text, "", normal<NormalForm::nfkc>},
    {"nfd", "", "Unicode normal form D.", Takes::text, Gives::text, "", normal<NormalForm::nfd>},
    {"nfkd", "", "Unicode normal form KD.", Takes::text, Gives::text, "", normal<NormalForm::nfkd>},
    {"replace", "('old', 'new')", "Every occurrence of a text by another, from left to right.",
     Takes::text, Gives::text, "tt", replace, nullptr, check_replace},
    {"strip_prefix", "('text')", "Without that text, where it begins so.", Takes::text, Gives::text,
     "t", take_off},
    {"after", "('text')", "What follows that text; a value that does not begin so is unindexable.",
     Takes::text, Gives::text, "t", take_rest, put_before},
    {"truncate", "(bytes)", "The first bytes, at most so many; no character is cut in two.",
     Takes::text, Gives::text, "n", truncate, nullptr, check_positive},
    {"first", "(characters)", "The first characters.", Takes::text, Gives::text, "n", first,
     nullptr, check_positive},
    {"last", "(characters)", "The last characters.", Takes::text, Gives::text, "n", last, nullptr,
     check_positive},
    {"map", "('from', 'to', …[, 'others'])",
     "Text for text. Without a text for all others, a value that is not named is unindexable.",
     Takes::text, Gives::text, "ttT*", map_values, unmap_values},
    {"split", "('separator')", "The list of texts between the separators; of empty text, no text.",
     Takes::text, Gives::list, "t", split, nullptr, check_split},
    {"kind", "", "The kind as a word: 'text', 'number' (every numeric kind), 'list', 'null'.",
     Takes::missing, Gives::text, "", kind_word},
    {"text", "", "The value as text: 1.50 as '1.5', true, a guid or time in its usual form.",
     Takes::text, Gives::text, "", keep, keep},
    {"default", "('text')", "That text where the value is absent or null.", Takes::missing,
     Gives::same, "t", use_default},
}};

}  // namespace

std::span<const TransformInfo> text_transforms() {
    return table;
}

}  // namespace idxfsck::audit::language
