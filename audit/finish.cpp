#include "audit/finish.hpp"

#include "audit/account.hpp"
#include "audit/cover.hpp"
#include "audit/doubts.hpp"
#include "audit/moments.hpp"
#include "audit/reconcile_pass.hpp"
#include "audit/second_scan.hpp"

namespace idxfsck::audit {

namespace {

// Do scan and confirmation of an index see one moment?
bool steady(const FinishContext& context, std::size_t number) {
    return !context.resumed &&
           !looks_elsewhere(context.programs, context.readers, context.look_readers, number) &&
           shares_snapshot(context.programs, context.readers, number);
}

class Finish {
public:
    Finish(const FinishContext& context, AuditResult& result)
        : context_{context},
          programs_{context.programs},
          engines_{context.engines},
          result_{result},
          again_{context.programs, context.readers, context.engines, context.pool,
                 context.budget,   result.seed,     context.settings},
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
        account_page_books();
        differences_ = run_reconcile_pass(engines_.reconcilers(), context_.pool, context_.budget);
        for (std::size_t number = 0; number < differences_.size(); ++number) {
            result_.coverage.indexes[number].engine_reason = engine_reason(
                programs_, context_.readers, context_.choice, number, engines_.shape(number));
        }
        if (again_.run(differences_, result_.coverage, scan_of_index_)) {
            scan_end_ms_ = context_.clock.now_ms();
        }
        for (std::size_t number = 0; number < differences_.size(); ++number) {
            IndexCoverage& index = result_.coverage.indexes[number];
            index.engine = engines_.of(number).name();
            index.miss_probability =
                engines_.of(number).miss_probability(differences_[number].found_count());
            context_.teller.add_suspects(differences_[number].size());
        }
    }

    // They are needed until the last suspect is confirmed.
    void account_page_books() {
        for (const auto& worker : context_.scan.workers) {
            context_.budget.take(worker->book.bytes());
        }
    }

    void find_doubtful() {
        Doubts doubts = find_doubts(programs_, context_.scan);
        silenced_ = std::move(doubts.silenced);
        result_.coverage.doubts = std::move(doubts.doubts);
        say_estimates(engines_, result_.coverage);
    }

    void confirm_suspects() {
        context_.teller.tell("confirm", 0);
        const ConfirmContext context{programs_,        context_.readers, context_.look_readers,
                                     context_.refreshable, context_.scan, scan_of_index_,
                                     context_.pool,    context_.clock,   result_.seed,
                                     scan_end_ms_,     context_.resumed, context_.budget};
        Confirmation confirmation = confirm(context, differences_, silenced_);
        for (Differences& differences : differences_) differences.clear(context_.budget);
        for (std::size_t table = 0; table < result_.coverage.tables.size(); ++table) {
            result_.coverage.tables[table].pages_reread += confirmation.pages_reread[table];
        }
        auto& gaps = result_.coverage.gaps;
        gaps.insert(gaps.end(), confirmation.gaps.begin(), confirmation.gaps.end());
        Conclusion conclusion = conclude(programs_, std::move(confirmation.outcomes));
        result_.findings = conclusion.findings;
        for (std::size_t number = 0; number < programs_.indexes.size(); ++number) {
            account(result_.coverage, number, confirmation, conclusion, steady(context_, number));
        }
    }

    const FinishContext& context_;
    const Programs& programs_;
    Engines& engines_;
    AuditResult& result_;
    SecondScan again_;  // of the indexes whose sketch was exhausted
    std::vector<const ScanResult*> scan_of_index_;
    std::int64_t scan_end_ms_;
    std::vector<Differences> differences_;
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
