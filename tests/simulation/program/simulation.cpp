// tests/simulation/program/simulation.cpp
//
// Simulated runs for as long as one likes, or one of them again. README.md says how.

#include <chrono>
#include <iostream>
#include <random>
#include <string>

#include "tests/simulation/run.hpp"

namespace {

using namespace idxfsck::simulation;

struct Arguments {
    double minutes = 0;
    std::uint64_t runs = 0;
    std::optional<std::uint64_t> seed;
    Cuts cuts;
};

Arguments parse(int count, char** words) {
    Arguments arguments;
    for (int number = 1; number + 1 < count; number += 2) {
        const std::string name = words[number];
        const std::string value = words[number + 1];
        if (name == "--minutes") arguments.minutes = std::stod(value);
        else if (name == "--runs") arguments.runs = std::stoull(value);
        else if (name == "--seed") arguments.seed = std::stoull(value);
        else if (name == "--cuts") arguments.cuts = Cuts::parse(value);
        else throw std::invalid_argument{"no such option: " + name};
    }
    if (count % 2 == 0) throw std::invalid_argument{"an option without its value"};
    return arguments;
}

// One seed, with everything that happened.
int show(std::uint64_t seed, const Cuts& cuts) {
    const RunResult result = run_seed(seed, cuts, true);
    std::cout << settings_of(seed, cuts).text() << "\n";
    for (const std::string& line : result.trace) std::cout << line << "\n";
    if (!result.breach) {
        std::cout << "every claim holds\n";
        return 0;
    }
    std::cout << "breaks claim " << result.breach->claim << ": " << result.breach->text << "\n";
    return 1;
}

int run_many(const Arguments& arguments) {
    const auto begin = std::chrono::steady_clock::now();
    const std::chrono::duration<double> most{arguments.minutes * 60};
    std::uint64_t seed = arguments.seed.value_or(std::random_device{}());
    std::uint64_t runs = 0;
    std::uint64_t failures = 0;
    Events events;
    const auto goes_on = [&] {
        if (arguments.runs > 0) return runs < arguments.runs;
        return std::chrono::steady_clock::now() - begin < most;
    };
    for (; goes_on() && failures < 10; ++seed, ++runs) {
        const RunResult result = run_seed(seed, arguments.cuts, false);
        events.add_all(result.events);
        if (!result.breach) continue;
        ++failures;
        std::cout << failure_text(seed, result) << std::endl;
    }
    std::cout << runs << " runs, up to seed " << seed << ", " << failures << " failures\n"
              << events.text() << "\n";
    return failures == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
    try {
        const Arguments arguments = parse(count, words);
        const bool many = arguments.minutes > 0 || arguments.runs > 0;
        if (!many && arguments.seed) return show(*arguments.seed, arguments.cuts);
        if (many) return run_many(arguments);
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
    }
    std::cerr << "simulation --minutes N [--seed S]   runs from a seed on, for so long\n"
                 "simulation --runs N [--seed S]      so many of them\n"
                 "simulation --seed S [--cuts TEXT]   one run, with all that happens in it\n";
    return 16;
}
