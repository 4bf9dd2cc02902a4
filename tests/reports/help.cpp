// The help of each command, compared with a text that was read and found good.

#include <catch2/catch.hpp>

#include "golden.hpp"
#include "run_program.hpp"

namespace idxfsck::reports {
namespace {

// The commands, as the program itself lists them.
std::vector<std::string> command_names() {
    std::istringstream help{run_idxfsck({"--help"}).out};
    std::vector<std::string> names;
    bool listing = false;
    for (std::string line; std::getline(help, line);) {
        if (listing && line.empty()) break;
        if (listing) names.push_back(line.substr(2, line.find(' ', 2) - 2));
        listing = listing || line == "Commands:";
    }
    return names;
}

TEST_CASE("the help of the program and of each command is the one that was read") {
    check_golden("help.txt", run_idxfsck({"--help"}).out);
    REQUIRE(command_names().size() >= 12);
    for (const std::string& name : command_names()) {
        const Ran ran = run_idxfsck({name, "--help"});
        CHECK(ran.status == 0);
        CHECK(ran.error.empty());
        check_golden("help-" + name + ".txt", ran.out);
    }
}

TEST_CASE("each help says what the command never does, its exit status, and fits 80 columns") {
    for (const std::string& name : command_names()) {
        INFO(name);
        const std::string help = run_idxfsck({name, "--help"}).out;
        const bool promises = help.find("Never") != std::string::npos ||
                              help.find("never") != std::string::npos;
        CHECK(promises);
        CHECK(help.find("\nExit status:\n  0 ") != std::string::npos);
        CHECK(help.find("\nExamples:\n  idxfsck " + name) != std::string::npos);
        std::istringstream lines{help};
        for (std::string line; std::getline(lines, line);) {
            INFO(line);
            CHECK((line.size() <= 80 || line.find("  idxfsck") == 0));
        }
    }
}

TEST_CASE("the list of codes is the one that was read") {
    check_golden("explain.txt", run_idxfsck({"explain"}).out);
}

}  // namespace
}  // namespace idxfsck::reports
