#include "audit/language/file_reader.hpp"
#include "audit/language/inversion.hpp"
#include "audit/language/template_reader.hpp"
#include "store/files/csv_values.hpp"

namespace idxfsck::audit::language {

namespace {

using store::FileFormat;
using store::FileTable;

const std::vector<std::string_view> shape_words{"auto", "plain", "dynamodb", "azure", "csv"};

std::optional<store::Kind> kind_named(std::string_view name) {
    for (int number = 0; number <= static_cast<int>(store::Kind::guid); ++number) {
        const auto kind = static_cast<store::Kind>(number);
        if (store::kind_name(kind) == name && store::is_csv_kind(kind)) return kind;
    }
    return std::nullopt;
}

void read_shape(TableReader& table, FileTable& out) {
    const std::optional<std::string> word = table.word("shape", shape_words);
    if (!word || *word == "auto") return;
    out.format = *word == "csv" ? FileFormat::csv : FileFormat::ndjson;
    out.shape = store::find_shape(*word).value_or(store::Shape::automatic);
}

void read_separator(TableReader& table, store::CsvDialect& csv) {
    const std::optional<PlacedText> text = table.text("separator");
    if (!text) return;
    constexpr std::string_view reserved{"\"\r\n\0", 4};
    if (text->value.size() == 1 && reserved.find(text->value[0]) == reserved.npos &&
        static_cast<unsigned char>(text->value[0]) < 0x80) {
        csv.separator = text->value[0];
        return;
    }
    table.reading().complain(text->place, "`separator` is not one character", text->value,
                             "such as \";\" or a tab; no quote and no line end");
}

void read_types(TableReader& table, store::CsvDialect& csv) {
    const toml::table* const types = table.subtable("types");
    if (types == nullptr) return;
    for (const auto& [key, value] : *types) {
        const std::string word = value.is_string() ? value.as_string()->get() : std::string{};
        const auto kind = is_recoverable_kind(word) ? kind_named(word) : std::nullopt;
        if (kind) {
            csv.types[std::string{key.str()}] = *kind;
            continue;
        }
        table.reading().complain(place_of(value), "not a kind that a field can be read as", word,
                                 "one of: text, number, int32, int64, boolean, guid, date_time, "
                                 "binary");
    }
}

void read_csv(TableReader& table, FileTable& out) {
    read_separator(table, out.csv);
    read_types(table, out.csv);
    out.csv.empty_is_text = table.word("empty", {"absent", "text"}) == "text";
    if (const std::optional<PlacedText> null = table.text("null")) {
        out.csv.null_word = null->value;
        if (null->value.empty()) {
            table.reading().complain(null->place, "`null` is empty", {},
                                     "an unquoted empty field is absent, or text: `empty`");
        }
    }
    if (out.format != FileFormat::ndjson) return;
    for (const std::string_view name : {"separator", "types", "empty", "null"}) {
        if (!table.has(name)) continue;
        table.reading().complain(table.place(),
                                 "`" + std::string{name} + "` is for CSV, and " + table.what() +
                                     " is not",
                                 {}, "leave it out, or say `shape = \"csv\"`");
    }
}

FileTable read_table(const std::string& name, TableReader table) {
    FileTable out;
    out.name = name;
    out.key = attribute_names(table, "key", false);
    for (const PlacedText& file : table.texts("files")) {
        out.files.push_back(file.value);
        if (file.value.empty()) table.reading().complain(file.place, "`files` is empty", {}, {});
    }
    read_shape(table, out);
    read_csv(table, out);
    table.finish();
    return out;
}

}  // namespace

store::FileTables read_file_tables(TableReader& store) {
    store::FileTables tables;
    const toml::table* const declared = store.subtable("tables");
    if (declared == nullptr) return tables;
    for (const auto& [key, value] : *declared) {
        const std::string name{key.str()};
        if (const toml::table* const table = value.as_table()) {
            tables.push_back(read_table(name, {*table, "table " + name, store.reading()}));
        } else {
            store.wrong_type(value, "tables." + name, "a table");
        }
    }
    return tables;
}

}  // namespace idxfsck::audit::language
