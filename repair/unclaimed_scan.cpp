#include "repair/unclaimed_scan.hpp"

#include <unordered_set>

#include "audit/scratch.hpp"
#include "store/error.hpp"

namespace idxfsck::repair {

namespace {

store::Bytes claim_bytes(const audit::EntryView& entry) {
    store::Bytes bytes;
    audit::append_entry_bytes(bytes, entry, false);
    return bytes;
}

// Derives the entries of each row that is real, or about to expire, and notes those asked about.
class ClaimSink : public store::RowSink, public audit::EntrySink {
public:
    ClaimSink(const LiveView& view, const std::string& index,
              std::unordered_set<store::Bytes>& unclaimed)
        : index_{view.program(index)}, base_{view.base_program(index)}, unclaimed_{unclaimed} {}

    void row(const store::RowView& row) override {
        const audit::RowClass what = base_.classify(row, scratch_);
        if (what == audit::RowClass::real) ++real_rows_;
        // One that is about to expire may have been renewed a moment ago: it keeps its claim.
        if (what != audit::RowClass::real && what != audit::RowClass::expiring) return;
        index_.derive(row, scratch_, *this);
    }
    bool page_end(const store::Position&) override { return true; }
    void damaged(store::BytesView) override { damaged_ = true; }

    void entry(const audit::EntryView& entry) override { unclaimed_.erase(claim_bytes(entry)); }
    void damage(audit::Damage, store::BytesView) override {}

    bool saw_rows() const { return real_rows_ > 0 || base_.spec().may_be_empty; }
    bool saw_damage() const { return damaged_; }

private:
    const audit::IndexProgram& index_;
    const audit::BaseProgram& base_;
    std::unordered_set<store::Bytes>& unclaimed_;
    audit::Scratch scratch_;
    std::uint64_t real_rows_ = 0;
    bool damaged_ = false;
};

bool scan_all(LiveView& view, const std::string& index, ClaimSink& sink) {
    const audit::BaseSpec& base = view.base_program(index).spec();
    store::Reader& reader = *view.store(base.store).reader;
    if (reader.capabilities().snapshot) reader.refresh();
    store::ScanOptions options;
    options.projection = &view.base_projection(index);
    for (const store::Partition& partition : reader.split(base.table, 1)) {
        if (reader.scan(base.table, partition, options, sink) != store::ScanEnd::complete) {
            return false;
        }
    }
    return sink.saw_rows() && !sink.saw_damage();
}

}  // namespace

std::optional<std::vector<bool>> scan_unclaimed(LiveView& view, const std::string& index,
                                                const std::vector<audit::Entry>& entries) {
    std::vector<store::Bytes> claims;
    for (const audit::Entry& entry : entries) {
        claims.push_back(claim_bytes(audit::EntryLoan{entry}.view()));
    }
    std::unordered_set<store::Bytes> unclaimed{claims.begin(), claims.end()};
    ClaimSink sink{view, index, unclaimed};
    try {
        if (!scan_all(view, index, sink)) return std::nullopt;
    } catch (const store::Error&) {
        // The deletes are held, which says so; the store's words come with the next read of a row.
        return std::nullopt;
    }
    std::vector<bool> answers;
    for (const store::Bytes& claim : claims) answers.push_back(unclaimed.contains(claim));
    return answers;
}

}  // namespace idxfsck::repair
