#include "store/files/csv_values.hpp"

#include "store/json/scalar_text.hpp"
#include "store/json/wrapper.hpp"

namespace idxfsck::store {

namespace {

std::string_view take(Decoded<Value> value, Bytes& payload) {
    if (!value) return value.why_not;
    payload = std::move(value->payload);
    return {};
}

}  // namespace

CsvColumn::CsvColumn(BytesView name, const CsvDialect& dialect)
    : dialect_{&dialect}, kind_{Kind::text} {
    const auto typed = dialect.types.find(Bytes{name});
    if (typed != dialect.types.end()) kind_ = typed->second;
}

std::string_view CsvColumn::read(BytesView field, bool quoted, ValueView& out) {
    if (!quoted && dialect_->null_word && field == *dialect_->null_word) {
        out = {Kind::null, {}};
        return {};
    }
    if (!quoted && field.empty() && (!dialect_->empty_is_text || kind_ != Kind::text)) {
        out = {};
        return {};
    }
    if (kind_ != Kind::text) return convert(field, out);
    out = {Kind::text, field};
    return {};
}

std::string_view CsvColumn::convert(BytesView field, ValueView& out) {
    std::string_view problem;
    switch (kind_) {
        case Kind::boolean:
            if (field != "true" && field != "false") return "neither true nor false";
            payload_.assign(1, field == "true" ? '\1' : '\0');
            break;
        case Kind::int32: {
            const auto integer = integer_from_text<std::int32_t>(field);
            if (!integer) return "not a 32-bit integer";
            payload_ = Value::int32(*integer).payload;
            break;
        }
        default: problem = take(read_text_wrapper(kind_, field), payload_);
    }
    out = {kind_, payload_};
    return problem;
}

bool is_csv_kind(Kind kind) {
    switch (kind) {
        case Kind::boolean:
        case Kind::int32:
        case Kind::int64:
        case Kind::real:
        case Kind::number:
        case Kind::text:
        case Kind::binary:
        case Kind::date_time:
        case Kind::guid: return true;
        default: return false;
    }
}

}  // namespace idxfsck::store
