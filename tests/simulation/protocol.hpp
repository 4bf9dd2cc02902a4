// tests/simulation/protocol.hpp
//
// The steps of one act, as each protocol has them.
//
// Shape    A list of small writes, worked out from what the act wants and what it read, and carried
//          out one a step. A list row is read in one step and written in the next, only if it is
//          still as it was read; a careless act does not look.

#pragma once

#include "tests/simulation/application.hpp"

namespace idxfsck::simulation {

enum class Doing {
    look,    // reads the users, and whether the values are free
    base,    // writes or deletes a user
    add,     // puts the entry of a user
    drop,    // takes the old entry of a user out
    rename,  // brings the copy up to date
    all,     // everything in one step
};

struct Move {
    Doing doing = Doing::look;
    std::string id;
};

// The steps of an act that has read what it is about.
std::vector<Move> moves_of(const Act& act, Shape shape, Order order);

enum class StepEnd { on, again, from_the_start, give_up };

// Carries out one step of an act. Writes with the clock of the actor.
class Stepper {
public:
    Stepper(Ground& ground, const Habits& habits, Act& act, std::int64_t now_ms,
            std::int64_t stamp_ms, Events& events)
        : ground_{ground}, habits_{habits}, act_{act}, now_ms_{now_ms}, stamp_ms_{stamp_ms},
          events_{events} {}

    StepEnd run(const Move& move);

private:
    StepEnd look();
    StepEnd write_base(const std::string& id);
    StepEnd add(const std::string& id);
    StepEnd drop(const std::string& id);
    StepEnd rename(const std::string& id);
    StepEnd write_all();

    bool is_ours(const std::string& id) const { return act_.wish.contains(id); }
    bool had(const std::string& value) const;
    // May the act put an entry at this value?
    bool is_open(const std::string& value) const;
    // A list row is read first; true if that is what this step did.
    bool reads_list(const Slot& slot);
    StepEnd write_index(const Slot& slot, const Model& model);
    Author self() const { return {Party::application, act_.number}; }

    Ground& ground_;
    const Habits& habits_;
    Act& act_;
    std::int64_t now_ms_;
    std::int64_t stamp_ms_;
    Events& events_;
};

}  // namespace idxfsck::simulation
