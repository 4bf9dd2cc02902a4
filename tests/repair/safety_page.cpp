// repair/SAFETY.md says of every promise which test holds it. Each of those tests exists.

#include <filesystem>
#include <fstream>
#include <sstream>

#include <catch2/catch.hpp>

namespace {

std::string text_of(const std::filesystem::path& path) {
    std::ostringstream text;
    text << std::ifstream{path}.rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("every test that the safety page names is there") {
    const std::filesystem::path tests{IDXFSCK_TESTS_FOLDER};
    std::string sources;
    for (const char* folder : {"repair", "simulation"}) {
        for (const auto& file : std::filesystem::directory_iterator{tests / folder}) {
            if (file.path().extension() == ".cpp") sources += text_of(file.path());
        }
    }
    const std::string page = text_of(tests.parent_path() / "repair" / "SAFETY.md");
    const std::string arrow = "→ \"";
    std::size_t named = 0;
    for (std::size_t place = page.find(arrow); place != std::string::npos;
         place = page.find(arrow, place + 1)) {
        const std::size_t begin = place + arrow.size();
        const std::string name = page.substr(begin, page.find('"', begin) - begin);
        CAPTURE(name);
        CHECK(sources.find("TEST_CASE(\"" + name + "\")") != std::string::npos);
        ++named;
    }
    CHECK(named > 30);
}
