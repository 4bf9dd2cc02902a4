// Sketches and their parameters.
//
// Promised: a file that is none, or one that does not fit what it is of, is refused with an Error;
// an audit that is merged from one that fits, and a share that is scanned with parameters that can
// be read, come to an end. Method: the input as a file of state with the digest that belongs to it,
// or no fuzzer would ever come past that; then as what follows the parameters in the sketch of a
// small audit, which is merged; then as the tables of parameters, which a share is scanned with.

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "audit/merge_run.hpp"
#include "audit/share_run.hpp"
#include "audit/sketch_file.hpp"
#include "audit/spec_toml.hpp"
#include "store/error.hpp"
#include "store/memory/memory_store.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/target.hpp"

namespace idxfsck::tests {

namespace {

using store::Bytes;
using store::BytesView;
using store::Value;

constexpr const char* spec_text = R"(
[store.main]
kind = "memory"
[base.user]
store = "main"
table = "Users"
key   = ["id"]
[[index]]
name    = "by-email"
of      = "user"
store   = "main"
table   = "ByEmail"
key     = { email = "{email}" }
pointer = { id = "{id}" }
)";

constexpr std::size_t digest_size = 32;
constexpr BytesView parameters_magic = "idxfsck sketch parameters 1\n";

class StillClock : public audit::Clock {
public:
    std::int64_t now_ms() const override { return now_ms_; }
    void wait_until(std::int64_t ms) override { now_ms_ = std::max(now_ms_, ms); }

private:
    std::int64_t now_ms_ = 1'700'000'000'000;
};

// Two users, one of whom is not in the index, and an entry of nobody.
struct World {
    audit::Spec spec;
    store::MemoryStore store;
    StillClock clock;
    audit::AuditOptions options;

    World() : spec{std::get<audit::Spec>(audit::read_spec("spec.toml", spec_text))} {
        store.create_table({"Users", {"id"}});
        store.create_table({"ByEmail", {"email"}});
        put("Users", "u1", {{"email", Value::text("a@x")}});
        put("Users", "u2", {{"email", Value::text("b@x")}});
        put("ByEmail", "a@x", {{"id", Value::text("u1")}});
        put("ByEmail", "c@x", {{"id", Value::text("u3")}});
        options.threads = 1;
        options.partitions = 2;
        options.seed = 7;
        options.engine = audit::EngineChoice::exact;
    }

    void put(const char* table, const char* key, std::vector<store::NamedValue> attributes) {
        store.put(table, {{Value::text(key)}, store::encode_attributes(attributes), {}});
    }

    audit::Readers readers() { return {{"main", &store}}; }

    audit::SketchParameters parameters() {
        return audit::make_sketch_parameters(spec, readers(), clock, options);
    }
};

// A path that goes with the process.
std::string scratch_path(const char* name) {
    return std::filesystem::temp_directory_path().string() + "/idxfsck-fuzz-" + name + "-" +
           std::to_string(::getpid());
}

Bytes sealed(BytesView body) {
    audit::RunningDigest digest;
    digest.add(body);
    return Bytes{body} + digest.hex();
}

void read(BytesView text) {
    const MemoryFile file{text};
    try {
        const audit::SketchReader reader{file.path()};
        store::ensure(reader.head().share.valid(), "a share is one of those that there are");
    } catch (const store::Error&) {
        // Why it is none.
    }
    try {
        const auto parameters = audit::load_sketch_parameters(file.path());
        store::ensure(audit::difference(parameters, parameters).empty(), "equal to itself");
    } catch (const store::Error&) {
        // Likewise.
    }
}

void merge(BytesView rest) {
    World world;
    const std::string path = scratch_path("sketch");
    audit::save_sketch_parameters(path, world.parameters());
    Bytes body = store::read_file(path, 1 << 20).substr(parameters_magic.size());
    body.resize(body.size() - digest_size);
    std::ofstream{path, std::ios::binary} << sealed("idxfsck sketch 1\n" + body + Bytes{rest});
    try {
        audit::run_merge(world.spec, world.readers(), world.clock, world.options, {path});
    } catch (const store::Error&) {
        // What does not fit.
    }
    std::filesystem::remove(path);
}

void scan(BytesView tables) {
    World world;
    const std::string path = scratch_path("share");
    audit::SketchParameters parameters = world.parameters();
    try {
        const Bytes body{tables};
        const MemoryFile file{sealed(Bytes{parameters_magic} + body)};
        parameters.tables = audit::load_sketch_parameters(file.path()).tables;
        for (std::size_t table = 0; table < parameters.tables.size() && table < 2; ++table) {
            parameters.tables[table].store = "main";
            parameters.tables[table].table = table == 0 ? "Users" : "ByEmail";
        }
        audit::run_share(world.spec, world.readers(), world.clock, world.options, parameters,
                         {1, 1}, path);
    } catch (const store::Error&) {
        // What does not fit.
    }
    std::filesystem::remove(path);
}

}  // namespace

void fuzz_sketch(BytesView input) {
    read(input);
    read(sealed(input));
    merge(input);
    scan(input);
}

}  // namespace idxfsck::tests
