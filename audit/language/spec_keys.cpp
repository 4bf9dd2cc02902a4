#include "audit/language/spec_keys.hpp"

#include <array>

namespace idxfsck::audit::language {

namespace {

constexpr SpecKey spec_keys[]{
    {"store", "tables store", "The stores, each as [store.NAME].", true},
    {"base", "tables base", "The base tables, each as [base.NAME].", true},
    {"index", "list index", "The indexes, each as [[index]].", true},
    {"limits", "table limits", "How many deletes a plan may hold before it is refused."},
};

constexpr SpecKey store_keys[]{
    {"kind", "name",
     "What kind of store it is: \"rocksdb\", \"dynamodb\", \"azure_tables\", \"files\".", true},
    {"limits", "limits names",
     "The key limits of the store that the rows came from, where the one that holds them now is "
     "more liberal."},
    {"live", "name",
     "Of a store of \"files\": the store that the files came from, under the same names of tables; "
     "suspects are looked at again there."},
    {"tables", "any tables raw-table|tables file-table",
     "How the tables of a \"rocksdb_raw\" store lie, or where those of a store of \"files\" do."},
};

constexpr SpecKey raw_table_keys[]{
    {"family", "name", "The column family; \"default\" if nothing is said."},
    {"prefix", "text", "Bytes that all keys of the table begin with, and no others."},
    {"key", "any table raw-field|list raw-field", "The fields of a key.", true},
    {"value", "any words json|words typed_json|words empty|table raw-field|list raw-field",
     "The fields of a value, or what it is as a whole.", true},
};

constexpr SpecKey raw_field_keys[]{
    {"name", "name", "The key component or attribute."},
    {"literal", "text", "These bytes."},
    {"integer", "whole number", "A whole number of so many bytes."},
    {"varint", "any true|words leb128|words zigzag|words bitcoin", "A whole number as a varint."},
    {"bytes", "whole number", "So many bytes."},
    {"end", "text", "All before the first of these bytes."},
    {"length", "any whole number|words varint|words bitcoin",
     "As many bytes as the number before it says."},
    {"rest", "boolean", "All that is left."},
    {"order", "words big|little", "Which end of a number comes first."},
    {"sign", "words none|plain|flipped", "How negative numbers are written."},
    {"kind", "words number|int32|int64", "The kind of the number."},
    {"complement", "boolean", "Every bit is turned over."},
    {"as", "words text|hex|HEX|base64|base64url|binary|guid|json|typed_json",
     "What the bytes are shown as."},
    {"members", "words json|typed_json", "The members of a JSON object are attributes."},
};

constexpr SpecKey file_table_keys[]{
    {"key", "names",
     "The names of the key components; left out: those of the base or index that names the table."},
    {"files", "names",
     "Files, or folders of parts, in the folder of the store; left out: found by the table's "
     "name."},
    {"shape", "words auto|plain|dynamodb|azure|csv",
     "How a row is written; \"auto\" by default: by the file's name, and by its first row."},
    {"separator", "name", "Of CSV: the character between fields; a comma by default."},
    {"types", "kinds", "Of CSV: the kind of each column that is not text."},
    {"empty", "words absent|text",
     "Of CSV: what an unquoted empty field is; \"absent\" by default. A quoted one is empty text."},
    {"null", "name", "Of CSV: an unquoted field of these characters is null."},
};

constexpr SpecKey base_keys[]{
    {"store", "name", "The name of the store that holds the table.", true},
    {"table", "name", "The table's name in the store.", true},
    {"key", "names", "The names of the key components, in the table's order.", true},
    {"rows", "condition", "Which rows of the table are of this base; left out: all."},
    {"real_if", "names",
     "Attributes without which a row is not real; null counts as absent."},
    {"locate", "templates",
     "Templates that make key components of other attributes, where the key is a function of "
     "them."},
    {"types", "kinds",
     "The kind of each attribute that must be recovered from text, as in \"USER#{UserId}\"."},
    {"may_be_empty", "boolean", "True: no rows at all is a result, not a doubt."},
    {"expires", "table base-expiry", "When a row counts as gone though the store still has it."},
};

constexpr SpecKey limits_keys[]{
    {"deletes_max", "whole number", "The most deletes of a plan; 1000 if nothing is said."},
    {"deletes_share_max", "share",
     "The most deletes as a share of the entries: 0.05 or \"5%\", which is the default."},
};

constexpr SpecKey index_keys[]{
    {"name", "name", "The index's name in reports and on the command line.", true},
    {"of", "name", "The base whose rows it is an index of.", true},
    {"store", "name", "The name of the store that holds the index table."},
    {"table", "name", "The index table's name in the store."},
    {"inside", "boolean",
     "The index attributes lie in the base row itself, where the store makes an index of them."},
    {"repair_in_row", "boolean", "Those attributes of the base row may be written by a repair."},
    {"rows", "condition",
     "Which rows of the table are of this index; left out: those whose key has the literals of "
     "the key templates."},
    {"key", "templates", "A template for each key component.", true},
    {"pointer", "templates",
     "The attributes, or key components, that say whose entry it is. Left out: none, unless the "
     "key holds the whole base key."},
    {"container", "any table list-container|table map-container|table columns-container|"
     "table delimited-container|table json-container",
     "An index row holds several entries, and this says where."},
    {"copies", "any words all|table copies",
     "Attributes copied from the base row: \"all\", all but some, or templates by name."},
    {"constants", "templates",
     "Attributes that every row of the index has; compared as copies are."},
    {"when", "condition", "Which base rows call for an entry; left out: all."},
    {"each", "name", "One attribute that is a list, set or map: an entry for each element."},
    {"missing", "table missing", "What absent, null and empty attributes mean in the key."},
    {"unique", "any boolean|table unique",
     "One base row to a key: a second one that derives it is a finding."},
    {"lossy", "boolean",
     "Rows overwrite each other by design, and any one of them is right."},
    {"read_only", "boolean", "Report what differs, and never plan a write."},
    {"claim_by_insert", "boolean",
     "Writers claim by insert-if-absent, so that an entry without a pointer may be deleted."},
    {"settle", "duration", "How long a write may take to show in both tables: \"30s\"."},
    {"covers", "condition",
     "The base rows of which the index says anything; others are neither expected nor accused."},
    {"expires", "table entry-expiry", "When an entry counts as gone, or is a reservation."},
    {"winner", "table winner", "Of several base rows that claim one key, the one that has it."},
    {"writes", "words base_first|index_first|together",
     "In which order the application writes a base row and its entry."},
    {"old_versions", "words accept|migrate",
     "What entries under an older key are worth: as good as current ones, or to be migrated."},
    {"versions", "list version", "Older key versions, each as [[index.versions]]."},
    {"severity", "any words error|words warning|words info|table severity",
     "How grave its findings are, or those of each kind; \"error\" by default."},
    {"plan", "table plan", "Kinds of findings that a plan mends, or reports only."},
};

constexpr SpecKey base_expiry_keys[]{
    {"at", "name", "A template of the moment: a time, or a number since 1970.", true},
    {"unit", "words s|ms", "The unit of the number; \"s\" by default."},
    {"grace", "duration",
     "So long before and after the moment nobody can say whether the row is there; \"5m\" by "
     "default."},
};

constexpr SpecKey entry_expiry_keys[]{
    {"at", "name", "A template of the moment: a time, or a number since 1970.", true},
    {"unit", "words s|ms", "The unit of the number; \"s\" by default."},
    {"grace", "duration",
     "So long before and after the moment nobody can say whether the entry is there; \"5m\" by "
     "default."},
    {"reservation", "boolean", "An entry that will expire is not judged before it has."},
};

constexpr SpecKey winner_keys[]{
    {"smallest", "name", "A template: the row with the smallest value wins."},
    {"largest", "name", "A template: the row with the largest value wins."},
};

constexpr SpecKey version_keys[]{
    {"name", "name", "The version's name; findings are of index NAME/VERSION.", true},
    {"store", "name", "The name of the store, where another than the index's."},
    {"table", "name", "The table's name, where another than the index's."},
    {"rows", "condition", "Which rows of the table are of this version."},
    {"key", "templates", "A template for each key component, as it was.", true},
    {"missing", "table missing", "What absent, null and empty attributes mean in the key."},
    {"pointer", "templates", "The pointer attributes, where others than the index's."},
    {"copies", "any words all|table copies", "The copies, where others than the index's."},
    {"constants", "templates", "The constants, where others than the index's."},
};

constexpr SpecKey severity_keys[]{
    {"others", "words error|warning|info", "How grave findings of all other kinds are."},
    {"orphaned_write", "words error|warning|info", "A base row whose entry is not there."},
    {"stale_pointer", "words error|warning|info", "An entry that no base row calls for."},
    {"divergent_copy", "words error|warning|info", "A copied attribute that differs."},
    {"duplicate_claim", "words error|warning|info", "Several base rows claim a unique key."},
    {"collision", "words error|warning|info", "Several base rows overwrite each other at a key."},
    {"unindexable", "words error|warning|info", "A base value that cannot be a key."},
    {"malformed_entry", "words error|warning|info", "An index row that cannot be read."},
};

constexpr SpecKey plan_keys[]{
    {"orphaned_write", "words mend|report", "A base row whose entry is not there."},
    {"stale_pointer", "words mend|report", "An entry that no base row calls for."},
    {"divergent_copy", "words mend|report", "A copied attribute that differs."},
    {"duplicate_claim", "words mend|report", "Several base rows claim a unique key."},
    {"collision", "words mend|report", "Several base rows overwrite each other at a key."},
    {"unindexable", "words mend|report", "A base value that cannot be a key."},
    {"malformed_entry", "words mend|report", "An index row that cannot be read."},
};

constexpr SpecKey missing_keys[]{
    {"absent", "any words skip|table stand-in",
     "What becomes of an absent attribute: skip the entry, or a text that stands in."},
    {"null", "any words skip|words keep|table stand-in",
     "What becomes of null: skip the entry, keep it as a value, or a text that stands in."},
    {"empty", "any words skip|words keep|table stand-in",
     "What becomes of empty text: skip the entry, keep it as a value, or a text that stands in."},
};

constexpr SpecKey stand_in_keys[]{
    {"use", "text", "The text that stands in.", true},
};

constexpr SpecKey copies_keys[]{
    {"all_except", "names", "Every attribute of the base row is copied but these."},
};

constexpr SpecKey unique_keys[]{
    {"scope", "names", "Attributes within whose values the key is unique, such as a tenant.",
     true},
};

constexpr SpecKey choice_keys[]{
    {"when", "condition", "The template is taken where this is true; the last may go without."},
    {"use", "name", "The template.", true},
};

constexpr SpecKey template_keys[]{
    {"template", "any name|choices", "The template.", true},
    {"absent", "any words skip|table stand-in", "What becomes of an absent attribute."},
    {"null", "any words skip|words keep|table stand-in", "What becomes of null."},
    {"empty", "any words skip|words keep|table stand-in", "What becomes of empty text."},
};

constexpr SpecKey list_keys[]{
    {"kind", "words list", "A list or set holds the members."},
    {"list", "name", "The attribute that holds the members."},
    {"attribute", "name", "The attribute that holds the members."},
    {"item", "name", "A template of the element.", true},
    {"create_as", "words list|set|text_set|number_set|binary_set",
     "What it is made as where there is none yet; \"list\" by default."},
    {"keep_empty", "boolean", "An empty container is all right, and stays."},
    {"members_max", "whole number", "A container with so many members is full."},
};

constexpr SpecKey map_keys[]{
    {"kind", "words map", "A map holds the members."},
    {"map", "name", "The attribute that holds the members."},
    {"attribute", "name", "The attribute that holds the members."},
    {"name", "name", "A template of the member's name.", true},
    {"value", "name", "A template of the member's value.", true},
    {"keep_empty", "boolean", "An empty container is all right, and stays."},
    {"members_max", "whole number", "A container with so many members is full."},
};

constexpr SpecKey columns_keys[]{
    {"kind", "words columns", "Every attribute of the row is a member, and its name is data."},
    {"columns", "true", "Every attribute of the row is a member, and its name is data."},
    {"attribute", "text", "Has no meaning here."},
    {"name", "name", "A template of the attribute's name.", true},
    {"value", "name", "A template of the attribute's value.", true},
    {"except", "names", "Attributes that are no members."},
    {"keep_empty", "boolean", "An empty container is all right, and stays."},
    {"members_max", "whole number", "A container with so many members is full."},
};

constexpr SpecKey delimited_keys[]{
    {"kind", "words delimited", "A text holds the members, with a separator between them."},
    {"delimited", "name", "The attribute that holds the members."},
    {"attribute", "name", "The attribute that holds the members."},
    {"separator", "name", "What stands between two members.", true},
    {"item", "name", "A template of the member.", true},
    {"keep_empty", "boolean", "An empty container is all right, and stays."},
    {"members_max", "whole number", "A container with so many members is full."},
    {"parts", "whole number", "The members lie in so many attributes, numbered from 0 on."},
    {"characters_max", "whole number",
     "What a text may hold, in UTF-16 units; 32768 where there are parts."},
};

constexpr SpecKey json_keys[]{
    {"kind", "words json", "A text holds the members as a JSON array."},
    {"json", "name", "The attribute that holds the members."},
    {"attribute", "name", "The attribute that holds the members."},
    {"item", "name", "A template of the member.", true},
    {"keep_empty", "boolean", "An empty container is all right, and stays."},
    {"members_max", "whole number", "A container with so many members is full."},
    {"parts", "whole number", "The members lie in so many attributes, numbered from 0 on."},
    {"characters_max", "whole number",
     "What a text may hold, in UTF-16 units; 32768 where there are parts."},
};

constexpr std::string_view list_kind[]{"list|kind", "list|attribute"};
constexpr std::string_view map_kind[]{"map|kind", "map|attribute"};
constexpr std::string_view columns_kind[]{"columns|kind"};
constexpr std::string_view delimited_kind[]{"delimited|kind", "delimited|attribute"};
constexpr std::string_view json_kind[]{"json|kind", "json|attribute"};
constexpr std::string_view whereabouts[]{"store", "table"};
constexpr std::string_view outside[]{"store", "table", "rows"};
constexpr std::string_view winner_rule[]{"smallest|largest"};

const std::array<SpecTable, 25> tables{{
    {"spec", "Stores, base tables and indexes, for idxfsck.", spec_keys},
    {"store", "A store; keys of other names are settings of its own.", store_keys,
     "any text|whole number|boolean"},
    {"raw-table", "A table of a RocksDB that another application wrote.", raw_table_keys},
    {"raw-field", "A field of its keys or values.", raw_field_keys},
    {"file-table", "A table whose rows lie in files.", file_table_keys},
    {"base", "A base table: the table of record, or the rows of one kind in it.", base_keys},
    {"limits", "What makes a plan be refused.", limits_keys},
    {"index", "An index that the application keeps by hand.", index_keys, {}, {}, "inside",
     outside, whereabouts},
    {"base-expiry", "When a row expires.", base_expiry_keys},
    {"entry-expiry", "When an entry expires.", entry_expiry_keys},
    {"winner", "Which of several claimants wins.", winner_keys, {}, winner_rule},
    {"version", "An older key version: what is not said is as in the index.", version_keys},
    {"severity", "How grave findings are, by kind.", severity_keys},
    {"plan", "What a plan does about findings, by kind.", plan_keys},
    {"missing", "What absent, null and empty attributes mean.", missing_keys},
    {"stand-in", "A text that stands in for what is missing.", stand_in_keys},
    {"copies", "Copied attributes, by their name in the index row.", copies_keys,
     "template value"},
    {"unique", "Unique within a scope.", unique_keys},
    {"choice", "A template under a condition.", choice_keys},
    {"template", "A template with a policy of its own.", template_keys},
    {"list-container", "Members in a list or set.", list_keys, {}, list_kind},
    {"map-container", "Members in a map.", map_keys, {}, map_kind},
    {"columns-container", "Members in attributes whose names are data.", columns_keys, {},
     columns_kind},
    {"delimited-container", "Members in a text.", delimited_keys, {}, delimited_kind},
    {"json-container", "Members in a JSON text.", json_keys, {}, json_kind},
}};

}  // namespace

std::span<const SpecTable> spec_tables() {
    return tables;
}

}  // namespace idxfsck::audit::language
