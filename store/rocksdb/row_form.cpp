#include "store/rocksdb/row_form.hpp"

#include "store/key_codec.hpp"
#include "store/rocksdb/row_format.hpp"

namespace idxfsck::store {

namespace {

class OwnDecoder final : public RowDecoder {
public:
    explicit OwnDecoder(std::size_t components) : components_{components} {}

    bool decode(BytesView key, BytesView value) override {
        key_ = keys_.decode(key);
        return key_.size() == components_ && parse_row_value(value, version_, attributes_);
    }

private:
    const std::size_t components_;
    KeyDecoder keys_;
};

class OwnForm final : public RowForm {
public:
    explicit OwnForm(const TableSchema& schema) : schema_{schema} {}

    std::optional<Bytes> encode_key(const Key& key) const override {
        return encode_key_of(schema_, key);
    }

    std::unique_ptr<RowDecoder> scan_decoder() const override {
        return std::make_unique<OwnDecoder>(schema_.key.size());
    }

private:
    const TableSchema& schema_;
};

}  // namespace

Row decoded_row(const RowDecoder& decoder) {
    Row row;
    for (const ValueView& component : decoder.key()) row.key.emplace_back(component);
    row.attributes = decoder.attributes();
    row.version = decoder.version();
    return row;
}

std::shared_ptr<const RowForm> own_row_form(const TableSchema& schema) {
    return std::make_shared<OwnForm>(schema);
}

}  // namespace idxfsck::store
