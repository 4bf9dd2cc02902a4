// store/rocksdb/raw_decoder.hpp
//
// Turns keys and values of another application into rows, one after the other.

#pragma once

#include <vector>

#include "store/rocksdb/raw_field.hpp"
#include "store/rocksdb/row_form.hpp"

namespace idxfsck::store {

class RawDecoder : public RowDecoder {
public:
    // The table must outlive the decoder.
    explicit RawDecoder(const RawTable& table);

    bool decode(BytesView key, BytesView value) override;

protected:
    bool decode_key(BytesView key);
    bool decode_value(BytesView value);

private:
    bool gather();
    bool is_component(BytesView name) const;

    const RawTable& table_;
    std::vector<RawFieldReader> key_fields_;
    std::vector<RawFieldReader> value_fields_;
    std::vector<ValueView> components_;
    std::vector<ParsedAttribute> gathered_;
    Bytes encoded_;
};

// Is the value of the layout one whose bytes may have several spellings?
bool has_spellings(const RawTable& table);

}  // namespace idxfsck::store
