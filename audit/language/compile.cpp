#include <algorithm>

#include "audit/language/base_program.hpp"
#include "audit/language/index_program.hpp"
#include "audit/language/key_kinds.hpp"
#include "audit/language/nearest.hpp"
#include "audit/program.hpp"
#include "audit/spec_toml.hpp"
#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

using Stores = std::map<std::string, StoreFacts>;

class Compiler {
public:
    Compiler(const Spec& spec, const Stores& stores, std::int64_t now_ms)
        : spec_{spec}, stores_{stores}, now_ms_{now_ms} {}

    Programs compile(const std::vector<std::string>& only);

private:
    std::vector<const IndexSpec*> chosen(const std::vector<std::string>& only);
    void check_base(const BaseSpec& base);
    void check_key(const IndexSpec& index);
    void check_kinds(const IndexSpec& index);
    // The schema, if it is known.
    const store::TableSchema* find_schema(const std::string& store,
                                          const std::string& table) const;
    // The schema of the table, or a complaint at `place`.
    const store::TableSchema* schema_of(const std::string& store, const std::string& table,
                                        SpecPlace place);
    void complain(SpecPlace place, std::string text, std::string seen, std::string hint = {});
    language::IndexLimits limits_of(const IndexSpec& index) const;
    bool is_dynamodb(const std::string& store) const;

    std::size_t add_table(const std::string& store, const std::string& table);
    std::size_t add_base(const BaseSpec& base);
    void add_index(const IndexSpec& index);
    void join_versions(const IndexSpec& index, CompiledIndex& compiled);

    const Spec& spec_;
    const Stores& stores_;
    std::int64_t now_ms_;
    std::vector<Complaint> complaints_;
    Programs programs_;
};

void Compiler::complain(SpecPlace place, std::string text, std::string seen, std::string hint) {
    complaints_.push_back({place, std::move(text), std::move(seen), std::move(hint)});
}

std::vector<const IndexSpec*> Compiler::chosen(const std::vector<std::string>& only) {
    std::vector<std::string_view> names;
    for (const IndexSpec& index : spec_.indexes) {
        if (index.version_of.empty()) names.push_back(index.name);
    }
    for (const std::string& name : only) {
        if (std::find(names.begin(), names.end(), name) != names.end()) continue;
        throw store::Error{"the spec has no such index", store::Trouble::usage}
            .with("index", name)
            .with("spec", spec_.file)
            .hint(language::suggest(name, names));
    }
    std::vector<const IndexSpec*> indexes;
    for (const IndexSpec& index : spec_.indexes) {
        const bool wanted =
            only.empty() || std::find(only.begin(), only.end(), index.family()) != only.end();
        if (wanted) indexes.push_back(&index);
    }
    return indexes;
}

const store::TableSchema* Compiler::find_schema(const std::string& store,
                                                const std::string& table) const {
    const auto facts = stores_.find(store);
    if (facts == stores_.end()) return nullptr;
    for (const store::TableSchema& schema : facts->second.tables) {
        if (schema.name == table) return &schema;
    }
    return nullptr;
}

const store::TableSchema* Compiler::schema_of(const std::string& store, const std::string& table,
                                              SpecPlace place) {
    if (const store::TableSchema* const schema = find_schema(store, table)) return schema;
    const auto facts = stores_.find(store);
    if (facts == stores_.end()) {
        complain(place, "nothing is known of the store", store);
        return nullptr;
    }
    std::vector<std::string_view> names;
    for (const store::TableSchema& schema : facts->second.tables) names.push_back(schema.name);
    std::string hint = names.empty() ? "the store has no tables at all"
                                     : language::suggest(table, names);
    const std::string& more = facts->second.missing_hint;
    if (!more.empty()) hint += "; " + more;
    complain(place, "the store has no such table", table, hint);
    return nullptr;
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
    return text;
}

void Compiler::check_base(const BaseSpec& base) {
    const store::TableSchema* const schema = schema_of(base.store, base.table, base.place);
    if (schema == nullptr) return;
    if (base.key != schema->key) {
        complain(base.place, "the key of the base is not the key of its table", joined(base.key),
                 "the table's key is: " + joined(schema->key));
    }
    for (Complaint& complaint : language::kind_complaints(base, *schema)) {
        complaints_.push_back(std::move(complaint));
    }
}

void Compiler::check_kinds(const IndexSpec& index) {
    const BaseSpec& base = *spec_.base(index.of);
    const store::TableSchema* const table = find_schema(index.store, index.table);
    const store::TableSchema* const base_table = find_schema(base.store, base.table);
    if (table == nullptr || base_table == nullptr) return;
    const language::KnownKinds known = language::known_kinds(*base_table);
    for (Complaint& complaint : language::kind_complaints(index, *table, known)) {
        complaints_.push_back(std::move(complaint));
    }
}

void Compiler::check_key(const IndexSpec& index) {
    const store::TableSchema* const schema = schema_of(index.store, index.table, index.place);
    if (schema == nullptr || index.inside) return;
    const std::vector<std::string_view> components{schema->key.begin(), schema->key.end()};
    for (const NamedTemplate& named : index.key) {
        const bool known =
            std::find(components.begin(), components.end(), named.name) != components.end();
        if (!known) {
            complain(named.place, "the table has no such key component", named.name,
                     language::suggest(named.name, components));
        }
    }
    for (const std::string& component : schema->key) {
        const bool made =
            std::any_of(index.key.begin(), index.key.end(),
                        [&](const NamedTemplate& named) { return named.name == component; });
        if (!made) {
            complain(index.place, "the key leaves out a component of the table's key", component,
                     "add " + component + " = \"…\" to the key of index " + index.name);
        }
    }
}

language::IndexLimits Compiler::limits_of(const IndexSpec& index) const {
    language::IndexLimits limits{stores_.at(index.store).key_limits, {}};
    // Inside the base row the key is no key of a table.
    if (!index.inside) limits.kinds = find_schema(index.store, index.table)->key_kinds;
    const StoreSpec* const store = spec_.store(index.store);
    if (store == nullptr) return limits;
    if (!store->key_limits.empty()) {
        limits.each = language::named_limits(store->key_limits).value_or(limits.each);
    }
    const std::string& name = store->key_limits.empty() ? store->kind : store->key_limits;
    limits.sort_bytes_max = language::named_sort_bytes_max(name);
    return limits;
}

// Live: what the rows of an export came from, its store does not say.
bool Compiler::is_dynamodb(const std::string& store) const {
    const StoreSpec* const spec = spec_.store(store);
    return spec != nullptr && spec->kind == "dynamodb";
}

std::size_t Compiler::add_table(const std::string& store, const std::string& table) {
    for (std::size_t index = 0; index < programs_.tables.size(); ++index) {
        const TableProgram& known = programs_.tables[index];
        if (known.store == store && known.schema.name == table) return index;
    }
    programs_.tables.push_back({store, *schema_of(store, table, {}), {}, {}, {}});
    return programs_.tables.size() - 1;
}

std::size_t Compiler::add_base(const BaseSpec& base) {
    for (std::size_t index = 0; index < programs_.bases.size(); ++index) {
        if (programs_.bases[index].program->spec().name == base.name) return index;
    }
    const std::size_t table = add_table(base.store, base.table);
    language::RowBinder binder{programs_.tables[table].projection, now_ms_};
    CompiledBase compiled;
    compiled.program =
        std::make_unique<language::BaseRows>(base, binder, is_dynamodb(base.store));
    compiled.table = table;
    programs_.tables[table].bases.push_back(programs_.bases.size());
    programs_.bases.push_back(std::move(compiled));
    return programs_.bases.size() - 1;
}

// Versions stand behind their index.
void Compiler::join_versions(const IndexSpec& index, CompiledIndex& compiled) {
    if (index.version_of.empty()) return;
    std::size_t current = 0;
    while (programs_.indexes[current].program->spec().name != index.version_of) ++current;
    compiled.current = current;
    programs_.indexes[current].versions.push_back(programs_.indexes.size());
}

void Compiler::add_index(const IndexSpec& index) {
    const BaseSpec& base = *spec_.base(index.of);
    CompiledIndex compiled;
    compiled.base = add_base(base);
    compiled.table = add_table(index.store, index.table);
    TableProgram& base_table = programs_.tables[programs_.bases[compiled.base].table];
    TableProgram& index_table = programs_.tables[compiled.table];
    compiled.program = std::make_unique<language::IndexEntries>(language::IndexSources{
        index, base, index_table.schema, base_table.schema, limits_of(index),
        index_table.projection, base_table.projection, now_ms_, is_dynamodb(index.store)});
    join_versions(index, compiled);
    programs_.bases[compiled.base].indexes.push_back(programs_.indexes.size());
    index_table.indexes.push_back(programs_.indexes.size());
    programs_.indexes.push_back(std::move(compiled));
}

Programs Compiler::compile(const std::vector<std::string>& only) {
    const std::vector<const IndexSpec*> indexes = chosen(only);
    std::vector<std::string> checked;
    for (const IndexSpec* index : indexes) {
        check_key(*index);
        check_kinds(*index);
        if (std::find(checked.begin(), checked.end(), index->of) != checked.end()) continue;
        checked.push_back(index->of);
        check_base(*spec_.base(index->of));
    }
    if (!complaints_.empty()) throw_complaints(spec_.file, std::move(complaints_));
    for (const IndexSpec* index : indexes) add_index(*index);
    return std::move(programs_);
}

}  // namespace

Programs compile(const Spec& spec, const std::map<std::string, StoreFacts>& stores,
                 const std::vector<std::string>& only, std::int64_t now_ms) {
    return Compiler{spec, stores, now_ms}.compile(only);
}

}  // namespace idxfsck::audit
