#include "audit/sketch_parameters.hpp"

#include <algorithm>

#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

constexpr store::BytesView magic = "idxfsck sketch parameters 1\n";

// Enough that a dozen shares of a table take about as long as each other.
constexpr std::size_t partitions_by_default = 64;

store::Error of_another_audit(std::string_view differs) {
    store::Error error{"the parameters are of another audit", store::Trouble::usage};
    error.with("differs", differs);
    error.hint("make new ones with --new-sketch-parameters, and every share with them");
    return error;
}

std::vector<TableCut> cut_tables(const Ground& ground, std::size_t target) {
    std::vector<TableCut> cuts;
    for (std::size_t number = 0; number < ground.programs.tables.size(); ++number) {
        const TableProgram& table = ground.programs.tables[number];
        cuts.push_back({table.store, table.schema.name,
                        ground.readers[number]->split(table.schema.name, target)});
    }
    return cuts;
}

}  // namespace

std::size_t SketchParameters::partitions_count() const {
    std::size_t count = 0;
    for (const TableCut& table : tables) count += table.partitions.size();
    return count;
}

SketchParameters make_sketch_parameters(const Spec& spec, const Readers& readers,
                                        const Clock& clock, const AuditOptions& options) {
    SketchParameters parameters;
    parameters.version = IDXFSCK_VERSION;
    CheckpointHead& head = parameters.head;
    head.spec_digest = spec.digest;
    head.only = options.only;
    head.seed = options.seed ? *options.seed : random_seed();
    head.begin_ms = clock.now_ms();
    head.now_ms = options.as_of_ms.value_or(head.begin_ms);
    const Ground ground = lay_ground(spec, readers, options.only, head.now_ms);
    head.stores = ground.stores;
    head.engines = choose_shapes(ground.programs, ground.readers,
                                 {options.engine, std::max<std::size_t>(options.threads, 1),
                                  options.memory_bytes_max});
    parameters.tables =
        cut_tables(ground, options.partitions > 0 ? options.partitions : partitions_by_default);
    return parameters;
}

void save_parameters(StateWriter& writer, const SketchParameters& parameters) {
    writer.bytes(parameters.version);
    save_head(writer, parameters.head);
    writer.number(parameters.tables.size());
    for (const TableCut& table : parameters.tables) {
        writer.bytes(table.store);
        writer.bytes(table.table);
        writer.number(table.partitions.size());
        for (const store::Partition& partition : table.partitions) {
            writer.bytes(partition.token);
            writer.bytes(partition.label);
        }
    }
}

SketchParameters load_parameters(StateReader& reader) {
    SketchParameters parameters;
    parameters.version = reader.bytes();
    parameters.head = load_head(reader);
    if (!are_shapes(parameters.head.engines, parameters.head.engines.size())) reader.fail();
    parameters.tables.resize(reader.count());
    for (TableCut& table : parameters.tables) {
        table.store = reader.bytes();
        table.table = reader.bytes();
        table.partitions.resize(reader.count());
        for (store::Partition& partition : table.partitions) {
            partition.token = reader.bytes();
            partition.label = reader.bytes();
        }
    }
    return parameters;
}

void save_sketch_parameters(const std::string& path, const SketchParameters& parameters) {
    StateWriter writer{path};
    writer.raw(magic);
    save_parameters(writer, parameters);
    writer.commit();
}

SketchParameters load_sketch_parameters(const std::string& path) {
    StateReader reader{path};
    if (!reader.begins_with(magic)) {
        throw store::Error{"this is no file of sketch parameters, or one of another version of "
                           "idxfsck",
                           store::Trouble::usage}
            .with("file", path)
            .hint("make one with `idxfsck audit SPEC --new-sketch-parameters FILE`");
    }
    SketchParameters parameters = load_parameters(reader);
    if (!reader.at_end()) reader.fail();
    return parameters;
}

std::string difference(const SketchParameters& a, const SketchParameters& b) {
    if (a.version != b.version) return "version of idxfsck";
    if (a.head.spec_digest != b.head.spec_digest) return "spec";
    if (a.head.stores != b.head.stores) return "store";
    if (a.head.only != b.head.only) return "choice of indexes";
    if (a.head.seed != b.head.seed) return "seed";
    if (a.head.now_ms != b.head.now_ms) return "moment (now)";
    if (a.head.engines != b.head.engines) return "engines";
    if (a.tables != b.tables) return "partitions";
    return a == b ? "" : "time at which the parameters were made";
}

Ground lay_ground(const Spec& spec, const Readers& readers, const SketchParameters& parameters) {
    const CheckpointHead& head = parameters.head;
    if (parameters.version != IDXFSCK_VERSION) throw of_another_audit("version of idxfsck");
    if (head.spec_digest != spec.digest) throw of_another_audit("spec");
    Ground ground = lay_ground(spec, readers, head.only, head.now_ms);
    if (head.stores != ground.stores) throw of_another_audit("store");
    const auto& tables = ground.programs.tables;
    const bool same_tables = std::equal(
        tables.begin(), tables.end(), parameters.tables.begin(), parameters.tables.end(),
        [](const TableProgram& table, const TableCut& cut) {
            return table.store == cut.store && table.schema.name == cut.table;
        });
    if (!same_tables) throw of_another_audit("tables");
    // The spec is the same, so another choice of engines can only be that of a forged file.
    if (!are_shapes(head.engines, ground.programs.indexes.size())) {
        throw of_another_audit("engines");
    }
    return ground;
}

}  // namespace idxfsck::audit
