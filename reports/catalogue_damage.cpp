#include "reports/catalogue.hpp"

namespace idxfsck::reports {

namespace {

constexpr std::string_view no_write = "Nothing: such a row produces no write.";

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
     "A list or a map stands where one value is expected.", no_write,
     "Whether the index has one entry for each element: then `each` says so."},
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
