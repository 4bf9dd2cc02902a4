#include "audit/spec_toml.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <sstream>

#include "audit/language/file_reader.hpp"
#include "audit/language/raw_reader.hpp"
#include "audit/language/spec_reader.hpp"
#include "store/digest.hpp"
#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

using language::Reading;
using language::TableReader;

// A spec is written by hand: larger ones are a mistake, or hostile.
constexpr std::size_t spec_bytes_max = 4 << 20;

template <typename Declaration>
const Declaration* find(const std::vector<Declaration>& declarations, std::string_view name) {
    for (const Declaration& declaration : declarations) {
        if (declaration.name == name) return &declaration;
    }
    return nullptr;
}

// Tables of tables, `[store.main]`, in the order in which they stand in the file.
template <typename Declaration>
std::vector<Declaration> read_named(TableReader& root, const std::string& word,
                                    Declaration (*read)(std::string, TableReader)) {
    std::vector<Declaration> declarations;
    const toml::table* const tables = root.subtable(word);
    if (tables == nullptr) return declarations;
    for (const auto& [key, value] : *tables) {
        const std::string name{key.str()};
        if (const toml::table* const table = value.as_table()) {
            declarations.push_back(read(name, {*table, word + " " + name, root.reading()}));
        } else {
            root.wrong_type(value, word + "." + name, "a table");
        }
    }
    std::sort(declarations.begin(), declarations.end(),
              [](const auto& a, const auto& b) { return a.place < b.place; });
    return declarations;
}

std::string index_title(const toml::table& table, std::size_t position) {
    const toml::node* const name = table.get("name");
    const bool named = name != nullptr && name->is_string();
    return "index " + (named ? name->as_string()->get() : std::to_string(position + 1));
}

std::vector<IndexSpec> read_indexes(TableReader& root) {
    std::vector<IndexSpec> indexes;
    const toml::node* const node = root.node("index");
    if (node == nullptr) return indexes;
    const toml::array* const tables = node->as_array();
    if (tables == nullptr || !tables->is_array_of_tables()) {
        root.reading().complain(language::place_of(*node), "`index` is not a list of tables", {},
                                "begin each index with [[index]]");
        return indexes;
    }
    for (std::size_t position = 0; position < tables->size(); ++position) {
        const toml::table& table = *(*tables)[position].as_table();
        std::vector<IndexSpec> read =
            language::read_index({table, index_title(table, position), root.reading()});
        std::move(read.begin(), read.end(), std::back_inserter(indexes));
    }
    return indexes;
}

void read_root(const toml::table& parsed, Spec& spec, Reading& reading) {
    TableReader root{parsed, "the spec", reading};
    spec.stores = read_named<StoreSpec>(root, "store", language::read_store);
    spec.bases = read_named<BaseSpec>(root, "base", language::read_base);
    spec.indexes = read_indexes(root);
    if (const toml::table* const limits = root.subtable("limits")) {
        spec.limits = language::read_limits({*limits, "`limits`", reading});
    }
    root.finish();
}

bool place_order(const Complaint& a, const Complaint& b) {
    return a.place < b.place;
}

Complaint syntax_complaint(const toml::parse_error& error) {
    const toml::source_position begin = error.source().begin;
    return {{begin.line, begin.column}, "this is not TOML", {}, std::string{error.description()}};
}

std::string complaint_line(const std::string& file, const Complaint& complaint) {
    std::string line = file + ":" + std::to_string(complaint.place.line) + ":" +
                       std::to_string(complaint.place.column) + ": " + complaint.text;
    if (!complaint.seen.empty()) line += ": " + complaint.seen;
    if (!complaint.hint.empty()) line += " (" + complaint.hint + ")";
    return line;
}

}  // namespace

const StoreSpec* Spec::store(std::string_view name) const {
    return find(stores, name);
}

const BaseSpec* Spec::base(std::string_view name) const {
    return find(bases, name);
}

const IndexSpec* Spec::index(std::string_view name) const {
    return find(indexes, name);
}

std::variant<Spec, std::vector<Complaint>> read_spec(std::string file, std::string text) {
    if (text.size() > spec_bytes_max) {
        return std::vector<Complaint>{{{1, 1}, "the spec is too long", {}, "at most 4 MiB"}};
    }
    Spec spec;
    Reading reading{language::SpecText{text}, {}};
    try {
        const toml::table parsed = toml::parse(text);
        read_root(parsed, spec, reading);
    } catch (const toml::parse_error& error) {
        return std::vector<Complaint>{syntax_complaint(error)};
    }
    // Before an index is given what it leaves out: that is right by itself.
    language::check_raw_tables(spec, reading);
    language::settle_file_tables(spec, reading);
    language::settle_spec(spec, reading);
    if (!reading.complaints.empty()) {
        std::stable_sort(reading.complaints.begin(), reading.complaints.end(), place_order);
        return std::move(reading.complaints);
    }
    spec.file = std::move(file);
    spec.digest = store::digest(text);
    spec.text = std::move(text);
    return spec;
}

void throw_complaints(const std::string& file, std::vector<Complaint> complaints) {
    std::stable_sort(complaints.begin(), complaints.end(), place_order);
    store::Error error{"the spec does not make sense", store::Trouble::usage};
    for (const Complaint& complaint : complaints) {
        error.with("complaint", complaint_line(file, complaint));
    }
    throw error;
}

Spec load_spec(const std::string& file) {
    std::ifstream stream{file, std::ios::binary};
    if (!stream) {
        throw store::Error{"cannot open the spec", store::Trouble::usage}.with("file", file);
    }
    std::ostringstream text;
    text << stream.rdbuf();
    auto outcome = read_spec(file, text.str());
    if (auto* const complaints = std::get_if<std::vector<Complaint>>(&outcome)) {
        throw_complaints(file, std::move(*complaints));
    }
    return std::get<Spec>(std::move(outcome));
}

}  // namespace idxfsck::audit
