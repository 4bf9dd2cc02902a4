// tests/simulation/ground.hpp
//
// The tables as they really are, with all that ever happened to them: who changed which row, when,
// from what to what. The application writes here directly, the tool through a ToolStore.
//
// Shape    A memory store, and a list of changes. With `last_write_wins` every write carries a
//          timestamp, and one that is older than the last one of its row, deletes included, is
//          taken and not kept: nobody is told.
// Units    Times are milliseconds of the simulated clock.
// Threads  One at a time.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tests/simulation/model.hpp"

namespace idxfsck::simulation {

enum class Party { application, first_tool, second_tool };

struct Author {
    Party party = Party::application;
    std::size_t act = 0;  // of the application: the number of the act

    bool is_tool() const { return party != Party::application; }
};

using RowName = std::pair<std::string, store::Bytes>;  // table, encoded key

struct Change {
    std::uint64_t number = 0;  // from 1
    std::int64_t at_ms = 0;
    Author author;
    std::optional<Author> previous;  // who changed the row last
    RowName row;
    std::optional<store::Row> before;
    std::optional<store::Row> after;
    // As the whole was before and after.
    const Model* old_model = nullptr;
    const Model* model = nullptr;
};

class Ground {
public:
    Ground(Shape shape, store::Capabilities capabilities, bool last_write_wins);

    // Called for everything that changed; the change is valid during the call.
    std::function<void(const Change&)> on_change;
    // A write lost to one with a later timestamp.
    std::function<void(Author)> on_shadowed;

    store::MemoryStore& memory() { return memory_; }
    const store::MemoryStore& memory() const { return memory_; }
    const Model& model() const { return model_; }

    std::optional<store::Row> row(const std::string& table, const store::Key& key) const;

    // Whatever is there. `stamp_ms` is the author's own clock.
    void put(Author author, const std::string& table, const store::Row& row, std::int64_t now_ms,
             std::int64_t stamp_ms);
    void erase(Author author, const std::string& table, const store::Key& key,
               std::int64_t now_ms, std::int64_t stamp_ms);
    store::WriteOutcome write(Author author, const store::GuardedWrite& write,
                              std::int64_t now_ms);

    std::uint64_t changes() const { return number_; }
    // The number of the last change of a row, and of the last one by the application; 0: none.
    std::uint64_t last_change(const RowName& row) const;
    std::uint64_t last_application_change(const RowName& row) const;

    // For scans that see the past; `at_ms` 0: before the first change.
    struct Past {
        std::int64_t at_ms;
        std::optional<store::Row> row;
    };
    // What a row was at each time, oldest first.
    const std::vector<Past>* past(const RowName& row) const;
    // Rows of a table that changed.
    std::vector<RowName> changed_rows(const std::string& table) const;

private:
    struct Trail {
        std::uint64_t last = 0;
        std::uint64_t last_application = 0;
        std::int64_t stamp_ms = 0;
        Author author;
        std::vector<Past> past;
    };

    bool shadowed(Author author, const RowName& row, std::int64_t stamp_ms);
    void note(Author author, const RowName& name, std::optional<store::Row> before,
              std::optional<store::Row> after, std::int64_t now_ms, std::int64_t stamp_ms);

    const bool last_write_wins_;
    store::MemoryStore memory_;
    Model model_;
    std::map<RowName, Trail> trails_;
    std::uint64_t number_ = 0;
};

RowName name_of(const std::string& table, const store::Key& key);

}  // namespace idxfsck::simulation
