// repair/decide.hpp
//
// What to do about one operation, given what the live rows say. Pure: tests/repair/decide.cpp goes
// through it line by line.

#pragma once

#include <string_view>

#include "repair/evidence.hpp"
#include "repair/plan.hpp"

namespace idxfsck::repair {

enum class Action {
    put,         // write `entry`, or add it to the container
    take_out,    // delete `entry`, or take it out of the container
    already,     // the store is so
    superseded,  // the rows no longer call for it
    held,        // it cannot be told whether they do
};

struct Decision {
    Action action = Action::superseded;
    // put: the entry as the base row calls for it now, copies too. take_out: as the index row holds
    // it.
    audit::Entry entry;
    std::string_view why;  // fixed text

    bool writes() const { return action == Action::put || action == Action::take_out; }
};

Decision decide(const Operation& operation, const Evidence& evidence);

// Do the base rows alone still call for the write that was decided? Asked again after it.
bool still_called_for(const Decision& decision, const Evidence& evidence);

}  // namespace idxfsck::repair
