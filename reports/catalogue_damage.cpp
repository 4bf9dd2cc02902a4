#include "reports/catalogue.hpp"

namespace idxfsck::reports {

namespace {

constexpr std::string_view no_write = "Nothing: such a row produces no write.";

constexpr std::string_view other_kind =
    "Rows that hold the attribute as another kind than the rest: of an older version, or imported.";

constexpr CatalogueEntry entries[] = {
    // Of unindexable base rows.
    {"key_too_long", "damage", "The value is longer than the index's store lets a key be.",
     "The base table takes longer values than the index table, or the template joins several.",
     no_write, "A `truncate` or a digest in the key template, in the application and the spec."},
    {"key_empty", "damage", "The value is an empty text, which the index's store refuses as a key.",
     "The application stores \"\" where it means \"none\".", no_write,
     "Whether empty means absent: then let the condition of the index leave it out."},
    {"key_null", "damage", "The value is null where the index's store refuses it as a key.",
     "The attribute is there, with null in it.", no_write,
     "Whether null means absent: then let the condition of the index leave it out."},
    {"key_characters", "damage", "The value holds a character that the index's store refuses.",
     "Azure tables, for one, forbid / \\ # ? and control characters in keys.", no_write,
     "An escape in the key template (`url_escape`, `replace`), as the application does it."},
    {"key_wrong_type", "damage", "The value is of a type that no template can turn into a key.",
     "A list or a map stands where one value is expected; or a boolean, a guid or a time where the "
     "key of the table takes text, numbers or bytes alone.", no_write,
     "Whether the index has one entry for each element: then `each` says so."},
    {"key_number_not_text", "damage",
     "The value is a number, and the key of the index's table takes text alone.", other_kind,
     no_write, "The attribute; or, where the application makes text of it, `|text` in the key."},
    {"key_binary_not_text", "damage",
     "The value is binary, and the key of the index's table takes text alone.", other_kind,
     no_write, "The attribute; or, where the application makes text of it, `|hex` or `|base64`."},
    {"key_text_not_number", "damage",
     "The value is text, and the key of the index's table takes numbers alone.", other_kind,
     no_write, "The attribute; or, where the application reads its digits, `|plus(0)` in the key."},
    {"key_binary_not_number", "damage",
     "The value is binary, and the key of the index's table takes numbers alone.", other_kind,
     no_write, "The attribute; or, where the application reads its bytes, `|from_big_endian`."},
    {"key_text_not_binary", "damage",
     "The value is text, and the key of the index's table takes bytes alone.", other_kind,
     no_write, "The attribute; or, where it stands for bytes, `|from_base64` or `|from_hex`."},
    {"key_number_not_binary", "damage",
     "The value is a number, and the key of the index's table takes bytes alone.", other_kind,
     no_write, "The attribute; or, where the application makes bytes of it, `|big_endian`."},
    // Of malformed entries.
    {"attribute_missing", "damage", "The entry lacks an attribute that names its base row.",
     "A write cut short, another program's row, or a pointer of another name.", no_write,
     "The `pointer` of the index in the spec, then the row."},
    {"attribute_wrong_type", "damage",
     "The entry has the attribute that names its base row, but of a type that cannot be it.",
     "An older version wrote it, or another program.", no_write,
     "The row; whether both versions are still read by the application."},
    {"key_unreadable", "damage",
     "The key of the entry does not fit the template, or the store could not hold it.",
     "The row belongs to something else, or was written by an older version.", no_write,
     "The selector (`rows`) of the index."},
    {"container_empty", "damage", "The row of a container index has no member.",
     "The last member was taken out and the row stayed.", no_write,
     "`keep_empty` in the spec, if that is how it is meant to be."},
    {"container_full", "damage", "The row of a container index has as many members as it can.",
     "More members than the store can hold in one row: the next add fails.", no_write,
     "Whether the index needs another shape."},
    {"container_expires_early", "damage", "The row of a container expires before its members.",
     "The container's expiry is not moved when a member is added.", no_write,
     "The expiry that the application writes."},
    {"row_undecodable", "damage", "The stored bytes are no row.",
     "The store is damaged, or another program wrote it.", no_write,
     "The store's own check; a backup."},
    {"member_twice", "damage", "The row of a container index holds one member more than once.",
     "An add ran twice: a retry, or two writers that each appended.", no_write,
     "Whether the application adds to the list only where the member is not there yet."},
};

}  // namespace

std::span<const CatalogueEntry> damage_catalogue() {
    return entries;
}

}  // namespace idxfsck::reports
