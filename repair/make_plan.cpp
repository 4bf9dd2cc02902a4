#include "repair/make_plan.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>

#include "audit/slot.hpp"
#include "repair/draft.hpp"
#include "store/error.hpp"

namespace idxfsck::repair {

namespace {

using audit::Finding;

// An operation and the finding that it came from.
struct Drafted {
    Operation operation;
    const Finding* finding = nullptr;
};

std::vector<const Finding*> in_report_order(const audit::AuditResult& result) {
    std::vector<const Finding*> findings;
    findings.reserve(result.findings.size());
    for (const Finding& finding : result.findings) findings.push_back(&finding);
    const auto before = [](const Finding* a, const Finding* b) {
        return audit::report_order(*a, *b);
    };
    std::stable_sort(findings.begin(), findings.end(), before);
    return findings;
}

std::vector<Drafted> draft_all(const audit::Spec& spec, const Survey& survey,
                               const std::vector<const Finding*>& findings) {
    std::vector<Drafted> drafts;
    drafts.reserve(findings.size());
    for (const Finding* finding : findings) {
        if (auto operation = draft(spec, survey, *finding)) {
            drafts.push_back({std::move(*operation), finding});
        }
    }
    return drafts;
}

// One write for a row or member. The others would find the row changed by it.
void keep_one_for_each_slot(const audit::Spec& spec, std::vector<Drafted>& drafts) {
    std::unordered_set<store::Bytes> taken;
    for (Drafted& drafted : drafts) {
        Operation& operation = drafted.operation;
        if (operation.kind == OperationKind::manual) continue;
        if (!taken.insert(audit::slot_of(*spec.index(operation.index), operation.entry)).second) {
            make_manual(operation, "another operation writes this key: audit again after it");
        }
    }
}

// A move shows as an add and a delete of one base row: the delete waits for all adds of that row,
// and is a person's where one of them is.
void order_moves(const audit::Spec& spec, std::vector<Drafted>& drafts) {
    // An entry under an older key version moves to one under the current.
    const auto family = [&](const std::string& name) { return spec.index(name)->family(); };
    struct Adds {
        std::vector<std::string> ids;
        bool manual = false;
    };
    std::unordered_map<store::Bytes, Adds> adds_of_base;
    for (const Drafted& drafted : drafts) {
        const Operation& operation = drafted.operation;
        const bool orphan = drafted.finding->kind == audit::FindingKind::orphaned_write;
        if (!orphan || !operation.base) continue;
        Adds& entry = adds_of_base[base_of(family(operation.index), operation.base->key)];
        if (operation.kind == OperationKind::manual) entry.manual = true;
        else entry.ids.push_back(operation.id);
    }
    for (Drafted& drafted : drafts) {
        Operation& operation = drafted.operation;
        if (!deletes(operation.kind) || !operation.base) continue;
        const auto found = adds_of_base.find(base_of(family(operation.index), operation.base->key));
        if (found == adds_of_base.end()) continue;
        operation.after = found->second.ids;
        if (!found->second.manual) continue;
        make_manual(operation, "its base row needs an entry that a person has to decide on first");
        set_id(operation);
    }
}

int rank(OperationKind kind) {
    switch (kind) {
        case OperationKind::put_entry:
        case OperationKind::add_member:
            return 0;
        case OperationKind::replace_entry:
            return 1;
        case OperationKind::fix_copies:
            return 2;
        case OperationKind::remove_member:
        case OperationKind::delete_entry:
            return 3;
        case OperationKind::manual:
            return 4;
    }
    return 4;
}

bool wanted(const PlanOptions& options, const Drafted& drafted) {
    if (options.no_deletes && deletes(drafted.operation.kind)) return false;
    return options.kinds.empty() || std::find(options.kinds.begin(), options.kinds.end(),
                                              drafted.finding->kind) != options.kinds.end();
}

// Drafts are in the order in which they run, so what an operation waits for has been seen before
// it.
void choose(const PlanOptions& options, std::vector<Drafted>& drafts, Plan& plan) {
    std::unordered_set<std::string> chosen;
    const std::uint64_t most = options.limit.value_or(drafts.size());
    for (Drafted& drafted : drafts) {
        Operation& operation = drafted.operation;
        const bool writes = operation.kind != OperationKind::manual;
        const auto is_chosen = [&](const std::string& id) { return chosen.contains(id); };
        if (!wanted(options, drafted) || (writes && chosen.size() >= most) ||
            !std::all_of(operation.after.begin(), operation.after.end(), is_chosen)) {
            ++plan.header.left_out;
            continue;
        }
        if (writes) chosen.insert(operation.id);
        plan.header.deletes += deletes(operation.kind) ? 1 : 0;
        plan.operations.push_back(std::move(operation));
    }
    plan.header.operations = plan.operations.size();
}

PlanHeader header_of(const audit::AuditResult& result, const PlanOptions& options) {
    PlanHeader header;
    header.tool_version = options.tool_version;
    header.spec_file = options.spec_file;
    header.spec_digest = result.spec_digest;
    header.stores = result.stores;
    header.created_ms = options.now_ms;
    header.expires_ms = options.now_ms + options.valid_ms;
    header.findings = result.findings.size();
    for (const audit::IndexCoverage& index : result.coverage.indexes) {
        header.entries_held += index.entries_held;
    }
    return header;
}

}  // namespace

Plan make_plan(const audit::Spec& spec, const audit::AuditResult& result,
               const PlanOptions& options) {
    if (spec.digest != result.spec_digest) {
        throw store::Error{"the spec changed since the audit", store::Trouble::refused}
            .with("spec", spec.file)
            .hint("audit again with the spec as it is now");
    }
    Plan plan;
    plan.header = header_of(result, options);
    const Survey survey{spec, result};
    std::vector<Drafted> drafts = draft_all(spec, survey, in_report_order(result));
    keep_one_for_each_slot(spec, drafts);
    for (Drafted& drafted : drafts) set_id(drafted.operation);
    order_moves(spec, drafts);
    const auto before = [](const Drafted& a, const Drafted& b) {
        return rank(a.operation.kind) < rank(b.operation.kind);
    };
    std::stable_sort(drafts.begin(), drafts.end(), before);
    choose(options, drafts, plan);
    return plan;
}

}  // namespace idxfsck::repair
