// Whole spec files.
//
// Promised: text that is no spec gets complaints with a place and never a crash; a spec that is
// accepted compiles against the tables that it names, or is refused with an Error; its programs run
// over any row, an entry that they put into an index row is read from it again, and an entry that
// names a base row names the one that derived it. Method: the input as a spec, tables made up from
// it, rows of several kinds of values.

#include <algorithm>
#include <variant>

#include "audit/interpreter.hpp"
#include "audit/spec_toml.hpp"
#include "store/error.hpp"
#include "tests/fuzz/target.hpp"

namespace idxfsck::tests {

namespace {

using store::Value;

void add_table(audit::StoreFacts& facts, const store::Bytes& name,
               const std::vector<store::Bytes>& key) {
    for (const store::TableSchema& table : facts.tables) {
        if (table.name == name) return;
    }
    facts.tables.push_back({name, key});
}

// Tables as the spec would have them.
std::map<std::string, audit::StoreFacts> facts_of(const audit::Spec& spec) {
    std::map<std::string, audit::StoreFacts> facts;
    for (const audit::StoreSpec& store : spec.stores) facts[store.name];
    for (const audit::BaseSpec& base : spec.bases) {
        add_table(facts[base.store], base.table, base.key);
    }
    for (const audit::IndexSpec& index : spec.indexes) {
        std::vector<store::Bytes> key;
        for (const audit::NamedTemplate& named : index.key) key.push_back(named.name);
        add_table(facts[index.store], index.table, key);
    }
    return facts;
}

Value value_of(std::size_t number) {
    switch (number % 8) {
        case 0: return Value::text("a" + std::to_string(number));
        case 1: return Value::text("Ab, c#d");
        case 2: return Value::number(std::to_string(number) + ".50");
        case 3: return Value::list({Value::text("x"), Value::text("y"), Value::text("x")});
        case 4: return Value::map({{"m", Value::text("v")}, {"n", Value::int64(-3)}});
        case 5: return Value::null();
        case 6: return Value::binary(std::string{"\xff\0z", 3});
        default: return Value::text("");
    }
}

// A row of the table whose attributes are those that the programs ask for.
store::Row row_of(const audit::TableProgram& table, std::size_t variant) {
    store::Row row;
    for (std::size_t place = 0; place < table.schema.key.size(); ++place) {
        row.key.push_back(Value::text("k" + std::to_string(place)));
    }
    std::size_t number = 0;
    for (const store::Bytes& name : table.projection.names) {
        const auto& key = table.schema.key;
        if (std::find(key.begin(), key.end(), name) != key.end()) continue;
        row.set(name, value_of(variant == 0 ? 8 * number : variant + number));
        ++number;
    }
    return row;
}

void check_entry(audit::Interpreter& interpreter, const audit::Programs& programs,
                 std::size_t number, const audit::Entry& entry) {
    const audit::IndexProgram& program = *programs.indexes[number].program;
    const audit::EntryLoan loan{entry};
    const store::Row row = program.with_entry(loan.view(), std::nullopt);
    const audit::IndexReading held = interpreter.read_index(number, &row);
    for (const audit::Entry& other : held.entries) {
        static_cast<void>(interpreter.locate(number, other));
    }
    static_cast<void>(program.without_entry(loan.view(), row));
}

void run_index(audit::Interpreter& interpreter, const audit::Programs& programs,
               std::size_t number) {
    const audit::CompiledIndex& index = programs.indexes[number];
    const std::size_t base = programs.bases[index.base].table;
    for (std::size_t variant = 0; variant < 9; ++variant) {
        const store::Row row = row_of(programs.tables[base], variant);
        const audit::BaseReading reading = interpreter.read_base(number, &row);
        static_cast<void>(index.program->depends_on(row));
        for (const audit::Entry& entry : reading.entries) {
            check_entry(interpreter, programs, number, entry);
            const auto located = interpreter.locate(number, entry);
            const bool typed = !programs.bases[index.base].program->spec().types.empty();
            store::ensure(!located || typed || *located == row.key,
                          "an entry names the base row that derived it");
        }
        const store::Row foreign = row_of(programs.tables[index.table], variant);
        static_cast<void>(interpreter.read_index(number, &foreign));
    }
}

}  // namespace

void fuzz_spec(store::BytesView input) {
    const auto read = audit::read_spec("spec.toml", std::string{input});
    const auto* const spec = std::get_if<audit::Spec>(&read);
    if (spec == nullptr) {
        const auto& complaints = std::get<std::vector<audit::Complaint>>(read);
        store::ensure(!complaints.empty(), "a spec that is refused has a complaint");
        return;
    }
    try {
        const auto programs = audit::compile(*spec, facts_of(*spec), {}, 1'700'000'000'000);
        audit::Interpreter interpreter{programs};
        for (std::size_t number = 0; number < programs.indexes.size(); ++number) {
            run_index(interpreter, programs, number);
        }
    } catch (const store::Error&) {
        // The tables do not fit it.
    }
}

}  // namespace idxfsck::tests
