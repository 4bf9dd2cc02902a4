#include "store/rocksdb/raw_form.hpp"

#include <algorithm>

#include "store/error.hpp"
#include "store/rocksdb/raw_decoder.hpp"

namespace idxfsck::store {

namespace {

// For rows that may be written back.
class ReadDecoder final : public RawDecoder {
public:
    explicit ReadDecoder(const RawRowForm& form) : RawDecoder{form.table()}, form_{form} {}

    bool decode(BytesView key, BytesView value) override {
        version_ = {};
        if (!RawDecoder::decode(key, value)) return false;
        if (!has_spellings(form_.table())) return true;
        if (form_.encode_value(decoded_row(*this)) != value) version_ = value;
        return true;
    }

private:
    const RawRowForm& form_;
};

// Of a value alone.
class ValueDecoder final : public RawDecoder {
public:
    using RawDecoder::RawDecoder;
    bool decode(BytesView, BytesView value) override { return decode_value(value); }
};

[[noreturn]] void refuse(const char* text, const RawTable& table, BytesView attribute,
                         const char* hint) {
    throw Error{text}.with("table", table.name).with("attribute", attribute).hint(hint);
}

// Takes the attribute of this name out of those that are left.
ValueView take_attribute(const RawTable& table, BytesView name,
                         std::vector<ParsedAttribute>& attributes) {
    const auto found = std::find_if(attributes.begin(), attributes.end(),
                                    [&](const auto& attribute) { return attribute.name == name; });
    if (found == attributes.end()) {
        refuse("a row lacks an attribute that its layout needs", table, name,
               "every field of a value must be written: add it to the pointer, the copies or the "
               "constants of the index");
    }
    const ValueView value = found->value;
    attributes.erase(found);
    return value;
}

std::vector<ParsedAttribute> attributes_of(const Row& row) {
    std::vector<ParsedAttribute> out;
    for (AttributeCursor cursor{row.attributes}; cursor.next();) {
        out.push_back({cursor.name(), cursor.value(), 0});
    }
    return out;
}

}  // namespace

TableSchema raw_schema(const RawTable& table) {
    TableSchema schema{table.name, {}};
    for (const RawField& field : table.key) {
        if (field.part != RawPart::literal) schema.key.push_back(field.name);
    }
    return schema;
}

RawRowForm::RawRowForm(RawTable table) : table_{std::move(table)}, schema_{raw_schema(table_)} {}

std::unique_ptr<RowDecoder> RawRowForm::scan_decoder() const {
    return std::make_unique<RawDecoder>(table_);
}

std::unique_ptr<RowDecoder> RawRowForm::read_decoder() const {
    return std::make_unique<ReadDecoder>(*this);
}

std::optional<Bytes> RawRowForm::encode_key(const Key& key) const {
    if (key.size() != schema_.key.size()) {
        throw Error{"a key does not have the components of its table"}.with("table", table_.name);
    }
    Bytes out = table_.prefix;
    auto component = key.begin();
    for (const RawField& field : table_.key) {
        const bool literal = field.part == RawPart::literal;
        const ValueView value = literal ? ValueView{} : (component++)->view();
        if (!append_raw_field(field, value, out)) return std::nullopt;
    }
    return out;
}

Bytes RawRowForm::encode_value(const Row& row) const {
    ValueDecoder spelling{table_};
    if (!row.version.empty() && spelling.decode({}, row.version) &&
        spelling.attributes() == row.attributes) {
        return row.version;
    }
    std::vector<ParsedAttribute> attributes = attributes_of(row);
    std::vector<ValueView> values;
    bool members = false;
    for (const RawField& field : table_.value) {
        const bool named = field.part != RawPart::literal && !field.members;
        members = members || field.members;
        values.push_back(named ? take_attribute(table_, field.name, attributes) : ValueView{});
    }
    if (!members && !attributes.empty()) {
        refuse("the layout of the table has no field for an attribute", table_,
               attributes.front().name, "name it in `value`, or leave it out of the index");
    }
    Bytes out;
    for (std::size_t index = 0; index < values.size(); ++index) {
        const RawField& field = table_.value[index];
        const bool fits = field.members ? append_raw_members(field, attributes, out)
                                        : append_raw_field(field, values[index], out);
        if (!fits) {
            refuse("the layout of the table has no room for a value", table_,
                   field.members ? BytesView{"(members)"} : BytesView{field.name},
                   "look at the kind, width and end of the field");
        }
    }
    return out;
}

Row RawRowForm::as_stored(const Row& row) const {
    const std::optional<Bytes> key = encode_key(row.key);
    RawDecoder decoder{table_};
    const Bytes value = encode_value(row);
    if (!key || !decoder.decode(*key, value)) {
        throw Error{"the layout of the table has no room for this row"}.with("table", table_.name);
    }
    Row stored = decoded_row(decoder);
    stored.version = row.version;
    return stored;
}

Row RawRowForm::as_stored_or_same(const Row& row) const {
    try {
        return as_stored(row);
    } catch (const Error&) {
        // Whoever writes the row is told why it has no room.
        return row;
    }
}

}  // namespace idxfsck::store
