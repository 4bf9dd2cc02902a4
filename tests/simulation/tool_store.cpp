#include "tests/simulation/tool_store.hpp"

#include <set>

#include "store/error.hpp"
#include "store/key_codec.hpp"
#include "tests/audit/world.hpp"

namespace idxfsck::simulation {

// Between a scan of the memory store and the sink of the tool: puts the past in place of the
// present.
class PastSink : public store::RowSink {
public:
    PastSink(const ToolStore& store, const store::TableSchema& schema,
             const store::Projection& projection, store::RowSink& sink)
        : store_{store},
          schema_{schema},
          projection_{projection},
          projector_{schema.key, projection},
          sink_{sink} {}

    void row(const store::RowView& view) override {
        pass_on_page_end();
        if (stopped_) return;
        store::Row row;
        for (const store::ValueView& part : view.key) row.key.emplace_back(part);
        row.attributes = view.attributes;
        row.version = view.version;
        const RowName name = name_of(schema_.name, row.key);
        seen_.insert(name);
        hand_over(as_was(name, row));
    }

    // Passed on when the next rows come: rows that are gone still belong before the last one.
    bool page_end(const store::Position& position) override {
        pass_on_page_end();
        if (stopped_) return false;
        page_end_ = position;
        store_.hooks_.switch_point(Call::read);
        if (std::exchange(repeat, false)) {
            throw store::Error{"the scan came to a position for the second time"}
                .with("table", schema_.name);
        }
        return true;
    }

    store::ScanEnd finish(const store::KeyRange& range, store::ScanEnd end) {
        if (end == store::ScanEnd::complete && !stopped_) show_the_gone(range);
        pass_on_page_end();
        return stopped_ ? store::ScanEnd::stopped : end;
    }

    bool repeat = false;

private:
    void pass_on_page_end() {
        const std::optional<store::Position> position = std::exchange(page_end_, std::nullopt);
        if (position && !sink_.page_end(*position)) stopped_ = true;
    }

    // Rows that are gone by now, but may not be for a scan that lags.
    void show_the_gone(const store::KeyRange& range) {
        if (store_.stale_ms == 0) return;
        for (const RowName& name : store_.ground_.changed_rows(schema_.name)) {
            if (seen_.contains(name) || name.second < range.begin) continue;
            if (!range.end.empty() && name.second >= range.end) continue;
            hand_over(as_was(name, std::nullopt));
        }
    }

    std::optional<store::Row> as_was(const RowName& name, std::optional<store::Row> now) const {
        const auto* past = store_.ground_.past(name);
        if (store_.stale_ms == 0 || past == nullptr || !store_.random_.happens(0.5)) return now;
        const std::int64_t lag_ms = store_.random_.between(0, store_.stale_ms);
        const std::int64_t then_ms = store_.hooks_.now_ms() - lag_ms;
        std::optional<store::Row> row = past->front().row;
        for (const Ground::Past& state : *past) {
            if (state.at_ms <= then_ms) row = state.row;
        }
        if (row != now) store_.hooks_.on_stale();
        return row;
    }

    void hand_over(const std::optional<store::Row>& row) {
        if (!row) return;
        store::RowView view = projector_.project(*row);
        if (!projection_.all) view.attributes = {};
        sink_.row(view);
    }

    const ToolStore& store_;
    const store::TableSchema& schema_;
    const store::Projection& projection_;
    store::Projector projector_;
    store::RowSink& sink_;
    std::set<RowName> seen_;
    std::optional<store::Position> page_end_;
    bool stopped_ = false;
};

std::optional<std::uint64_t> ToolStore::last_look(const RowName& row) const {
    const auto found = looks_.find(row);
    return found == looks_.end() ? std::nullopt : std::optional{found->second};
}

Fault ToolStore::begin(Call call, const std::string& words) const {
    hooks_.switch_point(call);
    const Fault fault = hooks_.fault(call);
    if (hooks_.trace) hooks_.trace(words);
    if (fault != Fault::none) hooks_.on_fault(fault);
    if (fault == Fault::killed_before) throw Killed{};
    if (fault == Fault::throttled) {
        throw store::Error{"the store has too much to do: try later"};
    }
    return fault;
}

void ToolStore::end(Fault fault) const {
    if (fault == Fault::killed_after) throw Killed{};
    if (fault == Fault::lost_reply) throw store::Error{"the reply was lost"};
}

store::ScanEnd ToolStore::scan(store::BytesView table, const store::Partition& partition,
                               const store::ScanOptions& options, store::RowSink& sink) const {
    const Fault fault = begin(Call::read, "scans " + std::string{table});
    const auto schema = ground_.memory().table(table);
    const store::Projection whole{{}, true};
    const store::Projection& projection = options.projection ? *options.projection : whole;
    PastSink past{*this, *schema, projection, sink};
    past.repeat = repeats_a_page;
    store::ScanOptions all = options;
    all.projection = &whole;
    all.page_rows_max = page_rows;
    const store::ScanEnd scanned = ground_.memory().scan(table, partition, all, past);
    const store::ScanEnd ended = past.finish(store::parse_partition(partition), scanned);
    end(fault);
    return ended;
}

std::vector<std::optional<store::Row>> ToolStore::read(store::BytesView table,
                                                       std::span<const store::Key> keys) const {
    std::vector<std::optional<store::Row>> rows;
    for (const store::Key& key : keys) {
        const std::string words = "reads " + std::string{table} + " " + tests::word(key);
        const Fault fault = begin(Call::read, words);
        rows.push_back(read_one(table, key));
        end(fault);
    }
    return rows;
}

std::optional<store::Row> ToolStore::read_one(store::BytesView table,
                                              const store::Key& key) const {
    auto row = ground_.memory().read(table, std::span{&key, 1}).front();
    const RowName name = name_of(std::string{table}, key);
    looks_[name] = ground_.changes();
    if (row) versions_[name] = row->version;
    return row;
}

store::WriteOutcome ToolStore::write(const store::GuardedWrite& write) {
    const std::string words = write.after ? "writes " : "deletes ";
    const Fault fault = begin(Call::write, words + write.table + " " + tests::word(write.key));
    const store::WriteOutcome outcome = ground_.write(self_, write, hooks_.now_ms());
    hooks_.on_write(write, outcome);
    end(fault);
    return outcome;
}

void ToolStore::sync() { end(begin(Call::read, "syncs")); }

}  // namespace idxfsck::simulation
