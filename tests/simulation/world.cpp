#include "tests/simulation/world.hpp"

#include "repair/journal.hpp"
#include "repair/limits.hpp"
#include "repair/make_plan.hpp"
#include "repair/plan_json.hpp"
#include "store/error.hpp"
#include "tests/audit/world.hpp"

namespace idxfsck::simulation {

namespace {

using repair::Outcome;

const audit::Spec& spec_of(Shape shape) {
    static const std::vector<audit::Spec> specs = [] {
        std::vector<audit::Spec> all;
        for (const Shape each : {Shape::pointer, Shape::pairs, Shape::list, Shape::claim}) {
            all.push_back(tests::spec_of(spec_text(each)));
        }
        return all;
    }();
    return specs[static_cast<std::size_t>(shape)];
}

store::Capabilities capabilities_of(const Settings& settings) {
    store::Capabilities capabilities = store::memory_capabilities();
    capabilities.guard =
        settings.guards_reach_base ? store::GuardReach::store : store::GuardReach::row;
    capabilities.row_versions = settings.versions;
    capabilities.snapshot = settings.snapshot;
    capabilities.order = settings.in_order ? store::ScanOrder::by_bytes : store::ScanOrder::none;
    return capabilities;
}

// Are there writes in a journal of which nobody knows what became of them?
bool in_doubt(const JournalDisk& disk) {
    const auto contents = repair::read_journal(disk.text());
    if (!contents || contents->records.empty()) return false;
    return std::holds_alternative<repair::Intent>(contents->records.back());
}

}  // namespace

World::World(const Settings& settings, Fate& fate)
    : settings_{settings},
      fate_{fate},
      spec_{spec_of(settings.shape)},
      ground_{settings.shape, capabilities_of(settings), settings.habits.skew_ms > 0},
      application_{ground_, settings.habits, settings.actors, Random{settings.seed}.branch(2),
                   events_},
      random_{Random{settings.seed}.branch(3)} {
    second_tool_.party = Party::second_tool;
    for (Tool* one : {&first_, &second_tool_}) {
        one->store = std::make_unique<ToolStore>(ground_, Author{one->party, 0}, hooks_of(*one),
                                                 random_.branch(10));
        one->store->together = settings.together;
    }
    application_.trace = [this](const std::string& words) { note(words); };
    ground_.on_shadowed = [this](Author) { events_.add(Event::shadowed); };
}

Tool& World::tool(Party party) { return party == Party::first_tool ? first_ : second_tool_; }

void World::note(const std::string& words) {
    if (!tracing) return;
    trace.push_back(std::to_string(now_ms_ % 1'000'000) + " " + words);
}

void World::begin() {
    Watcher::Promises promises;
    promises.guards_reach_base = settings_.guards_reach_base;
    promises.versions = settings_.versions;
    promises.prompt = settings_.prompt;
    promises.careful = settings_.habits.careful;
    promises.last_write_wins = settings_.habits.skew_ms > 0;
    watcher_.emplace(ground_, promises, events_);
    ground_.on_change = [this](const Change& change) { watcher_->saw(change); };
}

ToolStoreHooks World::hooks_of(Tool& tool) {
    ToolStoreHooks hooks;
    hooks.switch_point = [this, &tool](Call call) { switch_point(tool, call); };
    hooks.fault = [this](Call call) { return next_fault(call); };
    hooks.now_ms = [this] { return now_ms_; };
    hooks.on_fault = [this](Fault fault) { on_fault(fault); };
    hooks.trace = [this, &tool](const std::string& words) {
        note((tool.party == Party::first_tool ? "tool " : "second tool ") + words);
    };
    hooks.on_stale = [this] { events_.add(Event::stale_read); };
    hooks.on_write = [this](const store::GuardedWrite&, store::WriteOutcome outcome) {
        if (outcome == store::WriteOutcome::superseded) events_.add(Event::guard_failed);
    };
    return hooks;
}

void World::switch_point(const Tool& tool, Call call) {
    now_ms_ += random_.between(1, 4);
    if (tool.party == Party::second_tool && second_runs_) return second_->pause();
    const auto others = [&] { return application_.has_work() || has_second(); };
    const bool crowded = settings_.crowds_writes && call == Call::write;
    for (std::size_t steps = crowded ? 3 : 0; steps > 0 && others(); --steps) step_of_others();
    while (others() && fate_.others_go()) step_of_others();
    hurry_application();
}

void World::step_of_others() {
    const std::size_t actors = application_.actors_with_work();
    const std::size_t choice = fate_.choose(actors + (has_second() ? 1 : 0));
    now_ms_ += random_.between(1, 30);
    if (choice < actors) return application_.step(choice, now_ms_);
    second_runs_ = true;
    second_->resume();
    second_runs_ = false;
}

void World::hurry_application() {
    while (settings_.prompt && application_.is_late(now_ms_, act_ms_max / 2)) {
        now_ms_ += 1;
        application_.step_oldest(now_ms_);
    }
}

void World::wait_until(std::int64_t ms) {
    while (now_ms_ < ms) {
        now_ms_ = std::min(ms, now_ms_ + random_.between(1, 150));
        if (application_.has_work() && fate_.others_go()) step_of_others();
        hurry_application();
    }
}

void World::let_application_finish() {
    while (application_.has_work()) {
        now_ms_ += random_.between(1, 30);
        application_.step(fate_.choose(application_.actors_with_work()), now_ms_);
        hurry_application();
    }
}

Fault World::next_fault(Call call) {
    return faults_ ? fate_.fault_of(call) : Fault::none;
}

void World::on_fault(Fault fault) {
    if (fault == Fault::throttled) events_.add(Event::throttled);
    if (fault == Fault::lost_reply) events_.add(Event::lost_reply);
    constexpr const char* words[]{"", "  is refused: throttled", "  its reply is lost",
                                  "  is gone before", "  is gone after"};
    note(words[static_cast<std::size_t>(fault)]);
}

Fault World::journal_call(const Tool& tool, const std::string& words) {
    if (settings_.others_at_journal) switch_point(tool, Call::journal);
    const Fault fault = next_fault(Call::journal);
    note((tool.party == Party::first_tool ? "tool " : "second tool ") + words);
    const bool kills = fault == Fault::killed_before || fault == Fault::killed_after;
    if (!kills) return Fault::none;
    on_fault(fault);
    return fault;
}

void World::watch(Tool& tool, Phase phase) {
    WatchedTool watched;
    watched.store = tool.store.get();
    watched.phase = phase;
    watched.planned_at = tool.planned_at;
    watched.seen_versions = tool.seen_versions;
    watched.journal = [&tool] { return tool.journal.text(); };
    watched.undo_journal = [&tool] { return tool.undo_journal.text(); };
    watcher_->watch(tool.party, watched);
}

std::optional<audit::AuditResult> World::audit(bool faults) {
    watch(first_, Phase::audit);
    faults_ = faults;
    first_.store->stale_ms = settings_.stale_ms;
    first_.store->repeats_a_page = faults && random_.happens(0.2);
    if (first_.store->repeats_a_page) events_.add(Event::page_repeated);
    audit::AuditOptions options;
    options.threads = 1;
    options.partitions = 2;
    options.seed = settings_.seed;
    options.engine =
        random_.happens(0.5) ? audit::EngineChoice::exact : audit::EngineChoice::automatic;
    // By the seed alone: another draw would change what all seeds do.
    const bool one_pass = settings_.seed % 4 == 3;
    if (one_pass) options.engine = audit::EngineChoice::one_pass;
    watcher_->begin_audit();
    std::optional<audit::AuditResult> result;
    try {
        result = audit::run_audit(spec_, {{"main", first_.store.get()}}, *this, options);
        watcher_->end_audit(*result);
        for (const auto& index : result->coverage.indexes) {
            if (index.settled > 0) events_.add(Event::settled);
        }
        for (const auto& finding : result->findings) note("found " + tests::word(finding));
    } catch (const store::Error& error) {
        note(std::string{"the audit failed: "} + error.what());
    } catch (const Killed&) {
        note("the audit was killed");
    }
    faults_ = false;
    first_.store->stale_ms = 0;
    first_.store->repeats_a_page = false;
    return result;
}

repair::Plan World::plan(const audit::AuditResult& result) const {
    repair::PlanOptions options;
    options.now_ms = now_ms_;
    options.tool_version = IDXFSCK_VERSION;
    // By way of the file, as a person would review it.
    return repair::read_plan(repair::write_plan(repair::make_plan(spec_, result, options)));
}

void World::count(const repair::RepairResult& result) {
    for (const repair::OperationResult& one : result.operations) {
        note("  " + one.id + " " + std::string{repair::outcome_name(one.outcome)} + ": " + one.why);
        if (one.outcome == Outcome::superseded) events_.add(Event::superseded);
        if (one.outcome == Outcome::held) events_.add(Event::delete_held);
        if (one.outcome == Outcome::ineffective) events_.add(Event::ineffective);
        if (one.outcome == Outcome::already) events_.add(Event::already);
        const bool found = one.outcome == Outcome::applied && !one.why.empty();
        if (found) events_.add(Event::found_lost_write);
    }
}

ToolEnd World::run(Tool& tool, JournalDisk& disk, const repair::JournalHeader& header,
                   const std::function<repair::RepairResult(repair::Journal&)>& work) {
    ToolEnd end;
    if (in_doubt(disk)) events_.add(Event::recovered);
    const auto call = [&](const std::string& words) { return journal_call(tool, words); };
    try {
        repair::Journal journal{
            std::make_unique<JournalDiskFile>(disk, call, random_.branch(now_ms_)), header};
        end.result = work(journal);
        count(*end.result);
    } catch (const Killed&) {
        end.killed = true;
        events_.add(tool.undoing ? Event::undo_killed : Event::killed);
        if (random_.happens(0.5) && disk.crash(random_)) events_.add(Event::journal_torn);
    } catch (const store::Error& error) {
        end.error = error.what();
        note(std::string{"the tool failed: "} + error.what());
    }
    return end;
}

ToolEnd World::repair(Tool& tool, const repair::Plan& plan, bool faults) {
    note(tool.party == Party::first_tool ? "the repair begins" : "a second repair begins");
    tool.undoing = false;
    watch(tool, Phase::repair);
    faults_ = faults;
    repair::RepairOptions options;
    options.apply = true;
    options.group_max = settings_.group_max;
    const repair::Stores stores{{"main", {tool.store.get(), tool.store.get()}}};
    const repair::JournalHeader header{"repair",           repair::plan_digest(plan), spec_.digest,
                                       plan.header.stores, 1,                         "0.1.0"};
    repair::check_plan(plan, spec_, repair::readers_of(stores), {}, now_ms_);
    const ToolEnd end = run(tool, tool.journal, header, [&](repair::Journal& journal) {
        return repair::run_repair(plan, spec_, stores, &journal, *this, options);
    });
    watcher_->end_repair(tool.party, end.clean());
    tool.seen_versions = tool.store->seen_versions();
    return end;
}

ToolEnd World::undo(Tool& tool, bool faults) {
    note("the undo begins");
    const auto contents = repair::read_journal(tool.journal.text());
    ToolEnd end;
    end.result = repair::RepairResult{};
    if (!contents) return end;
    tool.undoing = true;
    watch(tool, Phase::undo);
    faults_ = faults;
    repair::UndoOptions options;
    options.apply = true;
    options.group_max = settings_.group_max;
    const repair::Stores stores{{"main", {tool.store.get(), tool.store.get()}}};
    end = run(tool, tool.undo_journal, repair::undo_header(*contents, 1, "0.1.0"),
              [&](repair::Journal& journal) {
                  return repair::run_undo(*contents, stores, &journal, options);
              });
    if (end.result && end.result->count(Outcome::superseded) > 0) events_.add(Event::undo_kept);
    return end;
}

void World::begin_second(std::function<void()> body) { second_.emplace(std::move(body)); }

void World::finish_second() {
    while (has_second()) {
        second_runs_ = true;
        second_->resume();
        second_runs_ = false;
        if (application_.has_work() && fate_.others_go()) step_of_others();
    }
    second_.reset();
}

}  // namespace idxfsck::simulation
