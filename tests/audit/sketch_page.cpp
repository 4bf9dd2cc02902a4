// The examples of audit/SKETCH.md are the files that the code writes and reads, byte for byte.

#include <charconv>
#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

#include "audit/sketch_file.hpp"
#include "tests/audit/shares.hpp"

using namespace idxfsck;

namespace {

// The bytes of one line: pairs of digits, or `00*256` for so many of them, up to the remark, which
// stands behind two spaces.
store::Bytes bytes_of(const std::string& line) {
    store::Bytes bytes;
    std::istringstream words{line.substr(0, line.find("  "))};
    for (std::string word; words >> word;) {
        unsigned byte = 0;
        const auto pair = std::from_chars(word.data(), word.data() + 2, byte, 16);
        REQUIRE(pair.ec == std::errc{});
        const std::size_t count = word.size() > 2 ? std::stoul(word.substr(3)) : 1;
        bytes.append(count, static_cast<char>(byte));
    }
    return bytes;
}

// The bytes of the block that begins with this fence.
store::Bytes example(const std::string& fence) {
    std::ifstream page{IDXFSCK_TESTS_FOLDER "/../audit/SKETCH.md"};
    store::Bytes bytes;
    bool inside = false;
    for (std::string line; std::getline(page, line);) {
        if (inside && line == "```") return bytes;
        if (inside) bytes += bytes_of(line);
        inside = inside || line == "```" + fence;
    }
    FAIL("no example " << fence);
    return bytes;
}

store::Bytes contents(const std::string& path) { return store::read_file(path, 1 << 20); }

}  // namespace

TEST_CASE("the examples of the page on sketches are the files that are written") {
    const audit::Spec spec = tests::spec_of(tests::email_spec);
    store::MemoryStore store{tests::with_snapshot(true)};
    tests::fill_emails(store, 0, 1);
    tests::TestClock clock;
    audit::AuditOptions options = tests::four_partitions();
    options.engine = audit::EngineChoice::exact;
    tests::Shares shares{spec, store, clock, options};
    audit::SketchParameters& parameters = shares.parameters();
    parameters.version = "0.1.0";
    parameters.head.spec_digest = "ab";
    parameters.head.now_ms = 1000;
    parameters.head.begin_ms = 1000;
    const std::string file = shares.path("example");

    audit::save_sketch_parameters(file, parameters);
    CHECK(store::to_hex(contents(file)) == store::to_hex(example("hex parameters")));
    REQUIRE(audit::load_sketch_parameters(file) == parameters);

    // The third of three shares of two partitions has nothing to scan.
    const audit::Ground ground = audit::lay_ground(spec, {{"main", &store}}, {}, 1000);
    audit::MemoryBudget budget{1 << 20};
    const audit::Engines engines{ground.programs, parameters.head.engines, 7, budget, ""};
    audit::ScanResult scan;
    scan.walk.partitions.resize(2);
    audit::save_sketch(file, {parameters, {3, 3}, 2000, 3000, 0, {}}, ground.programs, engines,
                       scan);
    CHECK(store::to_hex(contents(file)) == store::to_hex(example("hex sketch")));
    audit::SketchReader reader{file};
    REQUIRE(reader.head().parameters == parameters);
    REQUIRE(reader.head().share == audit::Share{3, 3});
    REQUIRE(reader.head().begin_ms == 2000);
    REQUIRE(reader.head().end_ms == 3000);
    REQUIRE(reader.read_scan(ground.programs, engines).walk.partitions == scan.walk.partitions);
}
