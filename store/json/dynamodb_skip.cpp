#include "store/json/dynamodb_skip.hpp"

#include <algorithm>
#include <array>

#include "store/json/dynamodb_tag.hpp"
#include "store/json/scalar_text.hpp"
#include "store/json/text_scan.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t depth_max = 16;
// Each is compared with all before it, since none may come twice.
constexpr std::size_t members_max = 16;

class Skipper {
public:
    Skipper(const char* at, const char* end) : at_{at}, end_{end} {}

    const char* at() const { return at_; }

    bool container(Kind kind, std::size_t depth) {
        if (depth >= depth_max) return false;
        if (kind == Kind::list) return list(depth);
        if (kind == Kind::map) return map(depth);
        return kind == Kind::binary_set ? false : set(kind);
    }

private:
    // The texts that have come, each once.
    struct Seen {
        std::array<BytesView, members_max> texts;
        std::size_t count = 0;

        bool add(BytesView text) {
            const auto end = texts.begin() + static_cast<std::ptrdiff_t>(count);
            if (count == members_max || std::find(texts.begin(), end, text) != end) return false;
            texts[count++] = text;
            return true;
        }
    };

    bool take(char character) {
        if (at_ >= end_ || *at_ != character) return false;
        ++at_;
        return true;
    }

    bool take(BytesView word) {
        if (static_cast<std::size_t>(end_ - at_) < word.size()) return false;
        if (BytesView{at_, word.size()} != word) return false;
        at_ += word.size();
        return true;
    }

    bool text(BytesView& out) {
        if (!take('"')) return false;
        bool beyond_ascii = false;
        const char* const stop = skip_plain_text(at_, end_, beyond_ascii);
        if (stop >= end_ || *stop != '"') return false;
        out = {at_, static_cast<std::size_t>(stop - at_)};
        at_ = stop + 1;
        return !beyond_ascii || is_utf8(out);
    }

    bool typed(std::size_t depth) {
        BytesView tag;
        if (!take('{') || !text(tag) || !take(':')) return false;
        return content(find_dynamodb_kind(tag), depth) && take('}');
    }

    bool content(Kind kind, std::size_t depth) {
        BytesView ignored;
        if (is_container(kind)) return container(kind, depth);
        switch (kind) {
            case Kind::text: return text(ignored);
            case Kind::number: return text(ignored) && is_number(ignored);
            case Kind::boolean: return take("true") || take("false");
            case Kind::null: return take("true");
            default: return false;
        }
    }

    bool list(std::size_t depth) {
        if (!take('[')) return false;
        if (take(']')) return true;
        do {
            if (!typed(depth + 1)) return false;
        } while (take(','));
        return take(']');
    }

    bool map(std::size_t depth) {
        if (!take('{')) return false;
        if (take('}')) return true;
        Seen names;
        do {
            BytesView name;
            if (!text(name) || !names.add(name)) return false;
            if (!take(':') || !typed(depth + 1)) return false;
        } while (take(','));
        return take('}');
    }

    bool set(Kind kind) {
        if (!take('[')) return false;
        Seen elements;
        do {
            BytesView element;
            if (!text(element) || !elements.add(element)) return false;
            if (kind == Kind::number_set && !is_number(element)) return false;
        } while (take(','));
        return take(']');
    }

    const char* at_;
    const char* end_;
};

}  // namespace

const char* skip_dynamodb_container(Kind kind, const char* at, const char* text_end) {
    Skipper skipper{at, text_end};
    return skipper.container(kind, 0) ? skipper.at() : nullptr;
}

}  // namespace idxfsck::store
