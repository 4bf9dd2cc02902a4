#include "store/rocksdb/raw_decoder.hpp"

#include <algorithm>

namespace idxfsck::store {

namespace {

bool by_name(const ParsedAttribute& a, const ParsedAttribute& b) { return a.name < b.name; }

bool same_name(const ParsedAttribute& a, const ParsedAttribute& b) { return a.name == b.name; }

std::vector<RawFieldReader> readers_of(const std::vector<RawField>& fields) {
    std::vector<RawFieldReader> out;
    for (const RawField& field : fields) out.emplace_back(field);
    return out;
}

}  // namespace

bool has_spellings(const RawTable& table) {
    return std::any_of(table.value.begin(), table.value.end(), [](const RawField& field) {
        return field.form == RawForm::json || field.form == RawForm::typed_json;
    });
}

RawDecoder::RawDecoder(const RawTable& table)
    : table_{table}, key_fields_{readers_of(table.key)}, value_fields_{readers_of(table.value)} {}

bool RawDecoder::decode(BytesView key, BytesView value) {
    return decode_key(key) && decode_value(value);
}

bool RawDecoder::decode_key(BytesView key) {
    if (!key.starts_with(table_.prefix)) return false;
    key.remove_prefix(table_.prefix.size());
    components_.clear();
    for (RawFieldReader& reader : key_fields_) {
        if (!reader.take(key)) return false;
        if (reader.value().present()) components_.push_back(reader.value());
    }
    key_ = components_;
    return key.empty();
}

bool RawDecoder::decode_value(BytesView value) {
    for (RawFieldReader& reader : value_fields_) {
        if (!reader.take(value)) return false;
    }
    return value.empty() && gather();
}

bool RawDecoder::is_component(BytesView name) const {
    return std::any_of(table_.key.begin(), table_.key.end(), [&](const RawField& field) {
        return field.part != RawPart::literal && field.name == name;
    });
}

// False if a member of a JSON object has the name of a field: a row has one attribute of a name.
bool RawDecoder::gather() {
    gathered_.clear();
    for (const RawFieldReader& reader : value_fields_) {
        if (reader.value().present()) {
            gathered_.push_back({reader.field().name, reader.value(), 0});
        } else if (reader.field().members) {
            for (const ParsedAttribute& member : reader.members()) {
                if (is_component(member.name)) return false;
                gathered_.push_back(member);
            }
        }
    }
    std::sort(gathered_.begin(), gathered_.end(), by_name);
    if (std::adjacent_find(gathered_.begin(), gathered_.end(), same_name) != gathered_.end()) {
        return false;
    }
    encoded_.clear();
    for (const ParsedAttribute& attribute : gathered_) {
        append_varint(encoded_, attribute.name.size());
        encoded_.append(attribute.name);
        append_element(encoded_, attribute.value);
    }
    attributes_ = encoded_;
    return true;
}

}  // namespace idxfsck::store
