#include "play.hpp"

#include "repair/journal.hpp"
#include "repair/make_plan.hpp"
#include "repair/plan_json.hpp"
#include "tests/repair/journal_memory.hpp"

namespace idxfsck::tests {

namespace {

using store::Json;

store::Capabilities capabilities_of(const Json& settings) {
    store::Capabilities capabilities = store::memory_capabilities();
    if (settings.contains("max_key_bytes")) {
        capabilities.key_limits.bytes_max = settings["max_key_bytes"].get<std::size_t>();
    }
    capabilities.key_limits.empty_text = settings.value("empty_key_allowed", true);
    return capabilities;
}

// The pages of the index table, as the context of a case tells them.
Pages pages_of(const Json& settings) {
    if (!settings.contains("index_pages")) return Pages::plain;
    const Json& pages = settings["index_pages"];
    return pages.at(0) == pages.at(1) ? Pages::repeated : Pages::empty_first;
}

}  // namespace

Play::Play(const Case& of, audit::EngineChoice engine)
    : case_{of},
      engine_{engine},
      now_ms_{of.settings.contains("now_s") ? of.settings["now_s"].get<std::int64_t>() * 1000
                                            : clock_.now_ms()},
      schemas_{schemas_of(of.spec)},
      store_{capabilities_of(of.settings)},
      paged_{store_, pages_of(of.settings), usual_table(false)},
      base_rows_{typed(of.base_rows, usual_table(true))},
      index_rows_{typed(of.index_rows, usual_table(false))} {
    for (const store::TableSchema& schema : schemas_) store_.create_table(schema);
    load(base_rows_);
    load(index_rows_);
    clock_.on_wait = [this, happened = false]() mutable {
        if (happened || !case_.settings.contains("when_confirming")) return;
        happened = true;
        change(case_.settings["when_confirming"]);
    };
    if (!case_.settings.contains("apply_behaviour")) return;
    paged_.after_write = [this](const store::GuardedWrite& write) {
        store_.erase(write.table, write.key);
    };
}

std::string Play::usual_table(bool base) const {
    return base ? case_.spec.bases.front().table : case_.spec.indexes.front().table;
}

std::vector<std::optional<TypedRow>> Play::typed(const Json& rows, const std::string& table) {
    std::vector<std::optional<TypedRow>> all;
    for (const Json& row : rows) all.push_back(typed_row(row, table, schemas_, now_ms_ / 1000));
    return all;
}

void Play::load(const std::vector<std::optional<TypedRow>>& rows) {
    for (const auto& typed : rows) {
        if (typed) store_.put(typed->table, typed->row);
    }
}

void Play::change(const Json& changes) {
    for (const auto& [what, rows] : changes.items()) {
        const bool put = what.starts_with("put_");
        for (const auto& typed : typed(rows, usual_table(what.ends_with("_base")))) {
            if (put) store_.put(typed->table, typed->row);
            else store_.erase(typed->table, typed->row.key);
        }
    }
}

void Play::change_before_repair() {
    if (!case_.settings.contains("apply_time_state")) return;
    const Json& state = case_.settings["apply_time_state"];
    for (const store::TableSchema& schema : schemas_) {
        for (const store::Row& row : store_.rows(schema.name)) store_.erase(schema.name, row.key);
    }
    load(typed(state.at("base"), usual_table(true)));
    load(typed(state.at("index"), usual_table(false)));
}

audit::AuditResult Play::audit() {
    audit::AuditOptions options;
    options.engine = engine_;
    options.threads = 1;
    options.partitions = 2;
    options.seed = 11;
    options.as_of_ms = now_ms_;
    return audit::run_audit(case_.spec, {{"main", &paged_}}, clock_, options);
}

repair::Plan Play::plan(const audit::AuditResult& result) const {
    repair::PlanOptions options;
    options.now_ms = now_ms_;
    options.tool_version = IDXFSCK_VERSION;
    return repair::make_plan(case_.spec, result, options);
}

repair::RepairResult Play::repair(const repair::Plan& plan) {
    const std::string digest = repair::plan_digest(plan);
    const repair::JournalHeader header{
        "repair", digest, case_.spec.digest, plan.header.stores, 1, IDXFSCK_VERSION};
    repair::Journal journal{std::make_unique<MemoryJournalFile>(journals_[digest]), header};
    repair::RepairOptions options;
    options.apply = true;
    options.as_of_ms = now_ms_;
    return repair::run_repair(plan, case_.spec, {{"main", {&paged_, &paged_}}}, &journal, clock_,
                              options);
}

}  // namespace idxfsck::tests
