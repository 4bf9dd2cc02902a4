#include "tests/simulation/settings.hpp"

#include <algorithm>
#include <stdexcept>

namespace idxfsck::simulation {

namespace {

void choose_store(Settings& settings, Random& random) {
    settings.guards_reach_base = random.happens(0.5);
    settings.versions = random.happens(0.6);
    settings.snapshot = settings.guards_reach_base && random.happens(0.3);
    settings.in_order = random.happens(0.5);
    if (!settings.snapshot && random.happens(0.4)) settings.stale_ms = 300;
    // Clocks that go wrong matter only where the last write wins.
    const bool last_write_wins =
        !settings.guards_reach_base && !settings.versions && random.happens(0.3);
    if (last_write_wins) settings.habits.skew_ms = 2000;
}

void choose_application(Settings& settings, Random& random) {
    Habits& habits = settings.habits;
    const std::size_t orders = settings.guards_reach_base ? 3 : 2;
    habits.order = static_cast<Order>(random.below(orders));
    habits.careful = random.happens(0.7);
    habits.users = 2 + random.below(4);
    habits.values = 2 + random.below(3);
    if (random.happens(0.4)) habits.crash = 0.05;
    if (random.happens(0.4)) habits.repeat = 0.15;
    settings.prompt = random.happens(0.7);
    settings.actors = 1 + random.below(3);
    settings.busy = random.happens(0.5) ? 0.2 : 0.55;
    settings.crowds_writes = random.happens(0.4);
    const bool at_rest = random.happens(0.3);
    for (std::size_t part = 0; part < part_count; ++part) {
        const std::size_t acts = random.below(part == 2 ? 10 : 4);
        settings.acts[part] = at_rest ? 0 : acts;
    }
}

void choose_faults(Settings& settings, Random& random) {
    if (random.happens(0.5)) settings.throttled = 0.04;
    if (random.happens(0.5)) settings.lost = 0.06;
    if (random.happens(0.5)) settings.killed = 0.06;
    settings.faults_in_audit = random.happens(0.2);
    settings.second = random.happens(0.3);
    settings.one_folder = random.happens(0.2);
    settings.undo = random.happens(0.5);
    constexpr std::array<std::size_t, 3> groups{1, 2, 64};
    settings.group_max = groups[random.below(3)];
    settings.drift = random.happens(0.2) ? 0 : 0.4;
}

void cut(Settings& settings, const Cuts& cuts) {
    settings.actors = std::min(settings.actors, cuts.actors);
    for (std::size_t part = 0; part < part_count; ++part) {
        settings.acts[part] = std::min(settings.acts[part], cuts.acts[part]);
    }
    settings.habits.users = std::min(settings.habits.users, cuts.users);
    if (!cuts.faults) settings.throttled = settings.lost = 0;
    if (!cuts.kills) settings.killed = 0;
    if (!cuts.second) settings.second = false;
    if (!cuts.undo) settings.undo = false;
    if (!cuts.stale) settings.stale_ms = 0;
    if (!cuts.crashes) settings.habits.crash = 0;
    if (!cuts.repeats) settings.habits.repeat = 0;
}

std::string acts_text(const std::array<std::size_t, part_count>& acts) {
    std::string text;
    for (const std::size_t count : acts) {
        text += (text.empty() ? "" : "/") + std::to_string(count);
    }
    return text;
}

struct Switch {
    const char* name;
    bool Cuts::*member;
};

constexpr std::array switches{Switch{"faults", &Cuts::faults}, Switch{"kills", &Cuts::kills},
                              Switch{"second", &Cuts::second}, Switch{"undo", &Cuts::undo},
                              Switch{"stale", &Cuts::stale}, Switch{"crashes", &Cuts::crashes},
                              Switch{"repeats", &Cuts::repeats}};

void parse_part(Cuts& cuts, const std::string& name, const std::string& value) {
    if (name == "actors") {
        cuts.actors = std::stoul(value);
    } else if (name == "users") {
        cuts.users = std::stoul(value);
    } else if (name == "acts") {
        std::size_t begin = 0;
        for (std::size_t& count : cuts.acts) {
            count = std::stoul(value.substr(begin));
            begin = value.find('/', begin) + 1;
        }
    } else {
        const auto found = std::find_if(switches.begin(), switches.end(), [&](const Switch& one) {
            return name == one.name;
        });
        if (found == switches.end()) throw std::invalid_argument{"no such cut: " + name};
        cuts.*found->member = value != "0";
    }
}

}  // namespace

std::string Cuts::text() const {
    const Cuts none;
    std::string text;
    const auto add = [&](const std::string& name, const std::string& value) {
        text += (text.empty() ? "" : ",") + name + "=" + value;
    };
    if (actors != none.actors) add("actors", std::to_string(actors));
    if (acts != none.acts) add("acts", acts_text(acts));
    if (users != none.users) add("users", std::to_string(users));
    for (const Switch& one : switches) {
        if (!(this->*one.member)) add(one.name, "0");
    }
    return text;
}

Cuts Cuts::parse(const std::string& text) {
    Cuts cuts;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string part = text.substr(begin, end - begin);
        const std::size_t equals = part.find('=');
        if (equals == std::string::npos) throw std::invalid_argument{"no cut: " + part};
        parse_part(cuts, part.substr(0, equals), part.substr(equals + 1));
        begin = end + 1;
    }
    return cuts;
}

Settings settings_of(std::uint64_t seed, const Cuts& cuts) {
    Random random = Random{seed}.branch(1);
    Settings settings;
    settings.seed = seed;
    settings.shape = static_cast<Shape>(random.below(4));
    choose_store(settings, random);
    choose_application(settings, random);
    choose_faults(settings, random);
    // A stream of its own: what else a seed stands for is as it was before there were batches.
    settings.together = !settings.guards_reach_base && Random{seed}.branch(6).happens(0.5);
    cut(settings, cuts);
    return settings;
}

std::string Settings::text() const {
    constexpr const char* shapes[]{"pointer", "pairs", "list", "claim"};
    constexpr const char* orders[]{"base first", "index first", "together"};
    std::string text = shapes[static_cast<std::size_t>(shape)];
    text += std::string{", "} + orders[static_cast<std::size_t>(habits.order)];
    text += guards_reach_base ? ", guards reach the base" : ", guards reach the row";
    text += versions ? ", versions" : ", no versions";
    if (snapshot) text += ", snapshot";
    if (stale_ms > 0) text += ", scans lag";
    if (habits.skew_ms > 0) text += ", last write wins";
    text += habits.careful ? ", careful" : ", careless";
    text += prompt ? ", prompt" : ", slow";
    text += ", " + std::to_string(actors) + " actors, acts " + acts_text(acts);
    if (together) text += ", writes together";
    if (second) text += one_folder ? ", second executor in the folder" : ", second executor";
    return text;
}

}  // namespace idxfsck::simulation
