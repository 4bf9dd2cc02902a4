// tests/simulation/application.hpp
//
// The application: actors that create, change, rename, swap, hand over, delete and re-create, each
// act in the steps of a protocol, each step one call to the store.
//
// Shape    An act reads the base rows that it is about, then writes, one row a step, in the order
//          of its protocol; or all of it in one step. A careful act leaves alone what another act
//          is at, looks whether the value is free, and takes out only its own entries. An act may
//          crash between two steps, and a step may be done twice, as after a reply that was lost.
// Threads  One at a time.

#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "tests/simulation/events.hpp"
#include "tests/simulation/ground.hpp"
#include "tests/simulation/random.hpp"

namespace idxfsck::simulation {

enum class Order { base_first, index_first, together };

struct Habits {
    Order order = Order::base_first;
    bool careful = true;
    double crash = 0;         // before a step
    double repeat = 0;        // of a step
    std::int64_t skew_ms = 0; // how far the clocks of the actors go wrong, either way
    std::size_t users = 4;
    std::size_t values = 4;
};

// What an act wants the users to be, or not to be.
using Wish = std::map<std::string, std::optional<User>>;

enum class Ending { running, done, gave_up, crashed };

// One act on its way.
struct Act {
    std::size_t number = 0;
    std::size_t actor = 0;
    std::string words;
    Wish wish;
    std::map<std::string, std::optional<User>> old;  // the users as the act read them
    std::size_t next = 0;                            // step
    std::int64_t begun_ms = 0;
    std::uint64_t first_change = 0;  // there had been so many before it
    std::uint64_t last_change = 0;   // and so many after it
    bool repeated = false;
    std::optional<Model> list;  // as read before it is written
    Ending ending = Ending::running;
};

class Application {
public:
    Application(Ground& ground, Habits habits, std::size_t actors, Random random, Events& events);

    std::function<void(const std::string&)> trace;

    // So many acts more, one for each call of step() that finds an idle actor.
    void allow(std::size_t acts) { allowed_ += acts; }
    void stop_beginning() { allowed_ = 0; }
    // Something to do: an act under way, or one to begin.
    bool has_work() const;
    bool is_acting() const;
    // Has an act been under way for so long?
    bool is_late(std::int64_t now_ms, std::int64_t most_ms) const;
    // One step of actor `choice` of those with work.
    std::size_t actors_with_work() const;
    void step(std::size_t choice, std::int64_t now_ms);
    // One step of the act that began first.
    void step_oldest(std::int64_t now_ms);

    // A given act in place of a random one: for small worlds.
    void begin(const Wish& wish, std::int64_t now_ms);

    const std::vector<Act>& acts() const { return acts_; }
    const Habits& habits() const { return habits_; }

private:
    bool has_work(std::size_t actor) const { return doing_[actor] || allowed_ > 0; }
    void begin_random(std::size_t actor, std::int64_t now_ms);
    void begin_act(std::size_t actor, const Wish& wish, std::int64_t now_ms);
    // Does nobody else work on these users or values?
    bool is_free(const Wish& wish) const;
    void run_step(Act& act, std::int64_t now_ms);

    Ground& ground_;
    const Habits habits_;
    Events& events_;
    std::vector<Random> randoms_;                    // of the actors
    std::vector<std::optional<std::size_t>> doing_;  // their acts
    std::vector<Act> acts_;
    std::size_t allowed_ = 0;
};

}  // namespace idxfsck::simulation
