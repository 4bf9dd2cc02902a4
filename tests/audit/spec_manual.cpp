// Promised: the manual has every transform, every function and every key of the spec, and its
// examples are specs.
// Method: audit/SPEC.md is read; rows of its tables are made from the tables that the code uses.

#include <catch2/catch.hpp>

#include <fstream>

#include "audit/language/functions.hpp"
#include "audit/language/key_check.hpp"
#include "audit/language/transforms.hpp"
#include "audit/spec_toml.hpp"

using namespace idxfsck;

namespace {

std::string manual() {
    std::ifstream stream{std::string{IDXFSCK_TESTS_FOLDER} + "/../audit/SPEC.md", std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

// A cell of a table: the bar is what separates cells.
std::string cell(std::string_view text) {
    std::string escaped;
    for (const char character : text) {
        if (character == '|') escaped += '\\';
        escaped += character;
    }
    return escaped;
}

std::vector<std::string> examples(const std::string& text) {
    std::vector<std::string> found;
    const std::string opening = "```toml\n";
    std::size_t at = 0;
    while ((at = text.find(opening, at)) != std::string::npos) {
        at += opening.size();
        found.push_back(text.substr(at, text.find("```", at) - at));
    }
    return found;
}

}  // namespace

TEST_CASE("the manual has each transform, and whether it can be inverted") {
    const std::string text = manual();
    std::size_t rows = 0;
    for (const auto& info : audit::language::transforms()) {
        const std::string row = "| `" + std::string{info.name} + cell(info.arguments) + "` | " +
                                (info.invert != nullptr ? "yes" : "no") + " | " +
                                cell(info.description) + " |\n";
        INFO(row);
        CHECK(text.find(row) != std::string::npos);
        ++rows;
    }
    const std::size_t begin = text.find("| transform | inverted | gives |\n");
    const std::size_t end = text.find("\n\n", begin);
    REQUIRE(begin != std::string::npos);
    REQUIRE(std::count(text.begin() + static_cast<std::ptrdiff_t>(begin),
                       text.begin() + static_cast<std::ptrdiff_t>(end), '\n') ==
            static_cast<std::ptrdiff_t>(rows) + 1);
}

TEST_CASE("the manual has each function and each name of limits") {
    const std::string text = manual();
    for (const auto& info : audit::language::functions()) {
        const std::string row = "| `" + std::string{info.name} + std::string{info.arguments} +
                                "` | " + std::string{info.description} + " |\n";
        INFO(row);
        CHECK(text.find(row) != std::string::npos);
    }
    for (const std::string_view name : audit::language::limits_names()) {
        CHECK(text.find("`\"" + std::string{name} + "\"`") != std::string::npos);
    }
}

TEST_CASE("the manual has each key that a spec may hold") {
    // A key that is unknown is answered with those that are known and not yet used.
    const std::string text = manual();
    const auto known = [](const std::string& spec) {
        const auto outcome = audit::read_spec("x", spec);
        std::vector<std::string> names;
        for (const auto& complaint : std::get<std::vector<audit::Complaint>>(outcome)) {
            if (complaint.seen != "zzzzzzzzzzzzzzzz") continue;
            std::string hint = complaint.hint.substr(complaint.hint.find(": ") + 2) + ", ";
            for (std::size_t at = hint.find(", "); at != std::string::npos; at = hint.find(", ")) {
                names.push_back(hint.substr(0, at));
                hint.erase(0, at + 2);
            }
        }
        return names;
    };
    std::size_t count = 0;
    for (const char* spec :
         {"zzzzzzzzzzzzzzzz = 1", "[base.a]\nzzzzzzzzzzzzzzzz = 1",
          "[limits]\nzzzzzzzzzzzzzzzz = 1", "[[index]]\nzzzzzzzzzzzzzzzz = 1",
          "[base.a]\nexpires = { zzzzzzzzzzzzzzzz = 1 }",
          "[[index]]\nexpires = { zzzzzzzzzzzzzzzz = 1 }",
          "[[index]]\nwinner = { zzzzzzzzzzzzzzzz = 1 }",
          "[[index]]\nseverity = { zzzzzzzzzzzzzzzz = 1 }",
          "[[index]]\nplan = { zzzzzzzzzzzzzzzz = 1 }",
          "[[index]]\n[[index.versions]]\nzzzzzzzzzzzzzzzz = 1",
          "[[index]]\ncontainer = { list = \"I\", zzzzzzzzzzzzzzzz = 1 }",
          "[[index]]\ncontainer = { columns = true, zzzzzzzzzzzzzzzz = 1 }",
          "[[index]]\ncontainer = { delimited = \"I\", zzzzzzzzzzzzzzzz = 1 }"}) {
        for (const std::string& name : known(spec)) {
            INFO(spec << ": " << name);
            const bool there = text.find("`" + name + "`") != std::string::npos ||
                               text.find(name + " = ") != std::string::npos ||
                               text.find("[" + name) != std::string::npos;
            CHECK(there);
            ++count;
        }
    }
    REQUIRE(count > 40);
}

TEST_CASE("each example of the manual is a spec") {
    const std::vector<std::string> specs = examples(manual());
    REQUIRE(specs.size() >= 5);
    for (const std::string& spec : specs) {
        INFO(spec);
        const auto outcome = audit::read_spec("SPEC.md", spec);
        const auto* const complaints = std::get_if<std::vector<audit::Complaint>>(&outcome);
        if (complaints != nullptr) INFO(complaints->at(0).text << " " << complaints->at(0).seen);
        CHECK(complaints == nullptr);
    }
}
