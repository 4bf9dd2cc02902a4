// Checkpoints.
//
// Promised: a file that is no checkpoint, or one that does not fit what it is of, is refused with
// an Error; the audit that goes on from one that fits comes to an end. Method: the input as a file
// of state with the digest that belongs to it, or no fuzzer would ever come past that; then the
// input as what follows the head of a checkpoint of a small audit, which goes on from it.

#include <filesystem>
#include <fstream>

#include <unistd.h>

#include "audit/audit_run.hpp"
#include "audit/checkpoint.hpp"
#include "audit/spec_toml.hpp"
#include "store/error.hpp"
#include "store/memory/memory_store.hpp"
#include "tests/fuzz/input.hpp"
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
[[index]]
name    = "claims"
of      = "user"
store   = "main"
table   = "Claims"
key     = { name = "{name}" }
)";

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

    World() : spec{std::get<audit::Spec>(audit::read_spec("spec.toml", spec_text))} {
        store.create_table({"Users", {"id"}});
        store.create_table({"ByEmail", {"email"}});
        store.create_table({"Claims", {"name"}});
        put("Users", "u1", {{"email", Value::text("a@x")}, {"name", Value::text("ann")}});
        put("Users", "u2", {{"email", Value::text("b@x")}});
        put("ByEmail", "a@x", {{"id", Value::text("u1")}});
        put("ByEmail", "c@x", {{"id", Value::text("u3")}});
        put("Claims", "bob", {});
    }

    void put(const char* table, const char* key, std::vector<store::NamedValue> attributes) {
        store.put(table, {{Value::text(key)}, store::encode_attributes(attributes), {}});
    }
};

Bytes sealed(BytesView body) {
    audit::RunningDigest digest;
    digest.add(body);
    return Bytes{body} + digest.hex();
}

void read(BytesView text) {
    try {
        const MemoryFile file{text};
        const audit::CheckpointReader reader{file.path()};
        store::ensure(reader.head() == reader.head(), "a head is equal to itself");
    } catch (const store::Error&) {
        // Why it is none.
    }
}

// The head of a checkpoint of this world up to the shapes of the engines, which are the input's.
Bytes head_of(const World& world) {
    Bytes out{"idxfsck checkpoint 1\n"};
    const auto put = [&](BytesView bytes) {
        store::append_varint(out, bytes.size());
        out.append(bytes);
    };
    put(world.spec.digest);
    store::append_varint(out, 1);
    put("main");
    put(world.store.identity());
    store::append_varint(out, 0);                  // indexes chosen
    store::append_varint(out, 7);                  // seed
    store::append_varint(out, 1'700'000'000'000);  // now
    store::append_varint(out, 1'700'000'000'000);  // begin
    return out;
}

void go_on(BytesView rest) {
    World world;
    const std::string path = std::filesystem::temp_directory_path().string() +
                             "/idxfsck-fuzz-checkpoint-" + std::to_string(::getpid());
    std::ofstream{path, std::ios::binary} << sealed(head_of(world).append(rest));
    StillClock clock;
    audit::AuditOptions options;
    options.threads = 1;
    options.checkpoint_file = path;
    options.resume = true;
    try {
        audit::run_audit(world.spec, {{"main", &world.store}}, clock, options);
    } catch (const store::Error&) {
        // What does not fit.
    }
    std::filesystem::remove(path);
}

}  // namespace

void fuzz_checkpoint(BytesView input) {
    read(input);
    read(sealed(input));
    go_on(input);
}

}  // namespace idxfsck::tests
