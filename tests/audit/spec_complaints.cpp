// Promised: whatever is wrong with a spec is said at once, each with its place, the offending
// words, and what would be right.
// Method: every NN-name.toml in tests/broken-specs has its complaints beside it, in
// NN-name.expected. With IDXFSCK_UPDATE_GOLDEN=1 the expected files are written anew, for a person
// to look at.

#include <catch2/catch.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "audit/spec_toml.hpp"
#include "store/error.hpp"

using namespace idxfsck;
namespace fs = std::filesystem;

namespace {

std::string read_file(const fs::path& path) {
    std::ifstream stream{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

std::string complaints_of(const std::string& file, const std::string& text) {
    const auto outcome = audit::read_spec(file, text);
    const auto* const complaints = std::get_if<std::vector<audit::Complaint>>(&outcome);
    if (complaints == nullptr) return "no complaint\n";
    std::string all;
    for (const audit::Complaint& complaint : *complaints) {
        all += std::to_string(complaint.place.line) + ":" + std::to_string(complaint.place.column) +
               ": " + complaint.text;
        if (!complaint.seen.empty()) all += ": " + complaint.seen;
        if (!complaint.hint.empty()) all += " (" + complaint.hint + ")";
        all += "\n";
    }
    return all;
}

std::vector<fs::path> broken_specs() {
    std::vector<fs::path> paths;
    const std::string folder = std::string{IDXFSCK_TESTS_FOLDER} + "/broken-specs";
    for (const auto& entry : fs::directory_iterator{folder}) {
        if (entry.path().extension() == ".toml") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    return paths;
}

}  // namespace

TEST_CASE("each broken spec gets its complaints, with their places") {
    const bool update = std::getenv("IDXFSCK_UPDATE_GOLDEN") != nullptr;
    const std::vector<fs::path> paths = broken_specs();
    REQUIRE(paths.size() >= 40);
    for (const fs::path& path : paths) {
        INFO(path.filename().string());
        const std::string complaints = complaints_of(path.filename().string(), read_file(path));
        fs::path expected = path;
        expected.replace_extension(".expected");
        if (update) std::ofstream{expected, std::ios::binary} << complaints;
        CHECK(complaints == read_file(expected));
        CHECK(complaints != "no complaint\n");
    }
}

TEST_CASE("a spec cut anywhere, or with any byte changed, is a spec or has complaints") {
    const std::string whole =
        read_file(std::string{IDXFSCK_TESTS_FOLDER} + "/../fixtures/specs/auth-azure.toml");
    REQUIRE(complaints_of("whole", whole) == "no complaint\n");
    for (std::size_t size = 0; size < whole.size(); ++size) {
        REQUIRE(!complaints_of("cut", whole.substr(0, size)).empty());
    }
    for (std::size_t index = 0; index < whole.size(); index += 3) {
        std::string changed = whole;
        changed[index] = static_cast<char>(changed[index] ^ 0x15);
        REQUIRE(!complaints_of("changed", changed).empty());
    }
}

TEST_CASE("loading a broken spec is an error of usage that names every place") {
    const fs::path path = broken_specs().front();
    try {
        audit::load_spec(path.string());
        FAIL("a broken spec was loaded");
    } catch (const store::Error& error) {
        REQUIRE(error.trouble() == store::Trouble::usage);
        REQUIRE(error.fields().size() >= 1);
        REQUIRE(error.fields()[0].second.find(path.string() + ":") == 0);
    }
    REQUIRE_THROWS_AS(audit::load_spec("/nowhere/at/all.toml"), store::Error);
}
