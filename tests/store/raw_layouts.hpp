// tests/store/raw_layouts.hpp
//
// What tests of other applications' databases share: a database written with RocksDB alone, bytes
// spelled out, and fields of layouts in one line each.

#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <stdexcept>
#include <vector>

#include <rocksdb/comparator.h>
#include <rocksdb/db.h>

#include "store/rocksdb/raw_layout.hpp"

namespace idxfsck::store {

// Made if it is not there; closed with the object.
class RawDatabase {
public:
    RawDatabase(const std::string& path, rocksdb::Options options,
                const std::vector<std::string>& families = {}) {
        options.create_if_missing = true;
        options.create_missing_column_families = true;
        std::vector<std::string> names;
        if (!rocksdb::DB::ListColumnFamilies(options, path, &names).ok()) names = {"default"};
        for (const std::string& family : families) {
            if (std::find(names.begin(), names.end(), family) == names.end()) {
                names.push_back(family);
            }
        }
        std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
        for (const std::string& name : names) descriptors.emplace_back(name, options);
        std::vector<rocksdb::ColumnFamilyHandle*> handles;
        require(rocksdb::DB::Open(options, path, descriptors, &handles, &db_));
        for (rocksdb::ColumnFamilyHandle* handle : handles) families_[handle->GetName()] = handle;
    }

    ~RawDatabase() {
        for (const auto& [name, handle] : families_) db_->DestroyColumnFamilyHandle(handle);
        delete db_;
    }
    RawDatabase(const RawDatabase&) = delete;
    RawDatabase& operator=(const RawDatabase&) = delete;

    void put(const std::string& family, const Bytes& key, const Bytes& value) {
        require(db_->Put({}, families_.at(family), key, value));
    }
    void merge(const Bytes& key, const Bytes& value) { require(db_->Merge({}, key, value)); }
    void flush() { require(db_->Flush({})); }
    rocksdb::DB& db() { return *db_; }

    // Everything in a family.
    std::map<Bytes, Bytes> all(const std::string& family = "default") {
        std::map<Bytes, Bytes> out;
        const std::unique_ptr<rocksdb::Iterator> at{db_->NewIterator({}, families_.at(family))};
        for (at->SeekToFirst(); at->Valid(); at->Next()) {
            out[at->key().ToString()] = at->value().ToString();
        }
        return out;
    }

private:
    static void require(const rocksdb::Status& status) {
        if (!status.ok()) throw std::runtime_error{status.ToString()};
    }

    rocksdb::DB* db_ = nullptr;
    std::map<std::string, rocksdb::ColumnFamilyHandle*> families_;
};

inline Bytes big_endian(std::uint64_t number, int width) {
    Bytes out;
    for (int place = width - 1; place >= 0; --place) {
        out.push_back(static_cast<char>(number >> (8 * place)));
    }
    return out;
}

// "00ff 61": digits, spaces left out.
inline Bytes of_hex(const std::string& digits) {
    Bytes out;
    std::string pair;
    for (const char digit : digits) {
        if (digit == ' ') continue;
        pair.push_back(digit);
        if (pair.size() < 2) continue;
        out.push_back(static_cast<char>(std::stoi(pair, nullptr, 16)));
        pair.clear();
    }
    return out;
}

inline RawField field_of(const Bytes& name, RawPart part) {
    RawField field;
    field.name = name;
    field.part = part;
    return field;
}

inline RawField rest_field(const Bytes& name, RawForm form = RawForm::text) {
    RawField field = field_of(name, RawPart::rest);
    field.form = form;
    return field;
}

inline RawField integer_field(const Bytes& name, std::size_t width) {
    RawField field = field_of(name, RawPart::integer);
    field.width = width;
    return field;
}

inline RawField varint_field(const Bytes& name, RawVarint varint) {
    RawField field = field_of(name, RawPart::varint);
    field.varint = varint;
    return field;
}

inline RawField bytes_field(const Bytes& name, std::size_t width, RawForm form) {
    RawField field = field_of(name, RawPart::bytes);
    field.width = width;
    field.form = form;
    return field;
}

inline RawField ended_field(const Bytes& name, const Bytes& end) {
    RawField field = field_of(name, RawPart::ended);
    field.literal = end;
    return field;
}

inline RawField literal_field(const Bytes& bytes) {
    RawField field = field_of("", RawPart::literal);
    field.literal = bytes;
    return field;
}

// `width` 0: a varint.
inline RawField sized_field(const Bytes& name, std::size_t width) {
    RawField field = field_of(name, RawPart::sized);
    field.width = width;
    return field;
}

inline RawField members_field(RawForm form) {
    RawField field = field_of("", RawPart::rest);
    field.members = true;
    field.form = form;
    return field;
}

}  // namespace idxfsck::store
