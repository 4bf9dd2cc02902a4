// tests/reports/golden.hpp
//
// Texts that a person has read once and found good. IDXFSCK_UPDATE_GOLDEN=1 writes them anew; read
// the difference before you commit it.

#pragma once

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

namespace idxfsck::reports {

inline void check_golden(const std::string& name, const std::string& text) {
    const std::string path = IDXFSCK_TESTS_FOLDER "/reports/golden/" + name;
    if (std::getenv("IDXFSCK_UPDATE_GOLDEN") != nullptr) {
        std::ofstream{path, std::ios::binary} << text;
        return;
    }
    std::ifstream file{path, std::ios::binary};
    std::ostringstream expected;
    expected << file.rdbuf();
    INFO("golden file " << name);
    REQUIRE(file.good());
    CHECK(text == expected.str());
}

}  // namespace idxfsck::reports
