// tests/audit/language_tables.hpp
//
// A spec compiled against tables without a store, and what its programs say of a row, as words.
//
// Shape    Values: text as it is, numbers #1, null, true, 0xff for binary, [a b] for lists.
//          Entries: "key,key -> pointer,pointer {Name=value}".

#pragma once

#include <map>
#include <string>
#include <vector>

#include "audit/scratch.hpp"
#include "tests/audit/world.hpp"

namespace idxfsck::tests {

inline std::string word(const store::ValueView& value) {
    store::Bytes scratch;
    if (store::is_numeric(value.kind)) {
        return "#" + std::string{store::canonical_number(value, scratch).value_or("?")};
    }
    if (store::is_container(value.kind)) {
        std::string words = "[";
        store::ElementCursor cursor{value};
        while (cursor.next()) {
            if (words.size() > 1) words += " ";
            if (value.kind == store::Kind::map) words += std::string{cursor.name()} + ":";
            words += word(cursor.value());
        }
        return words + "]";
    }
    switch (value.kind) {
        case store::Kind::text: return std::string{value.payload};
        case store::Kind::null: return "null";
        case store::Kind::boolean: return value.as_boolean() ? "true" : "false";
        case store::Kind::absent: return "absent";
        default: return "0x" + store::to_hex(value.payload);
    }
}

inline std::string word(const audit::EntryView& entry) {
    std::string words;
    for (const auto& part : entry.key) words += (words.empty() ? "" : ",") + word(part);
    std::string pointer;
    for (const auto& part : entry.pointer) pointer += (pointer.empty() ? "" : ",") + word(part);
    if (!entry.pointer.empty()) words += " -> " + pointer;
    std::string copies;
    for (const auto& copy : entry.copies) {
        copies += (copies.empty() ? "" : " ") + std::string{copy.name} + "=" + word(copy.value);
    }
    return copies.empty() ? words : words + " {" + copies + "}";
}

inline std::string word(const store::Row& row) {
    std::string words;
    for (const auto& part : row.key) words += (words.empty() ? "" : ",") + word(part.view());
    for (const auto& named : store::decode_attributes(row.attributes)) {
        words += " " + named.name + "=" + word(named.value.view());
    }
    return words;
}

struct EntryWords : audit::EntrySink {
    std::vector<std::string> words;
    std::vector<audit::Entry> entries;

    void entry(const audit::EntryView& entry) override {
        words.push_back(word(entry));
        entries.emplace_back(entry);
    }
    void damage(audit::Damage damage, store::BytesView attribute) override {
        words.push_back("!" + std::string{audit::damage_name(damage)} + " " +
                        std::string{attribute});
    }
};

// The programs of a spec whose tables all lie in the store `main`.
class Language {
private:
    template <typename Visit>
    auto on_row(std::size_t table, const store::Row& row, Visit visit) {
        const audit::TableProgram& program = programs_.tables[table];
        store::Projector projector{program.schema.key, program.projection};
        return visit(projector.project(row));
    }

public:
    using Words = std::vector<std::string>;

    Language(const std::string& text, std::vector<store::TableSchema> tables,
             store::KeyLimits limits = {}, std::int64_t now_ms = 0)
        : spec_{spec_of(text)},
          programs_{
              audit::compile(spec_, {{"main", {std::move(tables), limits, {}}}}, {}, now_ms)} {}

    const audit::Spec& spec() const { return spec_; }
    const audit::Programs& programs() const { return programs_; }
    const audit::IndexProgram& index(std::size_t position = 0) const {
        return *programs_.indexes[position].program;
    }

    audit::RowClass classify(const store::Row& row, std::size_t position = 0) {
        const auto& base = programs_.bases[programs_.indexes[position].base];
        return on_row(base.table, row, [&](const store::RowView& view) {
            return base.program->classify(view, scratch_);
        });
    }
    // What a row that is of the base calls for; "exempt" if nothing.
    Words derive(const store::Row& row, std::size_t position = 0) {
        return entries(row, position).words;
    }
    EntryWords entries(const store::Row& row, std::size_t position = 0) {
        const auto& base = programs_.bases[programs_.indexes[position].base];
        EntryWords sink;
        on_row(base.table, row, [&](const store::RowView& view) {
            const auto derived = index(position).derive(view, scratch_, sink);
            if (derived == audit::Derived::exempt) sink.words.push_back("exempt");
            return 0;
        });
        return sink;
    }
    // What a row of the index table holds; "foreign" if it is not of this index.
    Words decode(const store::Row& row, std::size_t position = 0) {
        return held(row, position).words;
    }
    EntryWords held(const store::Row& row, std::size_t position = 0) {
        EntryWords sink;
        on_row(programs_.indexes[position].table, row, [&](const store::RowView& view) {
            if (index(position).owns(view, scratch_)) {
                index(position).decode(view, scratch_, sink);
            } else {
                sink.words.push_back("foreign");
            }
            return 0;
        });
        return sink;
    }
    // The base key that an entry names; "nowhere" if it does not tell.
    std::string locate(const audit::Entry& entry, std::size_t position = 0) const {
        const auto key = index(position).locate(audit::EntryLoan{entry}.view());
        return key ? word(*key) : "nowhere";
    }
    store::Row with_entry(const audit::Entry& entry,
                          const std::optional<store::Row>& before) const {
        return index().with_entry(audit::EntryLoan{entry}.view(), before);
    }
    std::optional<store::Row> without_entry(const audit::Entry& entry,
                                            const store::Row& before) const {
        return index().without_entry(audit::EntryLoan{entry}.view(), before);
    }

private:
    audit::Spec spec_;
    audit::Programs programs_;
    audit::Scratch scratch_;
};

// A base table Users (UserId) in the store main, and one index by-key of it over table Index.
inline std::string users_spec(const std::string& index, const std::string& base = {}) {
    return "[store.main]\nkind = \"memory\"\n[base.user]\nstore = \"main\"\ntable = \"Users\"\n"
           "key = [\"UserId\"]\n" + base +
           "\n[[index]]\nname = \"by-key\"\nof = \"user\"\nstore = \"main\"\ntable = \"Index\"\n" +
           index;
}

inline Language users(const std::string& index, std::vector<std::string> key = {"K"},
                      const std::string& base = {}, store::KeyLimits limits = {}) {
    return {users_spec(index, base), {{"Users", {"UserId"}}, {"Index", std::move(key)}}, limits};
}

}  // namespace idxfsck::tests
