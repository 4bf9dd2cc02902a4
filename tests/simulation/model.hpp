// tests/simulation/model.hpp
//
// The oracle: what is in the tables as plain maps, and what an audit has to find in them. It knows
// nothing of the code under test beyond how values are stored.
//
// Shape    Base rows are users, each with a value that the index is by; "" is a row that the index
//          leaves out. An entry says that a value leads to a user; of a claim it says only that the
//          value is taken, and its id is "".

#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "store/memory/memory_store.hpp"

namespace idxfsck::simulation {

// How the index is built.
enum class Shape {
    pointer,  // unique: a row for each value, naming one user, with a copy of the name
    pairs,    // a row for each value and user, with a copy of the name
    list,     // a row for each value, with a list of users
    claim,    // unique: a row for each value, that names nobody
};

inline const std::string base_table = "Users";
inline const std::string index_table = "Index";

std::string spec_text(Shape shape);
void create_tables(store::MemoryStore& store, Shape shape);

struct User {
    std::string value;
    std::string name;

    friend auto operator<=>(const User&, const User&) = default;
};

using Slot = std::pair<std::string, std::string>;  // value, id

struct Model {
    Shape shape = Shape::pointer;
    std::map<std::string, User> users;     // by id
    std::map<Slot, std::string> entries;   // the name that was copied; "" where none is

    bool copies() const { return shape == Shape::pointer || shape == Shape::pairs; }
    bool derives(const std::string& id, const std::string& value) const;
    // Does some user derive it?
    bool calls_for(const Slot& slot) const;
    bool holds(const Slot& slot) const { return entries.contains(slot); }
    // Of the entry at a value, in an index with one entry a value.
    std::optional<std::string> holder(const std::string& value) const;
    std::vector<std::string> claimants(const std::string& value) const;
    // Is the slot as the base rows call for: there with its copies, or not there?
    bool agrees(const Slot& slot) const;
    // Every slot that is held or called for.
    std::set<Slot> slots() const;

    friend auto operator<=>(const Model&, const Model&) = default;
};

Model model_of(const store::MemoryStore& store, Shape shape);

store::Row user_row(const std::string& id, const User& user);
// The index row at a value (of `pairs`: at value and id) as the model has it, or nothing.
std::optional<store::Row> index_row(const Model& model, const Slot& slot);
store::Key index_key(Shape shape, const Slot& slot);

// What an audit must find, in the words of tests/audit/world.hpp.
std::set<std::string> findings_of(const Model& model);

// What a repair leaves of it: what only a person can decide.
std::set<std::string> left_of(const Model& model);

}  // namespace idxfsck::simulation
