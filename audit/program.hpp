// audit/program.hpp
//
// A spec compiled for one audit: selectors, templates and conditions bound to the slots of a
// projection, run over rows without allocating per row.
//
// Shape    A BaseProgram belongs to one base table, an IndexProgram to one index of it. Programs of
//          one physical table share that table's Projection (TablePrograms builds it), so that one
//          scan serves them all.
// Errors   Compiling throws Error (usage) if an attribute of a key template is no key component of
//          the table, a component has no template, or the base key cannot be what the spec says.
//          Running never throws for what a row holds: damage goes to the sink.
// Threads  Programs are constant. A Scratch belongs to one thread.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/entry.hpp"
#include "audit/quick_entry.hpp"
#include "audit/spec.hpp"
#include "store/row.hpp"
#include "store/schema.hpp"

namespace idxfsck::audit {

// Working memory of the programs: reset for each row, kept between rows. Defined in scratch.hpp.
class Scratch;

// Why a base value cannot be a key of its index, or an index row cannot be read as an entry.
enum class Damage : std::uint8_t {
    none,
    // unindexable
    key_too_long,          // over the limit of the index's store
    key_empty,             // empty text where the store refuses it
    key_null,              // null or a container where the store refuses it
    key_characters,        // a character that the store refuses
    key_wrong_type,        // a value that no template can turn into a key: a list, a map
    // one kind where the key of the index's table takes another alone
    key_number_not_text,
    key_binary_not_text,
    key_text_not_number,
    key_binary_not_number,
    key_text_not_binary,
    key_number_not_binary,
    // malformed entry
    attribute_missing,     // a pointer attribute is not there
    attribute_wrong_type,  // it is there, but of a type that cannot be it
    key_unreadable,        // the key does not match the template, or the store could not hold it
    container_empty,
    container_full,
    container_expires_early,
    row_undecodable,       // the stored bytes are no row
    member_twice,          // a container holds one member more than once
};

// Is a value of another kind than the key of the index's table takes?
constexpr bool is_of_kind(Damage damage) {
    return damage >= Damage::key_number_not_text && damage <= Damage::key_number_not_binary;
}

// The word for it in reports and JSON: "key_too_long".
std::string_view damage_name(Damage damage);

class EntrySink {
public:
    virtual ~EntrySink() = default;
    virtual void entry(const EntryView& entry) = 0;
    // `attribute` is the base attribute, or the attribute or key component of the index row.
    virtual void damage(Damage damage, store::BytesView attribute) = 0;
};

// What a condition on a row of the base table says of it.
enum class RowClass {
    other,     // another kind of row, or not of this table
    partial,   // of this kind, but lacks what makes it real
    expired,   // its time is over: as good as gone, though the store still has it
    expiring,  // it may be gone at any moment, or just have been renewed: nobody can say
    real,
};

// What a call of IndexProgram::derive says of a base row.
enum class Derived {
    entries,
    exempt,     // the index leaves it out on purpose
    uncovered,  // the index says nothing of such rows: neither expected nor accused
};

// How a row stands to its own expiry.
enum class Lifetime {
    lasting,  // it does not expire, or not soon
    ending,   // within the grace of the moment at which it expires
    over,
};

class BaseProgram {
public:
    virtual ~BaseProgram() = default;
    virtual const BaseSpec& spec() const = 0;
    virtual RowClass classify(const store::RowView& row, Scratch& scratch) const = 0;
    // Where nothing but these decides: the slots that a real row has, and not as null. Null: the
    // answer takes classify().
    virtual const std::vector<std::size_t>* real_slots() const { return nullptr; }
    // When the row expires, in Unix milliseconds; nothing if it lasts.
    virtual std::optional<double> expires_ms(const store::RowView&, Scratch&) const { return {}; }
};

class IndexProgram {
public:
    virtual ~IndexProgram() = default;
    virtual const IndexSpec& spec() const = 0;

    // The base attributes without which a row calls for no entry: those of the key, the pointer and
    // `each`. One that no row has is most likely misspelt.
    virtual std::vector<std::string> needs() const { return {}; }

    // The entries that a real base row calls for, under the current key version: none where the row
    // is exempt. `row` is cut to the projection of the base table.
    virtual Derived derive(const store::RowView& row, Scratch& scratch, EntrySink& sink) const = 0;

    // Is this row of the index table one of this index? `row` is cut to the index table's
    // projection. A row whose time is over is none.
    virtual bool owns(const store::RowView& row, Scratch& scratch) const = 0;

    // The short ways of derive() and decode(), for rows of which they speak; null: there is none.
    virtual const QuickEntry* quick_derive() const { return nullptr; }
    virtual const QuickEntry* quick_decode() const { return nullptr; }
    // What comes before the short way of derive(): `entries`, or why there are none. Needed only
    // if there are conditions.
    virtual Derived screen(const store::RowView&, Scratch&) const { return Derived::entries; }
    virtual bool has_conditions() const { return false; }
    // Does owns() say yes to every row of the index table?
    virtual bool owns_every_row() const { return false; }

    // May an entry in this row be accused? Not where it is about to expire, nor where it is a
    // reservation that has not expired yet.
    virtual bool accusable(const store::RowView&, Scratch&) const { return true; }
    // When the index row expires, as of a base row. Of a container row that does, decode() says
    // container_expires_early: only its members' base rows can tell whether that is so.
    virtual std::optional<double> expires_ms(const store::RowView&, Scratch&) const { return {}; }

    // The entries that an index row holds. A row that cannot be read goes to sink.damage.
    virtual void decode(const store::RowView& row, Scratch& scratch, EntrySink& sink) const = 0;

    // The key of the base row that the entry names, if the entry tells it.
    virtual std::optional<store::Key> locate(const EntryView& entry) const = 0;

    // The keys of the rows of the index table that may hold the entry, the one where it would be
    // written first. Empty only where the row is the base row and the entry does not tell it.
    virtual std::vector<store::Key> rows_of(const EntryView& entry) const;

    // What is compared where several base rows claim one key; absent if the spec has no rule, or
    // the row has no value for it.
    virtual store::Value rank_of(const store::Row&) const { return {}; }

    // The attributes of a base row on which derive() rests (selector, existence, condition, key,
    // pointer, copies), absent ones too, in order of name: what a guard holds fast.
    virtual std::vector<store::NamedValue> depends_on(const store::Row& base) const = 0;

    // The index row after the entry was put into it, or a member added: `before` is the row as it
    // is, or nothing. Attributes that the index does not own are kept.
    virtual store::Row with_entry(const EntryView& entry,
                                  const std::optional<store::Row>& before) const = 0;

    // The index row after the entry was taken out: nothing if the row shall be deleted.
    virtual std::optional<store::Row> without_entry(const EntryView& entry,
                                                    const store::Row& before) const = 0;

    // Would the row be one of this index, were its time not over? It counts as gone, and its place
    // as free.
    virtual bool expired(const store::RowView&, Scratch&) const { return false; }
};

// Everything that one physical table has to do in an audit.
struct TableProgram {
    std::string store;
    store::TableSchema schema;
    store::Projection projection;
    std::vector<std::size_t> bases;    // positions in Programs::bases
    std::vector<std::size_t> indexes;  // positions in Programs::indexes
};

struct CompiledBase {
    std::unique_ptr<BaseProgram> program;
    std::size_t table = 0;                // position in Programs::tables
    std::vector<std::size_t> indexes;     // its indexes, positions in Programs::indexes
};

struct CompiledIndex {
    std::unique_ptr<IndexProgram> program;
    std::size_t base = 0;   // position in Programs::bases
    std::size_t table = 0;  // position in Programs::tables
    // Positions in Programs::indexes: of the index of which this is an older key version, and of
    // the older versions of this one.
    std::optional<std::size_t> current;
    std::vector<std::size_t> versions;
};

struct Programs {
    std::vector<TableProgram> tables;
    std::vector<CompiledBase> bases;
    std::vector<CompiledIndex> indexes;  // in the order of the spec
};

// What compile() must know of the stores, by the store's name in the spec.
struct StoreFacts {
    std::vector<store::TableSchema> tables;
    store::KeyLimits key_limits;
    std::string missing_hint;  // what it may be that a table is not there; empty: nothing more
};

// `only` names the indexes to compile, each with its older versions; empty: all. `now_ms` is the
// audit's one clock reading, Unix time in milliseconds.
Programs compile(const Spec& spec, const std::map<std::string, StoreFacts>& stores,
                 const std::vector<std::string>& only, std::int64_t now_ms);

}  // namespace idxfsck::audit
