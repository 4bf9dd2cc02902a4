// Every seed of every fuzzer, without a fuzzer.
//
// Promised: what the fuzzers once found stays found. Method: each file in seeds/TARGET goes through
// its target, whole, cut at several sizes and with one byte changed; the random bytes are of a
// fixed seed. A promise that is broken ends the program and names the file.

#include <algorithm>
#include <filesystem>
#include <random>

#include <catch2/catch.hpp>

#include "store/private_file.hpp"
#include "tests/fuzz/target.hpp"

using namespace idxfsck;

namespace {

namespace files = std::filesystem;

constexpr std::uint64_t seed_bytes_max = 1 << 20;
constexpr int changes = 20;

std::vector<files::path> seeds_in(const std::string& folder, const std::string& extension) {
    std::vector<files::path> paths;
    for (const auto& entry : files::directory_iterator{IDXFSCK_TESTS_FOLDER + folder}) {
        if (extension.empty() || entry.path().extension() == extension) {
            paths.push_back(entry.path());
        }
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

void run(tests::Target target, const files::path& path) {
    INFO(path.string());
    store::Bytes bytes = store::read_file(path.string(), seed_bytes_max);
    target(bytes);
    std::mt19937_64 random{7};
    for (int change = 0; change < changes && !bytes.empty(); ++change) {
        target(store::BytesView{bytes}.substr(0, random() % bytes.size()));
        char& byte = bytes[random() % bytes.size()];
        const char before = byte;
        byte = static_cast<char>(random());
        target(bytes);
        byte = before;
    }
}

void run_all(tests::Target target, const std::string& folder, const std::string& extension = "") {
    const std::vector<files::path> paths = seeds_in(folder, extension);
    REQUIRE(paths.size() >= 2);
    for (const files::path& path : paths) run(target, path);
}

}  // namespace

TEST_CASE("every seed of a spec keeps its promises") {
    run_all(tests::fuzz_spec, "/broken-specs", ".toml");
    run_all(tests::fuzz_spec, "/../fixtures/specs", ".toml");
}

TEST_CASE("every seed of the language keeps its promises") {
    run_all(tests::fuzz_template, "/fuzz/seeds/template");
    run_all(tests::fuzz_condition, "/fuzz/seeds/condition");
}

TEST_CASE("every seed of rows as JSON keeps its promises") {
    run_all(tests::fuzz_ndjson, "/fuzz/seeds/ndjson");
    run_all(tests::fuzz_rows_file, "/fuzz/seeds/rows_file");
    run_all(tests::fuzz_csv, "/fuzz/seeds/csv");
    run_all(tests::fuzz_values, "/fuzz/seeds/values");
}

TEST_CASE("every seed of a file of an audit or a repair keeps its promises") {
    run_all(tests::fuzz_findings, "/fuzz/seeds/findings");
    run_all(tests::fuzz_plan, "/fuzz/seeds/plan");
    run_all(tests::fuzz_journal, "/fuzz/seeds/journal");
    run_all(tests::fuzz_checkpoint, "/fuzz/seeds/checkpoint");
    run_all(tests::fuzz_sketch, "/fuzz/seeds/sketch");
}

TEST_CASE("every seed of an answer of DynamoDB keeps its promises") {
    run_all(tests::fuzz_dynamodb, "/fuzz/seeds/dynamodb");
}

TEST_CASE("every seed of an answer of Azure's tables, and of a way to them, keeps its promises") {
    run_all(tests::fuzz_azure_tables, "/fuzz/seeds/azure_tables");
    run_all(tests::fuzz_azure_access, "/fuzz/seeds/azure_access");
}

TEST_CASE("every seed of keys and rows as bytes keeps its promises") {
    run_all(tests::fuzz_keys, "/fuzz/seeds/keys");
    run_all(tests::fuzz_numbers, "/fuzz/seeds/numbers");
    run_all(tests::fuzz_rows, "/fuzz/seeds/rows");
}
