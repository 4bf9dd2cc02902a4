#include "store/json/line_walk.hpp"

#include "store/json/scalar_text.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t detail_bytes_max = 80;

}  // namespace

static_assert(line_padding >= simdjson::SIMDJSON_PADDING);

void LineWalk::start(BytesView next_line) {
    line = next_line;
    row.clear();
    kept.clear();
    problem = {};
    broken = false;
    attribute = {};
}

bool LineWalk::fail(std::string_view cause, const char* at, BytesView detail) {
    problem.cause = cause;
    problem.offset = offset_of(at);
    problem.attribute = attribute;
    problem.detail = detail.substr(0, detail_bytes_max);
    return false;
}

bool LineWalk::fail_json() {
    problem = {};
    broken = true;
    return false;
}

BytesView token_of(ondemand::value& value) {
    BytesView token = value.raw_json_token();
    token.remove_suffix(token.size() - 1 - token.find_last_not_of(" \t\r\n"));
    return token;
}

TokenKind kind_of(ondemand::value& value, BytesView token) {
    ondemand::json_type type{};
    if (value.type().get(type) != simdjson::SUCCESS) return TokenKind::broken;
    switch (type) {
        case ondemand::json_type::object: return TokenKind::map;
        case ondemand::json_type::array: return TokenKind::list;
        case ondemand::json_type::string: return TokenKind::text;
        case ondemand::json_type::number:
            return is_json_number(token) ? TokenKind::number : TokenKind::broken;
        case ondemand::json_type::boolean:
            return token == "true" || token == "false" ? TokenKind::boolean : TokenKind::broken;
        case ondemand::json_type::null:
            return token == "null" ? TokenKind::null : TokenKind::broken;
    }
    return TokenKind::broken;
}

bool read_text(LineWalk& walk, ondemand::value& value, BytesView& out) {
    if (value.get_string().get(out) != simdjson::SUCCESS) return walk.fail_json();
    return true;
}

bool expect_text(LineWalk& walk, ondemand::value& value, std::string_view otherwise,
                 BytesView& out) {
    const BytesView token = token_of(value);
    if (!token.starts_with('"')) return walk.fail(otherwise, token.data(), token);
    return read_text(walk, value, out);
}

bool take(LineWalk& walk, Decoded<Value> decoded, BytesView token, Value& out) {
    if (!decoded) return walk.fail(decoded.why_not, token.data(), token);
    out = std::move(*decoded);
    return true;
}

}  // namespace idxfsck::store
