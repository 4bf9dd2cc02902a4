#include "audit/finish.hpp"

#include "audit/account.hpp"
#include "audit/cover.hpp"
#include "audit/doubts.hpp"
#include "audit/reconcile_pass.hpp"

namespace idxfsck::audit {

namespace {

// Do scan and confirmation of an index see one moment?
bool steady(const FinishContext& context, std::size_t number) {
    return !context.resumed && shares_snapshot(context.programs, context.readers, number);
}

class Finish {
public:
    Finish(const FinishContext& context, AuditResult& result)
        : context_{context},
          programs_{context.programs},
          engines_{context.engines},
          result_{result},
          scan_of_index_(context.programs.indexes.size(), &context.scan),
          scan_end_ms_{context.scan_end_ms} {}

    void run() {
        reconcile();
        find_doubtful();
        confirm_suspects();
    }

private:
    void reconcile() {
        context_.teller.tell("reconcile", 0);
        unmatched_ = run_reconcile_pass(engines_.reconcilers(), context_.pool);
        scan_exhausted_again();
        for (std::size_t number = 0; number < unmatched_.size(); ++number) {
            IndexCoverage& index = result_.coverage.indexes[number];
            index.engine = engines_.of(number).name();
            index.miss_probability =
                engines_.of(number).miss_probability(unmatched_[number].size());
            context_.teller.add_suspects(unmatched_[number].size());
        }
    }

    // More drift than a sketch can hold, or entries that do not tell their base row: once more,
    // into the exact engine.
    void scan_exhausted_again() {
        std::vector<bool> exhausted(programs_.indexes.size());
        bool any = false;
        for (std::size_t index = 0; index < exhausted.size(); ++index) {
            exhausted[index] =
                engines_.of(index).exhausted() ||
                !can_carry(*programs_.indexes[index].program, unmatched_[index]);
            any = any || exhausted[index];
        }
        if (!any) return;
        WalkSettings settings = context_.settings;
        settings.tables = walk_of(programs_, exhausted, false).tables;
        const std::vector<Reconciler*> exact = engines_.replace(exhausted);
        again_ = run_scan(programs_, context_.readers, exact, context_.pool, settings,
                          result_.seed);
        again_.walk.give_up(programs_, "the audit was stopped");
        auto& gaps = result_.coverage.gaps;
        gaps.insert(gaps.end(), again_.walk.gaps.begin(), again_.walk.gaps.end());
        auto unmatched = run_reconcile_pass(exact, context_.pool);
        // The answer comes from this scan, and so do its counts: a table may have moved meanwhile.
        std::vector<IndexCoverage> counted = cover_indexes(programs_, again_);
        for (std::size_t index = 0; index < exhausted.size(); ++index) {
            if (!exhausted[index]) continue;
            result_.coverage.indexes[index] = std::move(counted[index]);
            unmatched_[index] = std::move(unmatched[index]);
            scan_of_index_[index] = &again_;
        }
        scan_end_ms_ = context_.clock.now_ms();
    }

    void find_doubtful() {
        Doubts doubts = find_doubts(programs_, context_.scan);
        silenced_ = std::move(doubts.silenced);
        result_.coverage.doubts = std::move(doubts.doubts);
    }

    void confirm_suspects() {
        context_.teller.tell("confirm", 0);
        const ConfirmContext context{programs_,     context_.readers, context_.refreshable,
                                     context_.scan, scan_of_index_,   context_.pool,
                                     context_.clock, result_.seed,    scan_end_ms_,
                                     context_.resumed};
        Confirmation confirmation = confirm(context, unmatched_, silenced_);
        auto& gaps = result_.coverage.gaps;
        gaps.insert(gaps.end(), confirmation.gaps.begin(), confirmation.gaps.end());
        const Conclusion conclusion = conclude(programs_, std::move(confirmation.outcomes));
        result_.findings = conclusion.findings;
        for (std::size_t number = 0; number < programs_.indexes.size(); ++number) {
            account(result_.coverage, number, confirmation, conclusion, steady(context_, number));
        }
    }

    const FinishContext& context_;
    const Programs& programs_;
    Engines& engines_;
    AuditResult& result_;
    ScanResult again_;  // of the indexes whose sketch was exhausted
    std::vector<const ScanResult*> scan_of_index_;
    std::int64_t scan_end_ms_;
    std::vector<std::vector<Unmatched>> unmatched_;
    std::vector<bool> silenced_;
};

}  // namespace

void cover_scan(const Programs& programs, const ScanResult& scan, AuditResult& result) {
    result.coverage.tables = cover_tables(programs, scan);
    result.coverage.indexes = cover_indexes(programs, scan);
    result.coverage.gaps = find_gaps(programs, scan);
}

void finish_audit(const FinishContext& context, AuditResult& result) {
    Finish{context, result}.run();
}

bool steady_throughout(const FinishContext& context) {
    for (std::size_t number = 0; number < context.programs.indexes.size(); ++number) {
        if (!steady(context, number)) return false;
    }
    return true;
}

}  // namespace idxfsck::audit
