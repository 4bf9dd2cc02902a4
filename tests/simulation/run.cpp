#include "tests/simulation/run.hpp"

#include <algorithm>

#include "repair/folder_lock.hpp"
#include "repair/plan_json.hpp"
#include "store/error.hpp"
#include "tests/repair/temp_folder.hpp"
#include "tests/repair/world.hpp"
#include "tests/simulation/world.hpp"

namespace idxfsck::simulation {

namespace {

using repair::Outcome;

// Runs of an executor that faults may stop before one that they do not.
constexpr std::size_t disturbed_runs_max = 4;
constexpr std::size_t rounds_to_heal_max = 3;

class RandomFate : public Fate {
public:
    RandomFate(const Settings& settings, Random random) : settings_{settings}, random_{random} {}

    bool others_go() override { return random_.happens(settings_.busy); }
    std::size_t choose(std::size_t count) override { return random_.below(count); }

    Fault fault_of(Call) override {
        if (random_.happens(settings_.throttled)) return Fault::throttled;
        if (random_.happens(settings_.lost)) return Fault::lost_reply;
        if (!random_.happens(settings_.killed)) return Fault::none;
        return random_.happens(0.5) ? Fault::killed_before : Fault::killed_after;
    }

private:
    const Settings settings_;
    Random random_;
};

std::string name(Random& random) { return random.happens(0.5) ? "n" : "m"; }

// The rows of the beginning: mostly right, partly not.
void fill(World& world) {
    const Settings& settings = world.settings();
    Random random = Random{settings.seed}.branch(4);
    Model model;
    model.shape = settings.shape;
    const auto value = [&] {
        return std::string(1, static_cast<char>('a' + random.below(settings.habits.values)));
    };
    const auto put = [&](const std::string& at, const std::string& id, const std::string& named) {
        const bool taken = model.shape == Shape::pointer && model.holder(at);
        const Slot slot{at, model.shape == Shape::claim ? "" : id};
        if (!taken) model.entries[slot] = model.copies() ? named : "";
    };
    for (std::size_t number = 0; number < settings.habits.users; ++number) {
        const std::string id = "u" + std::to_string(number);
        if (random.happens(0.2)) continue;
        User user{random.happens(0.1) ? "" : value(), name(random)};
        const bool conflict = !model.claimants(user.value).empty() && random.happens(0.7);
        if (conflict) user.value.clear();
        model.users[id] = user;
        if (!user.value.empty() && !random.happens(settings.drift)) put(user.value, id, user.name);
    }
    for (std::size_t more = random.below(4); settings.drift > 0 && more > 0; --more) {
        put(value(), "u" + std::to_string(random.below(settings.habits.users + 1)), name(random));
    }
    Ground& ground = world.ground();
    const std::int64_t now_ms = world.now_ms();
    const auto stamp_ms = [&] {
        return now_ms + random.between(-settings.habits.skew_ms, settings.habits.skew_ms);
    };
    for (const auto& [id, user] : model.users) {
        ground.put({}, base_table, user_row(id, user), now_ms, stamp_ms());
    }
    for (const auto& [slot, copied] : model.entries) {
        ground.put({}, index_table, *index_row(model, slot), now_ms, stamp_ms());
    }
}

class Run {
public:
    Run(const Settings& settings, bool tracing)
        : settings_{settings},
          fate_{settings, Random{settings.seed}.branch(5)},
          world_{settings, fate_},
          watcher_{begun(world_, tracing)} {}

    RunResult run() {
        const auto planned = audit_and_plan();
        if (planned) {
            if (settings_.at_rest()) repair_at_rest(*planned);
            else repair_under_traffic(*planned);
        }
        heal();
        return {watcher_.breach(), world_.events(), std::move(world_.trace)};
    }

    // What a repair leaves which nothing disturbs.
    std::pair<Model, repair::Plan> undisturbed() {
        const auto planned = audit_and_plan();
        world_.repair(first(), *planned, false);
        return {world_.ground().model(), *planned};
    }

private:
    static Watcher& begun(World& world, bool tracing) {
        fill(world);
        world.pass(settle_ms + world.settings().stale_ms);
        world.tracing = tracing;
        world.begin();
        return world.watcher();
    }

    Tool& first() { return world_.tool(Party::first_tool); }
    Tool& second() { return world_.tool(Party::second_tool); }
    tests::Image image() { return tests::image_of(world_.ground().memory()); }

    void allow(Part part) {
        world_.application().allow(settings_.acts[static_cast<std::size_t>(part)]);
    }

    std::optional<repair::Plan> audit_and_plan() {
        allow(Part::audit);
        world_.ground().memory().refresh();
        const Model before = world_.ground().model();
        first().planned_at = second().planned_at = world_.ground().changes();
        const bool faults = settings_.faults_in_audit && !settings_.at_rest();
        const auto result = world_.audit(faults);
        if (!result) return std::nullopt;
        if (!result->findings.empty() && !settings_.at_rest()) world_.events().add(Event::accused);
        const bool one_moment = settings_.at_rest() || settings_.snapshot;
        if (one_moment && !faults) check_findings(*result, before);
        allow(Part::between);
        if (settings_.acts[1] > 0) world_.wait_until(world_.now_ms() + 500);
        return world_.plan(*result);
    }

    void check_findings(const audit::AuditResult& result, const Model& model) {
        const auto expected = findings_of(model);
        const auto found = tests::words(result);
        if (found == expected && result.coverage.whole()) return;
        std::string text = "the findings are not those of the oracle:";
        for (const std::string& word : found) {
            if (!expected.contains(word)) text += " too many: " + word + ".";
        }
        for (const std::string& word : expected) {
            if (!found.contains(word)) text += " missing: " + word + ".";
        }
        watcher_.complain(2, text);
    }

    // Until it is clean, or has been disturbed often enough.
    ToolEnd repair_until_done(Tool& tool, const repair::Plan& plan) {
        for (std::size_t run = 0; run < disturbed_runs_max; ++run) {
            const ToolEnd end = world_.repair(tool, plan, true);
            if (end.complete()) return end;
        }
        return world_.repair(tool, plan, false);
    }

    // A second executor: with a copy of the plan on another machine, or in the same folder.
    void begin_second(const repair::Plan& plan) {
        if (!settings_.second) return;
        world_.begin_second([this, &plan] {
            if (settings_.one_folder && !gets_lock()) return;
            world_.events().add(Event::second_executor);
            repair_until_done(second(), plan);
        });
    }

    bool gets_lock() {
        try {
            const repair::FolderLock lock{folder_->path(), "repair.lock", world_.now_ms()};
            return true;
        } catch (const store::Error& error) {
            const std::string words = error.what();
            for (const char* fact : {"process", "host", "since"}) {
                if (words.find(fact) == std::string::npos) watcher_.complain(6, words);
            }
            world_.events().add(Event::lock_refused);
            return false;
        }
    }

    void repair_with_second(const repair::Plan& plan) {
        std::optional<repair::FolderLock> lock;
        if (settings_.second && settings_.one_folder) {
            folder_.emplace();
            lock.emplace(folder_->path(), "repair.lock", world_.now_ms());
        }
        begin_second(plan);
        repair_until_done(first(), plan);
        world_.finish_second();
    }

    void repair_at_rest(const repair::Plan& plan) {
        const tests::Image before = image();
        Settings calm = settings_;
        calm.throttled = calm.lost = calm.killed = 0;
        calm.second = false;
        const auto [end, same_plan] = Run{calm, false}.undisturbed();
        const bool clocks_go_wrong = settings_.habits.skew_ms > 0;
        if (!clocks_go_wrong && plan.operations != same_plan.operations) {
            watcher_.complain(2, "the same audit gave another plan");
        }
        repair_with_second(plan);
        if (clocks_go_wrong) return;
        // Not the bytes: the members of a list may come in another order.
        if (world_.ground().model() != end) {
            watcher_.complain(settings_.second ? 6 : 5,
                              "the end is not that of an undisturbed repair");
        }
        if (!settings_.undo || settings_.second) return;
        undo_until_done();
        if (image() != before) watcher_.complain(5, "the undo did not restore the bytes");
    }

    void undo_until_done() {
        for (std::size_t run = 0; run < disturbed_runs_max; ++run) {
            if (world_.undo(first(), true).complete()) return;
        }
        world_.undo(first(), false);
    }

    void repair_under_traffic(const repair::Plan& plan) {
        allow(Part::repair);
        repair_with_second(plan);
        if (!settings_.undo) return;
        allow(Part::undo);
        undo_until_done();
    }

    // All is at rest: what is left has a cause, and is mended.
    void heal() {
        world_.let_application_finish();
        watcher_.check_causes(world_.application().acts());
        for (std::size_t round = 0; round < rounds_to_heal_max; ++round) {
            world_.pass(settle_ms + settings_.stale_ms + 2 * settings_.habits.skew_ms);
            world_.note("round " + std::to_string(round) + " of healing");
            world_.ground().memory().refresh();
            const auto result = world_.audit(false);
            if (!result) return watcher_.complain(2, "an undisturbed audit failed");
            check_findings(*result, world_.ground().model());
            const repair::Plan plan = world_.plan(*result);
            const auto is_manual = [](const repair::Operation& operation) {
                return operation.kind == repair::OperationKind::manual;
            };
            if (std::all_of(plan.operations.begin(), plan.operations.end(), is_manual)) {
                return check_left(*result);
            }
            if (round == 0 && !settings_.at_rest()) world_.events().add(Event::still_to_do);
            first().journal = {};
            world_.repair(first(), plan, false);
        }
        watcher_.complain(3, "drift is left after " + std::to_string(rounds_to_heal_max) +
                                 " repairs that nothing disturbed");
    }

    void check_left(const audit::AuditResult& result) {
        if (tests::words(result) == left_of(world_.ground().model())) return;
        watcher_.complain(3, "more is left for a person than the oracle says");
    }

    const Settings settings_;
    RandomFate fate_;
    World world_;
    Watcher& watcher_;
    std::optional<tests::TempFolder> folder_;
};

// Cuts that are smaller than `cuts` by one step each.
std::vector<Cuts> smaller(const Cuts& cuts) {
    std::vector<Cuts> all;
    const auto add = [&](auto change) {
        Cuts next = cuts;
        change(next);
        if (!(next == cuts)) all.push_back(next);
    };
    add([](Cuts& next) { next.second = false; });
    add([](Cuts& next) { next.undo = false; });
    add([](Cuts& next) { next.faults = false; });
    add([](Cuts& next) { next.kills = false; });
    add([](Cuts& next) { next.stale = false; });
    add([](Cuts& next) { next.crashes = false; });
    add([](Cuts& next) { next.repeats = false; });
    for (std::size_t part = 0; part < part_count; ++part) {
        add([part](Cuts& next) { next.acts[part] = 0; });
        add([part](Cuts& next) {
            next.acts[part] = std::min<std::size_t>(next.acts[part], 9) / 2;
        });
        add([part](Cuts& next) {
            next.acts[part] = std::min<std::size_t>(next.acts[part], 9);
            if (next.acts[part] > 0) --next.acts[part];
        });
    }
    add([](Cuts& next) { next.actors = 1; });
    add([](Cuts& next) {
        next.users = std::min<std::size_t>(next.users, 6);
        if (next.users > 1) --next.users;
    });
    return all;
}

}  // namespace

RunResult run_seed(std::uint64_t seed, const Cuts& cuts, bool tracing) {
    return Run{settings_of(seed, cuts), tracing}.run();
}

Cuts shrink(std::uint64_t seed, const RunResult& failed, std::size_t runs_max) {
    Cuts cuts;
    std::size_t runs = 0;
    for (bool found = true; found;) {
        found = false;
        for (const Cuts& next : smaller(cuts)) {
            if (++runs > runs_max) return cuts;
            const RunResult result = run_seed(seed, next, false);
            if (!result.breach || result.breach->claim != failed.breach->claim) continue;
            cuts = next;
            found = true;
            break;
        }
    }
    return cuts;
}

std::string failure_text(std::uint64_t seed, const RunResult& failed) {
    const Cuts cuts = shrink(seed, failed, 300);
    const RunResult again = run_seed(seed, cuts, true);
    const Breach& breach = again.breach ? *again.breach : *failed.breach;
    std::string text = "seed " + std::to_string(seed) + " breaks claim " +
                       std::to_string(breach.claim) + ": " + breach.text + "\n";
    text += "again: simulation --seed " + std::to_string(seed);
    if (const std::string words = cuts.text(); !words.empty()) text += " --cuts " + words;
    text += "\n" + settings_of(seed, cuts).text() + "\n";
    for (const std::string& line : again.trace) text += line + "\n";
    return text;
}

}  // namespace idxfsck::simulation
