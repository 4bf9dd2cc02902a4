#include "repair/live_view.hpp"

#include <algorithm>

#include "audit/spellings.hpp"
#include "audit/store_facts.hpp"
#include "store/error.hpp"

namespace idxfsck::repair {

namespace {

std::map<std::string, audit::StoreFacts> facts_of(const audit::Spec& spec, const Stores& stores) {
    std::map<std::string, audit::StoreFacts> facts;
    for (const auto& [name, access] : stores) {
        facts[name] = audit::facts_of(spec, name, *access.reader);
    }
    return facts;
}

// An older key version is compiled with its index.
std::vector<std::string> families_of(const audit::Spec& spec,
                                     const std::vector<std::string>& indexes) {
    std::vector<std::string> families;
    for (const std::string& name : indexes) {
        const audit::IndexSpec* const index = spec.index(name);
        families.push_back(index == nullptr ? name : index->family());
    }
    return families;
}

const store::Row* pointer_to(const std::optional<store::Row>& row) { return row ? &*row : nullptr; }

}  // namespace

store::Bytes RowAddress::bytes() const {
    store::Bytes bytes;
    for (const std::string& part : {store, table}) {
        store::append_varint(bytes, part.size());
        bytes.append(part);
    }
    for (const store::Value& component : key) store::append_element(bytes, component);
    return bytes;
}

LiveView::LiveView(const audit::Spec& spec, const Stores& stores,
                   const std::vector<std::string>& indexes, std::int64_t now_ms)
    : stores_{stores},
      programs_{audit::compile(spec, facts_of(spec, stores), families_of(spec, indexes), now_ms)},
      interpreter_{programs_} {
    for (std::size_t index = 0; index < programs_.indexes.size(); ++index) {
        places_[programs_.indexes[index].program->spec().name] = index;
    }
}

std::size_t LiveView::place(const std::string& index) const {
    const auto found = places_.find(index);
    store::ensure(found != places_.end(), "the live view is asked about indexes that it knows");
    return found->second;
}

const audit::CompiledBase& LiveView::base(const std::string& index) const {
    return programs_.bases.at(programs_.indexes.at(place(index)).base);
}

const audit::IndexProgram& LiveView::program(const std::string& index) const {
    return *programs_.indexes.at(place(index)).program;
}

const audit::BaseProgram& LiveView::base_program(const std::string& index) const {
    return *base(index).program;
}

const store::Projection& LiveView::base_projection(const std::string& index) const {
    return programs_.tables.at(base(index).table).projection;
}

RowAddress LiveView::base_row(const std::string& index, const store::Key& key) const {
    const audit::BaseSpec& spec = base_program(index).spec();
    return {spec.store, spec.table, key};
}

RowAddress LiveView::index_row(const std::string& index, const store::Key& key) const {
    const audit::IndexSpec& spec = program(index).spec();
    return {spec.store, spec.table, key};
}

RowAddress LiveView::entry_row(const Operation& operation) const {
    const audit::EntryLoan entry{operation.entry};
    const std::vector<store::Key> keys = program(operation.index).rows_of(entry.view());
    // The audit may have found it in another place than where it would be written first.
    if (operation.index_row) {
        for (const store::Key& key : keys) {
            if (same_row_key(key, operation.index_row->key)) return index_row(operation.index, key);
        }
    }
    return index_row(operation.index, keys.empty() ? store::Key{} : keys.front());
}

bool LiveView::guards_reach_base(const std::string& index) const {
    const std::string& store_name = program(index).spec().store;
    // Whether two rows share a partition is the store's secret: that reach does not count.
    return store_name == base_program(index).spec().store &&
           store(store_name).reader->guard() == store::GuardReach::store;
}

std::vector<ReadRow> LiveView::read(const std::vector<RowAddress>& addresses) {
    std::map<std::pair<std::string, std::string>, std::vector<std::size_t>> batches;
    for (std::size_t index = 0; index < addresses.size(); ++index) {
        batches[{addresses[index].store, addresses[index].table}].push_back(index);
    }
    std::vector<ReadRow> answers(addresses.size());
    for (const auto& [table, batch] : batches) read_batch(addresses, batch, answers);
    return answers;
}

void LiveView::read_batch(const std::vector<RowAddress>& addresses,
                          const std::vector<std::size_t>& batch, std::vector<ReadRow>& answers) {
    const RowAddress& first = addresses[batch.front()];
    store::Reader& reader = *store(first.store).reader;
    std::vector<store::Key> keys;
    std::vector<std::size_t> owners;  // the answer that each key is for
    for (const std::size_t index : batch) {
        if (!audit::can_be_key(addresses[index].key)) continue;  // no row has that key
        for (store::Key& key : audit::spellings(addresses[index].key)) {
            keys.push_back(std::move(key));
            owners.push_back(index);
        }
    }
    try {
        // A writer's store shows a write only after refresh() if it has snapshots.
        if (reader.capabilities().snapshot && store(first.store).writer) reader.refresh();
        std::vector<std::optional<store::Row>> rows = reader.read(first.table, keys);
        store::ensure(rows.size() == keys.size(), "one answer for each key");
        for (std::size_t index = 0; index < rows.size(); ++index) {
            ReadRow& answer = answers[owners[index]];
            if (!answer.row) answer.row = std::move(rows[index]);
        }
    } catch (const store::Error& error) {
        if (batch.size() == 1) {
            answers[batch.front()].error = error.what();
            return;
        }
        // One key may be at fault: the others have a right to their answer.
        for (const std::size_t index : batch) read_batch(addresses, {index}, answers);
    }
}

BaseEvidence LiveView::see_base(const std::string& index, const std::optional<store::Row>& row) {
    audit::BaseReading reading = interpreter_.read_base(place(index), pointer_to(row));
    BaseEvidence evidence{reading.present, reading.row_class, std::move(reading.entries)};
    const bool of_other_kind =
        std::any_of(reading.damages.begin(), reading.damages.end(),
                    [](const audit::Damaged& damaged) { return is_of_kind(damaged.damage); });
    evidence.uncovered = reading.row_class == audit::RowClass::real &&
                         (of_other_kind || reading.derived == audit::Derived::uncovered);
    for (const std::size_t version : programs_.indexes[place(index)].versions) {
        if (!programs_.indexes[version].program->spec().tried_in_order) continue;
        for (audit::Entry& entry : interpreter_.read_base(version, pointer_to(row)).entries) {
            evidence.older.push_back(std::move(entry));
        }
    }
    return evidence;
}

IndexEvidence LiveView::see_index(const std::string& index, const std::optional<store::Row>& row) {
    audit::IndexReading reading = interpreter_.read_index(place(index), pointer_to(row));
    IndexEvidence evidence;
    evidence.present = row.has_value();
    evidence.owned = reading.owned;
    evidence.expired = reading.expired;
    evidence.readable = true;
    for (const audit::Damaged& damaged : reading.damages) {
        switch (damaged.damage) {
            case audit::Damage::container_empty:
            case audit::Damage::container_expires_early:
                break;
            case audit::Damage::container_full:
                evidence.full = true;
                break;
            default:
                evidence.readable = false;
        }
    }
    evidence.held = std::move(reading.entries);
    return evidence;
}

std::optional<store::Key> LiveView::locate(const std::string& index,
                                           const audit::Entry& entry) const {
    return interpreter_.locate(place(index), entry);
}

}  // namespace idxfsck::repair
