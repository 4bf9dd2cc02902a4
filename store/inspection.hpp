// store/inspection.hpp
//
// What can be known of a store and its tables before anything is scanned: for a person who asks
// whether an audit could begin, as whom, and what it would cost.
//
// Shape    A reader that has more to say than its tables is Inspectable, too; of any other the
//          functions below tell what every reader tells. What is left empty, the store cannot say.
//          Nothing is written to find out, and no more than a row or two is read.
// Errors   What goes wrong is an Obstacle, a value: one table that cannot be seen says nothing of
//          the next. No text holds anything secret.
// Units    Those that the store bills its reads in; `unit` has the word for them.

#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "store/error.hpp"
#include "store/reader.hpp"

namespace idxfsck::store {

// For people: "region", "eu-west-1". Values may be data.
struct InspectedFact {
    std::string name;
    std::string value;

    friend bool operator==(const InspectedFact&, const InspectedFact&) = default;
};

// Why an audit could not begin, and what to change.
struct Obstacle {
    std::string text;
    std::string cause;   // what varies: data
    std::string hint;
    bool usage = false;  // it is the spec or the command line that must change

    friend bool operator==(const Obstacle&, const Obstacle&) = default;
};

Obstacle obstacle_of(const Error& error);

// What went wrong in the service's words, or its word for it, or ours.
Bytes cause_in(const Error& error);

enum class Access { allowed, refused, untried };

// A right that the store gives or refuses by a name of its own: "dynamodb:Scan".
struct Permission {
    std::string action;
    bool for_repair = false;  // an audit does not need it
    Access access = Access::untried;
    std::string cause;        // refused: what the store said; untried: why

    friend bool operator==(const Permission&, const Permission&) = default;
};

struct StoreInspection {
    std::vector<InspectedFact> facts;  // in the order in which they are shown
    std::string unit;                  // "read unit"; empty: reading is not billed
    double units_a_second_max = 0.0;   // that the spec allows; 0: it sets no limit
    std::optional<double> dollars_per_million_units;  // that the spec states
    std::vector<Obstacle> obstacles;
};

// How a store that deletes rows by itself, when their time has come, does it with a table.
struct TableExpiry {
    std::string attribute;  // that holds the time; empty: it deletes none
    std::string untold;     // why that could not be asked; empty: it was

    friend bool operator==(const TableExpiry&, const TableExpiry&) = default;
};

// What a repair does with a table, beside reading it.
struct TableUse {
    bool written = false;
    bool guarded = false;  // its rows guard writes to other tables
};

struct TableInspection {
    std::optional<TableSchema> schema;    // nothing: there is none, or it could not be asked for
    std::string state;                    // in the store's own word: "ACTIVE"
    std::optional<std::uint64_t> rows;    // about
    std::optional<std::uint64_t> bytes;   // about
    std::string counted;                  // of when these are, or why there are none
    std::optional<double> units_of_scan;  // that one scan of the whole table costs
    std::optional<TableExpiry> expiry;    // nothing: the store deletes no rows by itself
    std::vector<Permission> permissions;
    std::vector<Obstacle> obstacles;
};

class Inspectable {
public:
    virtual ~Inspectable() = default;
    virtual StoreInspection inspect() const = 0;
    virtual TableInspection inspect_table(BytesView table, const TableUse& use) const = 0;
    // Where tables are looked for, and what it may be that one is not found. Asks nothing; empty:
    // there is nothing to say.
    virtual std::string missing_hint() const { return {}; }
};

StoreInspection inspect(const Reader& reader);
std::string missing_hint(const Reader& reader);
TableInspection inspect_table(const Reader& reader, BytesView table, const TableUse& use);

// Adds what `find` finds, unless it is empty; an Error of it is an obstacle.
void add_fact(StoreInspection& out, const std::string& name,
              const std::function<std::string()>& find);

// Adds what one harmless call tells of the right to it: refused if it ends in an Error for which
// `is_denial` holds; any other Error is an obstacle. True if nothing stood against it.
bool try_permission(TableInspection& out, const std::string& action,
                    const std::function<void()>& call, bool (*is_denial)(const Error&));

// Schema and rows, as every reader tells them: a beginning for who has more to say.
TableInspection plain_inspection(const Reader& reader, BytesView table);

}  // namespace idxfsck::store
