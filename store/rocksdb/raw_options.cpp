#include "store/rocksdb/raw_options.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include <rocksdb/comparator.h>
#include <rocksdb/convenience.h>
#include <rocksdb/merge_operator.h>
#include <rocksdb/utilities/options_util.h>

#include "store/rocksdb/rocksdb_error.hpp"

namespace idxfsck::store {

namespace {

namespace files = std::filesystem;

constexpr std::string_view could_not_load = "Could not load ";

// The part that this tool has not got, from RocksDB's complaint about it; "" if it is another one.
std::string foreign_part(const std::string& complaint) {
    const std::size_t at = complaint.find(could_not_load);
    return at == std::string::npos ? "" : complaint.substr(at + could_not_load.size());
}

// What the file of options says; nothing if there is none.
std::optional<OpenPlan> load(const std::string& path, rocksdb::Env* environment, bool strict) {
    rocksdb::ConfigOptions config;
    config.env = environment;
    config.ignore_unknown_options = !strict;
    config.ignore_unsupported_options = !strict;
    OpenPlan plan;
    const rocksdb::Status loaded =
        rocksdb::LoadLatestOptions(config, path, &plan.options, &plan.families);
    if (loaded.IsNotFound() || loaded.IsPathNotFound()) return std::nullopt;
    const std::string text = loaded.ToString();
    if (strict && !foreign_part(text).empty()) {
        throw Error{"the database is set up with what is not RocksDB's own: it can be audited, "
                    "not repaired", Trouble::usage}
            .with("store", path)
            .with("needs", foreign_part(text))
            .hint("repair through the application, or say `read_only = true` of the index");
    }
    if (strict && !loaded.ok()) {
        throw Error{"the options of the database are not all known here: it can be audited, not "
                    "repaired", Trouble::usage}
            .with("store", path)
            .with("cause", text);
    }
    check_status(loaded, path);
    return plan;
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out.append(out.empty() ? "" : ", ").append(word);
    return out;
}

void check_families(const std::set<Bytes>& wanted, const std::vector<std::string>& there,
                    const std::string& path) {
    for (const Bytes& name : wanted) {
        if (std::find(there.begin(), there.end(), name) != there.end()) continue;
        throw Error{"the database has no such column family", Trouble::usage}
            .with("store", path)
            .with("family", name)
            .hint("it has: " + joined(there));
    }
}

bool is_elsewhere(const std::string& folder, const std::string& path) {
    std::error_code ignored;
    return !folder.empty() && files::weakly_canonical(folder, ignored) !=
                                  files::weakly_canonical(path, ignored);
}

void settle_log(rocksdb::DBOptions& options, bool checkpoint, const std::string& path) {
    if (checkpoint) options.wal_dir.clear();
    if (!is_elsewhere(options.wal_dir, path)) return;
    throw Error{"the database keeps its log in another folder", Trouble::usage}
        .with("store", path)
        .with("log", options.wal_dir)
        .hint("audit a checkpoint of it, and say `checkpoint = true` of the store");
}

// The options that one view for reading needs, whatever the application needs for its work.
void settle_for_reading(rocksdb::DBOptions& options, rocksdb::Env* environment) {
    options.env = environment;
    options.info_log = null_logger();
    options.create_if_missing = false;
    options.create_missing_column_families = false;
    options.error_if_exists = false;
    // All files are opened at once: a compaction elsewhere may then delete them under a reader.
    options.max_open_files = -1;
    options.skip_stats_update_on_db_open = true;
    options.paranoid_checks = true;
    options.best_efforts_recovery = false;
    // What RocksDB does if nothing is said is to leave out, without a word, everything in the log
    // behind a record that it cannot read. A record that is not whole at its end is no fault: the
    // application is writing it.
    options.wal_recovery_mode = rocksdb::WALRecoveryMode::kTolerateCorruptedTailRecords;
    options.use_direct_reads = false;
    options.allow_mmap_reads = false;
    options.persist_stats_to_disk = false;
    options.stats_dump_period_sec = 0;
    options.stats_persist_period_sec = 0;
}

// Stands in where there is no merge operator, or one that this tool has not got: operands in the
// log are then kept, and reading a row that holds some fails.
class NoMerge final : public rocksdb::MergeOperator {
public:
    const char* Name() const override { return "idxfsck.NoMerge"; }
    bool FullMergeV2(const MergeOperationInput&, MergeOperationOutput*) const override {
        return false;
    }
};

void check_comparator(const rocksdb::Comparator* comparator, const std::string& path) {
    if (comparator == rocksdb::BytewiseComparator() ||
        comparator == rocksdb::ReverseBytewiseComparator()) {
        return;
    }
    throw Error{"the database sorts its keys by a comparator that cannot be read", Trouble::usage}
        .with("store", path)
        .with("comparator", comparator->Name())
        .hint("only the bytewise comparator and its reverse can be read");
}

// The family as loaded, or as RocksDB has it where nothing is said.
rocksdb::ColumnFamilyDescriptor family_of(const OpenPlan& loaded, const std::string& name) {
    for (const rocksdb::ColumnFamilyDescriptor& family : loaded.families) {
        if (family.name == name) return family;
    }
    return {name, rocksdb::ColumnFamilyOptions{}};
}

OpenPlan plan_for_reading(const RawOpening& opening, const std::string& path,
                          rocksdb::Env* environment) {
    const OpenPlan loaded = load(path, environment, false).value_or(OpenPlan{});
    OpenPlan plan{loaded.options, {}};
    settle_log(plan.options, opening.checkpoint, path);
    settle_for_reading(plan.options, environment);
    const std::vector<std::string> there = family_names(plan.options, path);
    check_families(opening.families, there, path);
    for (const std::string& name : there) {
        const bool wanted =
            name == rocksdb::kDefaultColumnFamilyName || opening.families.contains(name);
        if (!wanted) continue;
        rocksdb::ColumnFamilyOptions& options =
            plan.families.emplace_back(family_of(loaded, name)).options;
        check_comparator(options.comparator, path);
        options.max_successive_merges = 0;
        if (!options.merge_operator) options.merge_operator = std::make_shared<NoMerge>();
    }
    return plan;
}

OpenPlan plan_for_writing(const RawOpening& opening, const std::string& path,
                          rocksdb::Env* environment) {
    std::optional<OpenPlan> plan = load(path, environment, true);
    const std::vector<std::string> there =
        plan ? family_names(plan->options, path) : std::vector<std::string>{};
    const auto described = [&](const std::string& name) {
        return std::any_of(plan->families.begin(), plan->families.end(),
                           [&](const auto& family) { return family.name == name; });
    };
    if (!plan || !std::all_of(there.begin(), there.end(), described)) {
        throw Error{"the database has no file of its options: it can be audited, not repaired",
                    Trouble::usage}
            .with("store", path);
    }
    if (opening.checkpoint) {
        throw Error{"a checkpoint is audited, not repaired", Trouble::usage}
            .with("store", path)
            .hint("repair the database that it was made of, with a plan made for that");
    }
    check_families(opening.families, there, path);
    plan->options.info_log = null_logger();
    plan->options.error_if_exists = false;
    return std::move(*plan);
}

}  // namespace

std::string raw_foreign_part(const std::string& path) {
    rocksdb::ConfigOptions config;
    config.ignore_unsupported_options = false;
    OpenPlan plan;
    return foreign_part(
        rocksdb::LoadLatestOptions(config, path, &plan.options, &plan.families).ToString());
}

MakePlan raw_reading_plan(RawOpening opening) {
    return [opening = std::move(opening)](const std::string& path, rocksdb::Env* environment) {
        return plan_for_reading(opening, path, environment);
    };
}

MakePlan raw_writing_plan(RawOpening opening) {
    return [opening = std::move(opening)](const std::string& path, rocksdb::Env* environment) {
        return plan_for_writing(opening, path, environment);
    };
}

}  // namespace idxfsck::store
