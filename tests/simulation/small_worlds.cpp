#include "tests/simulation/small_worlds.hpp"

#include <set>

#include "tests/audit/world.hpp"
#include "tests/simulation/settings.hpp"
#include "tests/simulation/world.hpp"

namespace idxfsck::simulation {

namespace {

// Goes through all sequences of choices, in the order of counting.
class TapeFate : public Fate {
public:
    explicit TapeFate(Tried tried) : tried_{tried} {}

    // False when all were tried.
    bool advance() {
        while (!tape_.empty() && tape_.back().chosen + 1 == tape_.back().count) tape_.pop_back();
        if (tape_.empty()) return false;
        ++tape_.back().chosen;
        return true;
    }

    void rewind() {
        place_ = 0;
        calm_ = false;
        failed_ = false;
        acting_ = false;
    }
    // From now on nothing happens but what must.
    void calm() { calm_ = true; }

    bool others_go() override {
        if (calm_) return false;
        // Once an act has begun it goes on to its end.
        if (tried_ == Tried::faults && acting_) return true;
        acting_ = pick(2) == 1;
        return acting_;
    }

    std::size_t choose(std::size_t) override { return 0; }

    Fault fault_of(Call call) override {
        if (calm_ || failed_ || tried_ == Tried::orders) return Fault::none;
        const std::vector<Fault>& faults = faults_of(call);
        const Fault fault = faults[pick(faults.size())];
        failed_ = fault != Fault::none;
        return fault;
    }

    std::size_t pick(std::size_t count) {
        if (place_ == tape_.size()) tape_.push_back({0, count});
        return tape_[place_++].chosen;
    }

private:
    struct Choice {
        std::size_t chosen;
        std::size_t count;
    };

    // A reply to a read that is lost is no other than a read that was refused.
    static const std::vector<Fault>& faults_of(Call call) {
        static const std::vector<Fault> of_read{Fault::none, Fault::throttled,
                                                Fault::killed_before};
        static const std::vector<Fault> of_write{Fault::none, Fault::throttled, Fault::lost_reply,
                                                 Fault::killed_before, Fault::killed_after};
        static const std::vector<Fault> of_journal{Fault::none, Fault::killed_before,
                                                   Fault::killed_after};
        return call == Call::read ? of_read : call == Call::write ? of_write : of_journal;
    }

    const Tried tried_;
    std::vector<Choice> tape_;
    std::size_t place_ = 0;
    bool calm_ = false;
    bool failed_ = false;
    bool acting_ = false;
};

struct Beginning {
    const char* words;
    Shape shape;
    std::map<std::string, User> users;
    std::map<Slot, std::string> entries;
};

// Of each shape, every operation of the executor.
std::vector<Beginning> beginnings() {
    const User at_a{"a", "n"};
    const User at_b{"b", "n"};
    std::vector<Beginning> all;
    for (const Shape shape : {Shape::pointer, Shape::pairs}) {
        all.push_back({"put", shape, {{"u0", at_a}}, {}});
        all.push_back({"fix copies", shape, {{"u0", at_a}}, {{{"a", "u0"}, "m"}}});
        all.push_back({"delete", shape, {}, {{{"a", "u0"}, "n"}}});
        all.push_back({"move", shape, {{"u0", at_b}}, {{{"a", "u0"}, "n"}}});
    }
    all.push_back({"replace", Shape::pointer, {{"u0", at_a}}, {{{"a", "u1"}, "n"}}});
    all.push_back({"replace, the holder elsewhere", Shape::pointer,
                   {{"u0", at_a}, {"u1", at_b}}, {{{"a", "u1"}, "n"}, {{"b", "u1"}, "n"}}});
    all.push_back({"swap", Shape::pointer,
                   {{"u0", at_a}, {"u1", at_b}}, {{{"a", "u1"}, "n"}, {{"b", "u0"}, "n"}}});
    all.push_back({"add a member", Shape::list, {{"u0", at_a}}, {}});
    all.push_back({"add a member to another", Shape::list,
                   {{"u0", at_a}, {"u1", at_a}}, {{{"a", "u1"}, ""}}});
    all.push_back({"remove a member", Shape::list,
                   {{"u1", at_a}}, {{{"a", "u0"}, ""}, {{"a", "u1"}, ""}}});
    all.push_back({"move a member", Shape::list, {{"u0", at_b}}, {{{"a", "u0"}, ""}}});
    all.push_back({"claim", Shape::claim, {{"u0", at_a}}, {}});
    all.push_back({"delete a claim", Shape::claim, {{"u1", at_b}},
                   {{{"a", ""}, ""}, {{"b", ""}, ""}}});
    return all;
}

std::vector<Wish> wishes() {
    const User at_a{"a", "n"};
    const User at_b{"b", "n"};
    return {{{"u0", at_a}},
            {{"u0", at_b}},
            {{"u0", User{"a", "m"}}},
            {{"u0", User{"", "n"}}},
            {{"u0", std::nullopt}},
            {{"u1", at_a}},
            {{"u1", at_b}},
            {{"u0", at_b}, {"u1", at_a}},
            {{"u0", User{"", "n"}}, {"u1", at_a}}};
}

Settings settings_of(const SmallWorld& small) {
    Settings settings;
    settings.shape = small.start.shape;
    settings.habits.order = small.order;
    settings.guards_reach_base = small.guards_reach_base;
    settings.versions = small.versions;
    settings.together = small.together;
    settings.prompt = false;
    settings.actors = 1;
    settings.others_at_journal = false;
    return settings;
}

// The same rows, versions too, every time.
void fill(World& world, const Model& model) {
    Ground& ground = world.ground();
    for (const auto& [id, user] : model.users) {
        ground.put({}, base_table, user_row(id, user), 0, 0);
    }
    for (const auto& [slot, name] : model.entries) {
        ground.put({}, index_table, *index_row(model, slot), 0, 0);
    }
    world.begin();
}

repair::Plan plan_of(const SmallWorld& small) {
    TapeFate fate{Tried::orders};
    fate.calm();
    World world{settings_of(small), fate};
    fill(world, small.start);
    return world.plan(*world.audit(false));
}

// Whether what is left is mended depends on the rows alone.
void check_mends(World& world, TapeFate& fate) {
    static std::set<std::pair<Model, bool>> mended;
    const bool guarded = world.settings().guards_reach_base;
    if (!mended.insert({world.ground().model(), guarded}).second) return;
    fate.calm();
    for (std::size_t round = 0; round < 3; ++round) {
        const auto result = world.audit(false);
        if (tests::words(*result) != findings_of(world.ground().model())) {
            return world.watcher().complain(2, "the findings are not those of the oracle");
        }
        if (tests::words(*result) == left_of(world.ground().model())) return;
        Tool& tool = world.tool(Party::first_tool);
        tool.journal = {};
        world.repair(tool, world.plan(*result), false);
    }
    world.watcher().complain(3, "drift is left after three repairs that nothing disturbed");
}

void run_once(World& world, const SmallWorld& small, const repair::Plan& plan, TapeFate& fate) {
    fill(world, small.start);
    Application& application = world.application();
    application.begin(small.wish, world.now_ms());
    application.step(0, world.now_ms());  // it has read what it is about
    Tool& tool = world.tool(Party::first_tool);
    tool.planned_at = world.ground().changes();
    if (!world.repair(tool, plan, true).complete()) {
        // The next run comes before the rest of the act, or after it.
        const bool after = application.has_work() && fate.pick(2) == 1;
        fate.calm();
        if (after) world.let_application_finish();
        world.repair(tool, plan, false);
    }
    fate.calm();
    world.let_application_finish();
    world.watcher().check_causes(application.acts());
    check_mends(world, fate);
}

}  // namespace

std::vector<SmallWorld> all_small_worlds() {
    std::vector<SmallWorld> all;
    for (const Beginning& beginning : beginnings()) {
        for (const Wish& wish : wishes()) {
            for (const Order order : {Order::base_first, Order::index_first, Order::together}) {
                for (const bool guards : {true, false}) {
                    for (const bool versions : {true, false}) {
                        if (order == Order::together && !guards) continue;
                        SmallWorld small;
                        small.words = beginning.words;
                        small.start = {beginning.shape, beginning.users, beginning.entries};
                        small.wish = wish;
                        small.order = order;
                        small.guards_reach_base = guards;
                        small.versions = versions;
                        all.push_back(std::move(small));
                    }
                }
            }
        }
    }
    return all;
}

SmallResult go_through(const SmallWorld& small, Tried tried, Events& events) {
    SmallResult result;
    const repair::Plan plan = plan_of(small);
    TapeFate fate{tried};
    do {
        fate.rewind();
        World world{settings_of(small), fate};
        run_once(world, small, plan, fate);
        events.add_all(world.events());
        ++result.runs;
        if (!world.watcher().breach()) continue;
        result.breach = world.watcher().breach();
        fate.rewind();
        World again{settings_of(small), fate};
        again.tracing = true;
        run_once(again, small, plan, fate);
        result.trace = again.trace;
        return result;
    } while (fate.advance());
    return result;
}

}  // namespace idxfsck::simulation
