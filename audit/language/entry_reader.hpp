// audit/language/entry_reader.hpp
//
// Decode: from a row of the index table to the entries that it holds.
//
// Shape    A row is of this index if `rows` says so; without `rows`, if its key has the shape of
//          the key templates. Key and pointer come out as they are; nothing is checked against the
//          templates, as an entry with another key is simply one that no base row derives. In a
//          container each member is an entry; a member that it holds twice is one, and damage.
// Errors   A row that cannot be read goes to the sink as damage, members that can be read as
//          entries.
// Threads  Constant.

#pragma once

#include <optional>
#include <vector>

#include "audit/language/any_of.hpp"
#include "audit/language/bound_condition.hpp"
#include "audit/language/expiry.hpp"
#include "audit/language/key_check.hpp"
#include "audit/language/layout.hpp"
#include "audit/language/shape.hpp"
#include "audit/program.hpp"

namespace idxfsck::audit::language {

class EntryReader {
public:
    // `layout` must outlive the reader. `key` are the templates in the order of the schema. Adds to
    // `projection`, that of the index table, what it reads. `by_dynamodb` deletes what expires
    // there.
    EntryReader(const Layout& layout, const std::vector<NamedTemplate>& key,
                const IndexLimits& limits, store::Projection& projection,
                std::int64_t now_ms, bool by_dynamodb);

    bool owns(const store::RowView& row, Scratch& scratch) const;
    bool expired(const store::RowView& row, Scratch& scratch) const;
    bool accusable(const store::RowView& row, Scratch& scratch) const;
    std::optional<double> expires_ms(const store::RowView& row, Scratch& scratch) const;
    void decode(const store::RowView& row, Scratch& scratch, EntrySink& sink) const;

private:
    bool is_of_index(const store::RowView& row, Scratch& scratch) const;
    // The entry that lies in the base row.
    void decode_inside(const store::RowView& row, Scratch& scratch, EntrySink& sink) const;
    bool check(const store::RowView& row, Scratch& scratch, EntrySink& sink) const;
    // The key as entries carry it.
    std::span<const store::ValueView> key_of(const store::RowView& row,
                                             const Scratch& scratch) const;
    void decode_entry(const store::RowView& row, Scratch& scratch, EntrySink& sink) const;
    bool read_pointer(const store::RowView& row, Scratch& scratch, EntrySink& sink) const;
    void read_copies(const store::RowView& row, Scratch& scratch) const;
    void decode_container(const store::RowView& row, Scratch& scratch, EntrySink& sink) const;
    // The members of one part, which can hold some: how many there are.
    std::size_t decode_part(std::size_t part, const store::RowView& row, Scratch& scratch,
                            EntrySink& sink) const;
    std::size_t decode_elements(std::size_t part, const store::RowView& row, Scratch& scratch,
                                EntrySink& sink) const;
    std::size_t decode_delimited(std::size_t part, const store::RowView& row, Scratch& scratch,
                                 EntrySink& sink) const;
    std::size_t decode_json(std::size_t part, const store::RowView& row, Scratch& scratch,
                            EntrySink& sink) const;
    std::size_t decode_columns(const store::RowView& row, Scratch& scratch, EntrySink& sink) const;
    // The members of all parts; nothing if no part can be read. Damage goes to the sink.
    std::optional<std::size_t> decode_parts(const store::RowView& row, Scratch& scratch,
                                            EntrySink& sink) const;
    bool is_full(const store::RowView& row) const;

    const Layout& layout_;
    IndexLimits limits_;
    BoundCondition rows_;
    std::optional<BoundExpiry> expires_;
    std::vector<ComponentShape> shapes_;
    KeyAnyOf any_of_;
    std::vector<std::size_t> key_slots_;  // inside the base row
    std::vector<std::size_t> pointer_slots_;
    std::vector<std::size_t> copy_slots_;
    std::vector<std::string> part_names_;
    std::vector<std::size_t> part_slots_;
};

}  // namespace idxfsck::audit::language
