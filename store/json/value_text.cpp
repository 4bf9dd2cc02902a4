#include "store/json/value_text.hpp"

#include <bit>
#include <limits>

#include "store/json/base64.hpp"
#include "store/json/scalar_text.hpp"
#include "store/json/wrapper.hpp"

namespace idxfsck::store {

namespace {

constexpr std::int64_t safe_integer_max = std::int64_t{1} << 53;

std::size_t varint_size(std::uint64_t value) {
    std::size_t size = 1;
    for (; value >= 0x80; value >>= 7) ++size;
    return size;
}

std::size_t sized(BytesView bytes) { return varint_size(bytes.size()) + bytes.size(); }

// Is the container as an encoder makes it: whole, in order, every size in its shortest form? Looks
// at its own elements only; theirs are looked at when they are written.
bool well_formed(const ValueView& container) {
    ElementCursor cursor{container};
    const bool is_map = container.kind == Kind::map;
    std::size_t size = 0;
    BytesView last;
    bool first = true;
    while (cursor.next()) {
        size += 1 + sized(cursor.value().payload) + (is_map ? sized(cursor.name()) : 0);
        if (container.kind == Kind::list) continue;
        const BytesView order = is_map ? cursor.name() : cursor.value().payload;
        if (!first && order <= last) return false;
        last = order;
        first = false;
    }
    return !cursor.damaged() && size == container.payload.size();
}

bool is_safe_number(BytesView text) {
    if (!is_json_number(text) || text == "-0") return false;
    const std::optional<std::int64_t> value = integer_from_text<std::int64_t>(text);
    return value && *value >= -safe_integer_max && *value <= safe_integer_max;
}

class ValueWriter {
public:
    ValueWriter(Bytes& out, Numbers numbers) : out_{out}, numbers_{numbers} {}

    void value(const ValueView& value, std::size_t depth) {
        if (is_container(value.kind)) {
            container(value, depth);
        } else if (!scalar(value)) {
            raw(value);
        }
    }

private:
    void open(Kind kind) { out_.append("{\"$").append(kind_name(kind)).append("\":"); }

    void wrapped_text(Kind kind, BytesView ascii) {
        open(kind);
        out_.append(1, '"').append(ascii).append("\"}");
    }

    void wrapped_base64(const ValueView& value) {
        open(value.kind);
        base64(value.payload);
        out_.push_back('}');
    }

    void base64(BytesView bytes) {
        out_.push_back('"');
        append_base64(out_, bytes);
        out_.push_back('"');
    }

    void raw(const ValueView& value) {
        out_.append("{\"$raw\":{\"kind\":\"").append(kind_name(value.kind));
        out_.append("\",\"payload\":");
        base64(value.payload);
        out_.append("}}");
    }

    // False, with nothing written, if the payload does not fit the kind.
    bool scalar(const ValueView& value) {
        switch (value.kind) {
            case Kind::absent: return constant(value, "{\"$absent\":true}");
            case Kind::null: return constant(value, "null");
            case Kind::boolean: return boolean(value.payload);
            case Kind::int32:
            case Kind::int64: return integer(value);
            case Kind::real: return real(value);
            case Kind::number: return number(value.payload);
            case Kind::text: return text(value);
            case Kind::binary: wrapped_base64(value); return true;
            case Kind::date_time: return date_time(value);
            case Kind::guid: return guid(value);
            default: return false;
        }
    }

    bool constant(const ValueView& value, BytesView spelling) {
        if (!value.payload.empty()) return false;
        out_.append(spelling);
        return true;
    }

    bool boolean(BytesView payload) {
        if (payload.size() != 1 || static_cast<std::uint8_t>(payload[0]) > 1) return false;
        out_.append(payload[0] != 0 ? "true" : "false");
        return true;
    }

    bool integer(const ValueView& value) {
        if (value.payload.size() != (value.kind == Kind::int32 ? 4 : 8)) return false;
        const std::string digits = std::to_string(value.as_integer());
        if (value.kind == Kind::int64) {
            wrapped_text(value.kind, digits);
        } else {
            open(value.kind);
            out_.append(digits).push_back('}');
        }
        return true;
    }

    bool real(const ValueView& value) {
        if (value.payload.size() != 8) return false;
        const double number = value.as_real();
        // Of the many NaN only the usual one has a spelling.
        constexpr double quiet = std::numeric_limits<double>::quiet_NaN();
        const auto bits = std::bit_cast<std::uint64_t>(number);
        if (number != number && bits != std::bit_cast<std::uint64_t>(quiet)) return false;
        open(value.kind);
        out_.push_back('"');
        append_real(out_, number);
        out_.append("\"}");
        return true;
    }

    bool number(BytesView digits) {
        const bool bare = numbers_ == Numbers::exact ? is_json_number(digits)
                                                     : is_safe_number(digits);
        if (bare) {
            out_.append(digits);
        } else if (is_number(digits)) {
            wrapped_text(Kind::number, digits);
        } else {
            return false;
        }
        return true;
    }

    bool text(const ValueView& value) {
        if (is_utf8(value.payload)) {
            append_json_string(out_, value.payload);
        } else {
            wrapped_base64(value);
        }
        return true;
    }

    bool date_time(const ValueView& value) {
        const std::int64_t ticks = value.as_integer();
        if (value.payload.size() != 8 || ticks < 0 || ticks >= ticks_end) return false;
        open(value.kind);
        out_.push_back('"');
        append_date_time(out_, ticks);
        out_.append("\"}");
        return true;
    }

    bool guid(const ValueView& value) {
        if (value.payload.size() != 16) return false;
        open(value.kind);
        out_.push_back('"');
        append_guid(out_, value.payload);
        out_.append("\"}");
        return true;
    }

    void container(const ValueView& value, std::size_t depth) {
        if (depth >= value_depth_max || !well_formed(value)) return raw(value);
        if (value.kind == Kind::list) return list(value, depth);
        if (value.kind == Kind::map) return map(value, depth);
        if (value.kind == Kind::number_set && !numbers_only(value)) return raw(value);
        set(value);
    }

    static bool numbers_only(const ValueView& value) {
        ElementCursor cursor{value};
        while (cursor.next()) {
            if (!is_number(cursor.value().payload)) return false;
        }
        return true;
    }

    // Writes `item` for each element, with commas between them.
    template <typename Item>
    void each(const ValueView& value, Item item) {
        ElementCursor cursor{value};
        for (bool first = true; cursor.next(); first = false) {
            if (!first) out_.push_back(',');
            item(cursor);
        }
    }

    void list(const ValueView& container, std::size_t depth) {
        out_.push_back('[');
        each(container, [&](const ElementCursor& at) { value(at.value(), depth + 1); });
        out_.push_back(']');
    }

    void set(const ValueView& container) {
        open(container.kind);
        out_.push_back('[');
        each(container, [&](const ElementCursor& at) {
            if (container.kind == Kind::text_set) {
                text(at.value());
            } else if (container.kind == Kind::number_set) {
                out_.append(1, '"').append(at.value().payload).push_back('"');
            } else {
                base64(at.value().payload);
            }
        });
        out_.append("]}");
    }

    void map(const ValueView& container, std::size_t depth) {
        std::size_t count = 0;
        bool dollar = false;
        bool utf8 = true;
        for (ElementCursor cursor{container}; cursor.next(); ++count) {
            dollar = looks_like_wrapper(cursor.name());
            utf8 = utf8 && is_utf8(cursor.name());
        }
        if (!utf8) return members(container, depth);
        const bool escaped = count == 1 && dollar;
        if (escaped) open(Kind::map);
        out_.push_back('{');
        each(container, [&](const ElementCursor& at) {
            append_json_string(out_, at.name());
            out_.push_back(':');
            value(at.value(), depth + 1);
        });
        out_.append(escaped ? "}}" : "}");
    }

    void members(const ValueView& container, std::size_t depth) {
        out_.append("{\"$members\":[");
        each(container, [&](const ElementCursor& at) {
            out_.push_back('[');
            text({Kind::text, at.name()});
            out_.push_back(',');
            value(at.value(), depth + 1);
            out_.push_back(']');
        });
        out_.append("]}");
    }

    Bytes& out_;
    Numbers numbers_;
};

}  // namespace

void append_value_text(Bytes& out, const ValueView& value, Numbers numbers) {
    ValueWriter{out, numbers}.value(value, 0);
}

}  // namespace idxfsck::store
