// tests/simulation/watcher.hpp
//
// Sees every change of every row as it happens, and says when one of the claims is broken.
//
// Shape    The first breach is kept; the run goes on. Claims are numbered as in README.md.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "audit/coverage.hpp"
#include "tests/simulation/application.hpp"
#include "tests/simulation/events.hpp"
#include "tests/simulation/ground.hpp"
#include "tests/simulation/tool_store.hpp"

namespace idxfsck::simulation {

struct Breach {
    int claim = 0;
    std::string text;
};

enum class Phase { audit, repair, undo };

// A running tool, as the watcher needs it.
struct WatchedTool {
    const ToolStore* store = nullptr;
    Phase phase = Phase::audit;
    std::uint64_t planned_at = 0;  // how many changes there had been as the audit began
    // Of an undo: the versions of rows that the repair read last.
    std::map<RowName, store::Bytes> seen_versions;
    // The journals of repair and undo, as they are on disk now.
    std::function<std::string()> journal;
    std::function<std::string()> undo_journal;
};

class Watcher {
public:
    struct Promises {
        bool guards_reach_base = true;
        bool versions = true;
        bool prompt = true;        // acts take less than the settle time
        bool careful = true;       // acts keep out of the way of each other
        bool last_write_wins = false;
    };

    Watcher(Ground& ground, Promises promises, Events& events);

    const std::optional<Breach>& breach() const { return breach_; }
    void complain(int claim, const std::string& text);

    void saw(const Change& change);
    // At most one for each party.
    void watch(Party party, const WatchedTool& tool) { tools_[party] = tool; }

    void begin_audit();
    void end_audit(const audit::AuditResult& result);

    // A run of the tool is over. `clean`: nothing killed it, and no operation failed. Then no
    // window of its may be open.
    void end_repair(Party party, bool clean);

    // All is at rest: every difference has a cause in the application.
    void check_causes(const std::vector<Act>& acts);

private:
    // A write of a tool whose base row had moved since the tool looked at it.
    struct Window {
        Party party;
        Slot slot;
    };
    struct Cause {
        Author author;
        bool excused = false;  // an undo, or what SAFETY.md says may be
    };

    void note_causes(const Change& change);
    void note_agreement(const Model& model);
    void see_repair(const Change& change, const WatchedTool& tool);
    void see_undo(const Change& change, const WatchedTool& tool);
    void check_moved_row(const Change& change, const WatchedTool& tool, const Slot& slot);
    bool takes_back(const Change& change, const WatchedTool& tool) const;
    bool base_moved(const Model& model, const Slot& slot, const ToolStore& store) const;
    void close_windows(const Change& change);
    void wrote_wrongly(const Change& change, const WatchedTool& tool, const Slot& slot);
    void check_finding(const audit::Finding& finding);
    bool is_excused(const Slot& slot, const Cause& cause, const std::vector<Act>& acts) const;

    Ground& ground_;
    const Promises promises_;
    Events& events_;
    std::optional<Breach> breach_;
    std::map<Party, WatchedTool> tools_;
    std::vector<Window> windows_;
    // Slots that do not agree now, and since which change. Nothing: from the beginning.
    std::map<Slot, std::optional<Cause>> differences_;
    // Every change of a row, in order: by whom.
    std::map<RowName, std::vector<std::pair<std::uint64_t, Author>>> authors_;
    bool excuse_ = false;  // the change that is being looked at
    bool auditing_ = false;
    // Slots that were held and derived by this base row since the audit began.
    std::set<std::pair<Slot, std::string>> agreed_;
    // Values that users derived at some moment of it.
    std::set<std::pair<std::string, std::string>> derived_;
};

}  // namespace idxfsck::simulation
