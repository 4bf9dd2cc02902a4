#include "reports/why.hpp"

#include "audit/store_facts.hpp"
#include "reports/finding_text.hpp"
#include "reports/value_text.hpp"
#include "store/error.hpp"

namespace idxfsck::reports {

namespace {

using audit::Ruling;
using audit::Side;
using audit::Suspect;

audit::Programs compiled(const audit::Spec& spec, const audit::Readers& readers,
                         const std::string& index, std::int64_t now_ms) {
    std::map<std::string, audit::StoreFacts> facts;
    for (const auto& [name, reader] : readers) {
        facts[name] = audit::facts_of(spec, name, *reader);
    }
    return audit::compile(spec, facts, {index}, now_ms);
}

audit::TableReaders readers_of(const audit::Programs& programs, const audit::Readers& readers) {
    audit::TableReaders all;
    for (const audit::TableProgram& table : programs.tables) {
        all.push_back(readers.at(table.store));
    }
    return all;
}

std::string base_state(const audit::BaseReading& reading) {
    if (!reading.present) return "not there";
    if (reading.row_class == audit::RowClass::other) return "there, but of another kind";
    if (reading.row_class == audit::RowClass::partial) {
        return "there, but lacks what makes it real";
    }
    if (reading.row_class == audit::RowClass::expired) return "there, but expired";
    if (reading.row_class == audit::RowClass::expiring) return "there, about to expire";
    if (!reading.damages.empty()) return "there, with a value that cannot be a key";
    switch (reading.derived) {
        case audit::Derived::exempt: return "there, left out by the index";
        case audit::Derived::uncovered: return "there, and not covered by the index";
        case audit::Derived::entries: break;
    }
    return "there";
}

std::string index_state(const store::Row* row, const audit::IndexReading& reading) {
    if (row == nullptr) return "not there";
    return reading.owned ? "there" : "there, but no row of this index";
}

// Keys of base rows that derive an entry with a given key.
class ClaimantSink final : public store::RowSink, public audit::EntrySink {
public:
    ClaimantSink(const audit::BaseProgram& base, const audit::IndexProgram& index,
                 const store::Key& key)
        : base_{base}, index_{index} {
        wanted_.key = key;
    }

    void row(const store::RowView& row) override {
        scratch_.reset();
        if (base_.classify(row, scratch_) != audit::RowClass::real) return;
        derives_ = false;
        index_.derive(row, scratch_, *this);
        if (!derives_) return;
        store::Key& key = claimants_.emplace_back();
        for (const store::ValueView& component : row.key) key.emplace_back(component);
    }

    bool page_end(const store::Position&) override { return true; }

    void entry(const audit::EntryView& entry) override {
        derives_ = derives_ || audit::Entry{entry}.same_key(wanted_);
    }

    void damage(audit::Damage, store::BytesView) override {}

    std::vector<store::Key> take() { return std::move(claimants_); }

private:
    const audit::BaseProgram& base_;
    const audit::IndexProgram& index_;
    audit::Entry wanted_;
    audit::Scratch scratch_;
    bool derives_ = false;
    std::vector<store::Key> claimants_;
};

}  // namespace

std::string verdict_words(const WhyEntry& entry) {
    switch (entry.ruling) {
        case Ruling::settled: return "consistent";
        case Ruling::shared: return "consistent: served by the entry of another row (lossy)";
        case Ruling::legacy: return "consistent: served by an accepted older key version";
        case Ruling::uncovered: return "not judged: the index says nothing of such base rows";
        case Ruling::expiring: return "not judged: it is about to expire, or reserved until then";
        case Ruling::claim:
            return "the entry is there; whether other rows claim it too: look with --scan";
        case Ruling::unclaimed: return "names no base row; who calls for it: look with --scan";
        case Ruling::finding: break;
    }
    const std::string cause = cause_name(entry.finding);
    return std::string{kind_name(entry.finding.kind)} + (cause.empty() ? "" : ": " + cause);
}

std::vector<const audit::Finding*> WhyAnswer::findings() const {
    std::vector<const audit::Finding*> all;
    for (const WhyEntry& entry : entries) {
        if (entry.ruling == Ruling::finding) all.push_back(&entry.finding);
    }
    return all;
}

bool WhyAnswer::undecided() const {
    if (entries.empty() && !of_base) return !looked_through;
    for (const WhyEntry& entry : entries) {
        if (entry.ruling == Ruling::unclaimed || entry.ruling == Ruling::claim) return true;
    }
    return false;
}

WhyLook::WhyLook(const audit::Spec& spec, const audit::Readers& readers, const std::string& index,
                 std::int64_t now_ms)
    : programs_{compiled(spec, readers, index, now_ms)},
      readers_{reports::readers_of(programs_, readers)},
      rows_{programs_, readers_},
      interpreter_{programs_} {}

const audit::TableProgram& WhyLook::base_table() const {
    return programs_.tables[programs_.bases[programs_.indexes[0].base].table];
}

const audit::TableProgram& WhyLook::index_table() const {
    return programs_.tables[programs_.indexes[0].table];
}

void WhyLook::check_size(const store::Key& key, const store::TableSchema& schema) const {
    if (key.size() == schema.key.size()) return;
    std::string names;
    for (const store::Bytes& name : schema.key) {
        names.append(names.empty() ? "" : ", ").append(name);
    }
    throw store::Error{"the key has another number of components", store::Trouble::usage}
        .with("table", schema.name)
        .with("components", names)
        .hint("give a JSON array with one value for each");
}

const store::Row* WhyLook::read(std::size_t table, const store::Key& key) {
    rows_.want(table, key);
    rows_.fetch();
    return rows_.row(table, key);
}

WhyAnswer WhyLook::by_row(const store::Key& key) {
    const audit::TableProgram& table = base_table();
    check_size(key, table.schema);
    const std::size_t number = programs_.bases[programs_.indexes[0].base].table;
    const auto reading = interpreter_.read_base(0, read(number, key));
    WhyAnswer answer;
    answer.index = programs_.indexes[0].program->spec().name;
    answer.table = table.schema.name;
    answer.key = key;
    answer.of_base = true;
    answer.state = base_state(reading);
    std::vector<Suspect> suspects;
    for (const audit::Entry& entry : reading.entries) {
        suspects.push_back({0, Side::base, false, entry, key, 0});
    }
    if (!reading.damages.empty()) suspects.push_back({0, Side::base, true, {}, key, 0});
    judge_all(std::move(suspects), answer);
    return answer;
}

WhyAnswer WhyLook::by_key(const store::Key& key, bool look_through) {
    const audit::TableProgram& table = index_table();
    check_size(key, table.schema);
    const store::Row* row = read(programs_.indexes[0].table, key);
    const auto reading = interpreter_.read_index(0, row);
    WhyAnswer answer;
    answer.index = programs_.indexes[0].program->spec().name;
    answer.table = table.schema.name;
    answer.key = key;
    answer.state = index_state(row, reading);
    std::vector<Suspect> suspects;
    for (const audit::Entry& entry : reading.entries) {
        suspects.push_back({0, Side::index, false, entry, key, 0});
    }
    if (!reading.damages.empty()) suspects.push_back({0, Side::index, true, {}, key, 0});
    if (look_through) {
        answer.looked_through = true;
        answer.claimants = claimants_of(key);
    }
    judge_all(std::move(suspects), answer);
    if (look_through) weigh_claimants(answer);
    return answer;
}

void WhyLook::judge_all(std::vector<Suspect> suspects, WhyAnswer& answer) {
    audit::Judge judge{programs_, rows_};
    for (const Suspect& suspect : suspects) judge.want(rows_, suspect);
    rows_.fetch();
    for (const Suspect& suspect : suspects) judge.want_holder(rows_, suspect);
    rows_.fetch();
    for (const Suspect& suspect : suspects) answer.entries.push_back(explained(suspect, judge));
}

WhyEntry WhyLook::explained(const Suspect& suspect, audit::Judge& judge) {
    audit::Outcome outcome = judge.judge(suspect);
    WhyEntry explained;
    explained.entry = suspect.entry;
    explained.ruling = outcome.ruling;
    // Of a unique claim that names nobody: whether another row claims it too, only a look through
    // the base table can tell.
    if (outcome.ruling == Ruling::claim && !outcome.entry_there) explained.ruling = Ruling::finding;
    explained.finding = std::move(outcome.finding);
    if (suspect.side == Side::base || suspect.damaged) return explained;
    const auto base_key = interpreter_.locate(0, suspect.entry);
    if (!base_key) return explained;
    const std::size_t table = programs_.bases[programs_.indexes[0].base].table;
    const auto reading = interpreter_.read_base(0, rows_.row(table, *base_key));
    explained.owner = key_text(*base_key) + ", " + base_state(reading);
    for (const audit::Entry& entry : reading.entries) {
        explained.calls.push_back(key_text(entry.key));
    }
    return explained;
}

std::vector<store::Key> WhyLook::claimants_of(const store::Key& key) const {
    const std::size_t number = programs_.bases[programs_.indexes[0].base].table;
    const audit::TableProgram& table = base_table();
    const auto& base = programs_.bases[programs_.indexes[0].base];
    ClaimantSink sink{*base.program, *programs_.indexes[0].program, key};
    store::ScanOptions options;
    options.projection = &table.projection;
    for (const store::Partition& partition : readers_[number]->split(table.schema.name, 1)) {
        readers_[number]->scan(table.schema.name, partition, options, sink);
    }
    return sink.take();
}

// What the look through the base table adds: who calls for an entry that names nobody, and rows
// whose entry is not there.
void WhyLook::weigh_claimants(WhyAnswer& answer) {
    for (WhyEntry& entry : answer.entries) {
        if (entry.ruling != Ruling::unclaimed) continue;
        entry.ruling = answer.claimants.empty() ? Ruling::finding : Ruling::settled;
    }
    for (const store::Key& claimant : answer.claimants) {
        for (WhyEntry& entry : by_row(claimant).entries) {
            if (entry.ruling == Ruling::settled || entry.ruling == Ruling::claim) continue;
            const bool same = entry.finding.entry.key == answer.key;
            if (same) answer.entries.push_back(std::move(entry));
        }
    }
}

}  // namespace idxfsck::reports
