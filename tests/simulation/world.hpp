// tests/simulation/world.hpp
//
// One simulated world: the tables, the application, a clock, and the tools that run in it.
//
// Shape    Everything that happens, happens because a tool came to a switch point and Fate let
//          others go first, or because nobody else had anything to do. So the same seed gives the
//          same history.
// Threads  A second executor has a thread of its own, but only one of the two ever runs.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/audit_run.hpp"
#include "repair/executor.hpp"
#include "repair/plan.hpp"
#include "repair/undo.hpp"
#include "tests/simulation/fiber.hpp"
#include "tests/simulation/journal_disk.hpp"
#include "tests/simulation/settings.hpp"
#include "tests/simulation/tool_store.hpp"
#include "tests/simulation/watcher.hpp"

namespace idxfsck::simulation {

// An executor: its store, its journals.
struct Tool {
    Party party = Party::first_tool;
    JournalDisk journal;
    JournalDisk undo_journal;
    std::unique_ptr<ToolStore> store;
    std::uint64_t planned_at = 0;
    bool undoing = false;
    std::map<RowName, store::Bytes> seen_versions;  // by the repair
};

// How one run of a tool came to its end.
struct ToolEnd {
    bool killed = false;
    std::optional<std::string> error;  // the store's, or why it was refused
    std::optional<repair::RepairResult> result;

    // It came to the end of the plan, and no operation failed.
    bool clean() const {
        return result && result->count(repair::Outcome::failed) == 0 &&
               result->ending == repair::Ending::finished;
    }
    // And there is nothing that another run might yet do.
    bool complete() const { return clean() && result->count(repair::Outcome::held) == 0; }
};

class World : public audit::Clock {
public:
    World(const Settings& settings, Fate& fate);

    const Settings& settings() const { return settings_; }
    const audit::Spec& spec() const { return spec_; }
    Ground& ground() { return ground_; }
    Application& application() { return application_; }
    Watcher& watcher() { return *watcher_; }
    Events& events() { return events_; }
    Tool& tool(Party party);

    bool tracing = false;
    std::vector<std::string> trace;
    void note(const std::string& words);

    // Puts the rows of the beginning; from then on everything is watched.
    void begin();

    std::int64_t now_ms() const override { return now_ms_; }
    // Others go on meanwhile.
    void wait_until(std::int64_t ms) override;
    // Nobody does anything.
    void pass(std::int64_t ms) { now_ms_ += ms; }
    // The application goes on until it has nothing left to do.
    void let_application_finish();

    // `faults` as the settings have them, or none at all.
    std::optional<audit::AuditResult> audit(bool faults);
    repair::Plan plan(const audit::AuditResult& result) const;
    ToolEnd repair(Tool& tool, const repair::Plan& plan, bool faults);
    ToolEnd undo(Tool& tool, bool faults);

    // Another tool runs whenever the first one comes to a switch point.
    void begin_second(std::function<void()> body);
    bool has_second() const { return second_ && !second_->ended(); }
    void finish_second();

private:
    void switch_point(const Tool& tool, Call call);
    void step_of_others();
    void hurry_application();
    Fault next_fault(Call call);
    Fault journal_call(const Tool& tool, const std::string& words);
    void on_fault(Fault fault);
    ToolStoreHooks hooks_of(Tool& tool);
    void watch(Tool& tool, Phase phase);
    ToolEnd run(Tool& tool, JournalDisk& disk, const repair::JournalHeader& header,
                const std::function<repair::RepairResult(repair::Journal&)>& work);
    void count(const repair::RepairResult& result);

    const Settings settings_;
    Fate& fate_;
    const audit::Spec& spec_;
    Events events_;
    Ground ground_;
    Application application_;
    std::optional<Watcher> watcher_;
    Random random_;
    std::int64_t now_ms_ = 1'700'000'000'000;
    Tool first_;
    Tool second_tool_;
    bool faults_ = false;
    std::optional<Fiber> second_;
    bool second_runs_ = false;
};

}  // namespace idxfsck::simulation
