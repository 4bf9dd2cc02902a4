// tests/store/raw_world.hpp
//
// What the tests of opening other applications' databases share: a folder, layouts of plain text,
// and a look at what a call refuses.

#pragma once

#include <catch2/catch.hpp>

#include <filesystem>
#include <fstream>
#include <functional>
#include <sstream>

#include "conformance.hpp"
#include "raw_layouts.hpp"
#include "scratch_folder.hpp"
#include "store/error.hpp"
#include "store/rocksdb/raw_reader.hpp"
#include "store/rocksdb/raw_store.hpp"

namespace idxfsck::store {

namespace files = std::filesystem;

inline RawTable text_table(const Bytes& name, const Bytes& family = "default",
                           const Bytes& prefix = "") {
    RawTable table;
    table.name = name;
    table.family = family;
    table.prefix = prefix;
    table.key = {rest_field("k")};
    table.value = {rest_field("v")};
    return table;
}

inline const RawTables& one_table() {
    static const RawTables tables{text_table("t")};
    return tables;
}

struct World {
    ScratchFolder folder;
    std::string path = folder.path() + "/database";
};

inline std::vector<Row> rows_of(const Reader& reader, BytesView table = "t") {
    return conformance::rows_in(reader, table, reader.split(table, 1).at(0));
}

inline std::vector<Bytes> keys_of(const Reader& reader, BytesView table = "t") {
    std::vector<Bytes> out;
    for (const Row& row : rows_of(reader, table)) out.push_back(row.key[0].payload);
    return out;
}

// The text of the Error, and which trouble it is.
inline std::string refusal(const std::function<void()>& call) {
    try {
        call();
    } catch (const Error& error) {
        return (error.trouble() == Trouble::usage ? "usage: " : "") + std::string{error.what()};
    }
    return "none";
}

inline bool has(const std::string& text, const std::string& part) {
    CAPTURE(text, part);
    return text.find(part) != std::string::npos;
}

inline GuardedWrite insert(const Bytes& key, const Bytes& value) {
    const Row row{{Value::text(key)}, encode_attributes({{"v", Value::text(value)}}), {}};
    return {"t", row.key, ExpectAbsent{}, row, {}};
}

// The newest file of options, without the comments.
inline std::string options_of(const std::string& path) {
    std::string newest;
    for (const auto& entry : files::directory_iterator{path}) {
        const std::string name = entry.path().filename();
        if (name.starts_with("OPTIONS-") && name > newest) newest = name;
    }
    std::ifstream file{path + "/" + newest};
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

inline std::map<std::string, std::string> files_of(const std::string& path) {
    std::map<std::string, std::string> out;
    for (const auto& entry : files::directory_iterator{path}) {
        std::ifstream file{entry.path(), std::ios::binary};
        std::ostringstream text;
        text << file.rdbuf();
        out[entry.path().filename()] = text.str();
    }
    return out;
}

}  // namespace idxfsck::store
