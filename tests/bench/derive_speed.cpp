// Nanoseconds to derive an entry, for the shapes of index that people use most.
//
// derive_speed [RUNS]
//
// Takes four thousand rows in memory, cut to the projection, classified and derived as in the base
// scan of an audit, on one thread, without the store and without what comes after deriving. Shapes
// take turns, RUNS times (5), so that whatever else the machine does falls on all of them; prints
// medians of processor time. A row that the index leaves out costs too: it falls on the entries of
// the others.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>
#include <variant>
#include <vector>

#include "audit/program.hpp"
#include "audit/scratch.hpp"
#include "audit/spec_toml.hpp"

namespace {

using namespace idxfsck;

constexpr std::size_t rows_count = 4096;
constexpr int rounds_per_run = 50;

struct Shape {
    std::string name;
    std::string base;                  // more keys of the base
    std::vector<std::string> indexes;  // `key` and so on of each
};

const std::string pointer = "\npointer = { Id = \"{UserId}\" }\n";
const std::string identity = "key = { K = \"{Email}\" }" + pointer;
const std::string joined =
    "key = { K = \"{Email|trim|lower}#{First|lower}#{Last|lower}\" }" + pointer;
const std::string sparse = identity + "when = 'exists(Email) and not exists(DeletedAt)'\n";
const std::string tags = "each = \"{Tags}\"\nkey = { K = \"{@item}\" }" + pointer;
const std::string hashed = "key = { K = \"{Email|sha256|hex}\" }" + pointer;

const std::string plain = "key = { K = \"{Status}\" }" + pointer;

const std::vector<Shape> shapes{
    {"identity", "", {identity}},
    {"three attributes, lower, trim", "", {joined}},
    {"sparse condition", "", {sparse}},
    {"regular expression selects", "rows = 'matches(Kind, \"^user-[0-9]+$\")'\n", {identity}},
    {"multi-valued, of 4", "", {tags}},
    {"SHA-256", "", {hashed}},
    {"five indexes at once", "", {identity, joined, sparse, hashed, plain}},
};

std::string spec_text(const Shape& shape) {
    std::string text = "[store.main]\nkind = \"memory\"\n[base.user]\nstore = \"main\"\n"
                       "table = \"Users\"\nkey = [\"UserId\"]\n" + shape.base;
    for (std::size_t number = 0; number < shape.indexes.size(); ++number) {
        const std::string name = "i" + std::to_string(number);
        text += "[[index]]\nof = \"user\"\nstore = \"main\"\nname = \"" + name + "\"\n" +
                "table = \"" + name + "\"\n" + shape.indexes[number];
    }
    return text;
}

store::NamedValue text(std::string name, std::string value) {
    return {std::move(name), store::Value::text(std::move(value))};
}

store::Row row_of(std::size_t number) {
    const std::string digits = std::to_string(number);
    std::vector<store::Value> row_tags;
    for (const char* const tag : {"red", "green", "blue", "yellow"}) {
        row_tags.push_back(store::Value::text(tag + digits));
    }
    std::vector<store::NamedValue> attributes{
        text("Email", " Ann.Example." + digits + "@Example.ORG "), text("First", "ANN"),
        text("Last", "EXAMPLE-" + digits), text("Kind", "user-" + digits),
        text("Status", number % 3 == 0 ? "open" : "shut"), text("City", "Springfield"),
        {"Tags", store::Value::list(row_tags)}};
    if (number % 4 == 0) attributes.push_back(text("DeletedAt", "2026-01-01T00:00:00Z"));
    store::Row row;
    row.key = {store::Value::text("u" + digits)};
    row.attributes = store::encode_attributes(std::move(attributes));
    return row;
}

struct Sink : audit::EntrySink {
    std::uint64_t entries = 0;
    std::uint64_t touched = 0;  // so that no compiler drops the work
    void entry(const audit::EntryView& entry) override {
        ++entries;
        touched += entry.key[0].payload.size() + entry.pointer[0].payload.size();
    }
    void damage(audit::Damage, store::BytesView) override { std::abort(); }
};

class Runner {
public:
    explicit Runner(const Shape& shape)
        : shape_{shape},
          spec_{std::get<audit::Spec>(audit::read_spec("derive_speed", spec_text(shape)))},
          programs_{audit::compile(spec_, {{"main", facts(spec_)}}, {}, 0)} {
        for (std::size_t number = 0; number < rows_count; ++number) {
            rows_.push_back(row_of(number));
        }
        run(1);
    }

    void measure() {
        const std::clock_t begin = std::clock();
        run(rounds_per_run);
        const double seconds = static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
        row_ns_.push_back(seconds * 1e9 / (rounds_per_run * rows_count));
    }

    const std::string& name() const { return shape_.name; }
    double entries_per_row() const {
        return static_cast<double>(sink_.entries) / static_cast<double>(rows_seen_);
    }
    double row_ns() const {
        std::vector<double> sorted = row_ns_;
        std::sort(sorted.begin(), sorted.end());
        return sorted[sorted.size() / 2];
    }
    double entry_ns() const { return row_ns() / entries_per_row(); }

private:
    static audit::StoreFacts facts(const audit::Spec& spec) {
        audit::StoreFacts facts{{{"Users", {"UserId"}}}, {}, {}};
        for (const audit::IndexSpec& index : spec.indexes) {
            facts.tables.push_back({index.table, {"K"}});
        }
        return facts;
    }

    void run(int rounds) {
        const audit::TableProgram& table = programs_.tables[programs_.bases[0].table];
        const audit::BaseProgram& base = *programs_.bases[0].program;
        store::Projector projector{table.schema.key, table.projection};
        for (int round = 0; round < rounds; ++round) {
            for (const store::Row& row : rows_) {
                const store::RowView view = projector.project(row);
                if (base.classify(view, scratch_) != audit::RowClass::real) continue;
                for (const audit::CompiledIndex& index : programs_.indexes) {
                    index.program->derive(view, scratch_, sink_);
                }
            }
            rows_seen_ += rows_.size();
        }
    }

    const Shape& shape_;
    audit::Spec spec_;
    audit::Programs programs_;
    audit::Scratch scratch_;
    std::vector<store::Row> rows_;
    std::vector<double> row_ns_;
    std::uint64_t rows_seen_ = 0;
    Sink sink_;
};

}  // namespace

int main(int argument_count, char** arguments) {
    const int runs = argument_count > 1 ? std::atoi(arguments[1]) : 5;
    if (runs < 1) {
        std::fprintf(stderr, "derive_speed [RUNS]\n");
        return 16;
    }
    std::vector<Runner> runners;
    runners.reserve(shapes.size());
    for (const Shape& shape : shapes) runners.emplace_back(shape);
    for (int count = 0; count < runs; ++count) {
        for (Runner& runner : runners) runner.measure();
    }
    std::printf("%-30s %12s %10s %10s %10s\n", "shape", "entries/row", "ns/row", "ns/entry",
                "ratio");
    for (const Runner& runner : runners) {
        std::printf("%-30s %12.2f %10.1f %10.1f %10.2f\n", runner.name().c_str(),
                    runner.entries_per_row(), runner.row_ns(), runner.entry_ns(),
                    runner.entry_ns() / runners.front().entry_ns());
    }
    return 0;
}
