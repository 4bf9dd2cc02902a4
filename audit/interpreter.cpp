#include "audit/interpreter.hpp"

#include "store/digest.hpp"

namespace idxfsck::audit {

namespace {

class KeepSink : public EntrySink {
public:
    KeepSink(std::vector<Entry>& entries, std::vector<Damaged>& damages)
        : entries_{entries}, damages_{damages} {}

    void entry(const EntryView& entry) override { entries_.emplace_back(entry); }
    void damage(Damage damage, store::BytesView attribute) override {
        damages_.push_back({damage, std::string{attribute}});
    }

private:
    std::vector<Entry>& entries_;
    std::vector<Damaged>& damages_;
};

const Entry* find_claim(const std::vector<Entry>& entries, const Entry& wanted) {
    for (const Entry& entry : entries) {
        if (entry.same_claim(wanted)) return &entry;
    }
    return nullptr;
}

}  // namespace

const Entry* BaseReading::claim(const Entry& entry) const { return find_claim(entries, entry); }

const Entry* IndexReading::claim(const Entry& entry) const { return find_claim(entries, entry); }

Interpreter::Interpreter(const Programs& programs) : programs_{programs} {
    for (const TableProgram& table : programs.tables) {
        projectors_.emplace_back(table.schema.key, table.projection);
    }
}

BaseReading Interpreter::read_base(std::size_t index, const store::Row* row) {
    BaseReading reading;
    if (row == nullptr) return reading;
    const std::size_t base = programs_.indexes[index].base;
    const store::RowView view = projectors_[programs_.bases[base].table].project(*row);
    reading.present = true;
    reading.row_class = programs_.bases[base].program->classify(view, scratch_);
    if (reading.row_class != RowClass::real) return reading;
    KeepSink sink{reading.entries, reading.damages};
    reading.derived = programs_.indexes[index].program->derive(view, scratch_, sink);
    return reading;
}

IndexReading Interpreter::read_index(std::size_t index, const store::Row* row) {
    IndexReading reading;
    if (row == nullptr) return reading;
    const IndexProgram& program = *programs_.indexes[index].program;
    const store::RowView view = projectors_[programs_.indexes[index].table].project(*row);
    reading.owned = program.owns(view, scratch_);
    if (!reading.owned) {
        reading.expired = program.expired(view, scratch_);
        return reading;
    }
    KeepSink sink{reading.entries, reading.damages};
    program.decode(view, scratch_, sink);
    return reading;
}

bool Interpreter::accusable(std::size_t index, const store::Row& row) {
    const store::RowView view = projectors_[programs_.indexes[index].table].project(row);
    return programs_.indexes[index].program->accusable(view, scratch_);
}

bool Interpreter::expires_before(std::size_t index, const store::Row& container,
                                 const store::Row& base) {
    const CompiledIndex& compiled = programs_.indexes[index];
    const auto of_container = compiled.program->expires_ms(
        projectors_[compiled.table].project(container), scratch_);
    const CompiledBase& of_base = programs_.bases[compiled.base];
    const auto of_member =
        of_base.program->expires_ms(projectors_[of_base.table].project(base), scratch_);
    return of_container && (!of_member || *of_member > *of_container);
}

std::optional<store::Key> Interpreter::locate(std::size_t index, const Entry& entry) const {
    return programs_.indexes[index].program->locate(EntryLoan{entry}.view());
}

SeenRow Interpreter::seen_base(std::size_t index, const store::Key& key,
                               const store::Row* row) const {
    const CompiledIndex& compiled = programs_.indexes[index];
    const std::size_t table = programs_.bases[compiled.base].table;
    SeenRow seen{programs_.tables[table].schema.name, key, row != nullptr, {}, {}};
    if (row == nullptr) return seen;
    // The row's own key: it may spell a number otherwise than the entry does.
    seen.key = row->key;
    seen.version = row->version;
    seen.digest = base_digest(*compiled.program, *row);
    return seen;
}

SeenRow Interpreter::seen_index(std::size_t index, const store::Key& key,
                                const store::Row* row) const {
    const std::size_t table = programs_.indexes[index].table;
    SeenRow seen{programs_.tables[table].schema.name, key, row != nullptr, {}, {}};
    if (row == nullptr) return seen;
    seen.key = row->key;
    seen.version = row->version;
    seen.digest = store::row_digest(*row);
    return seen;
}

std::string base_digest(const IndexProgram& program, const store::Row& row) {
    store::Bytes bytes;
    for (const store::NamedValue& attribute : program.depends_on(row)) {
        store::append_varint(bytes, attribute.name.size());
        bytes.append(attribute.name);
        store::append_element(bytes, attribute.value.view());
    }
    return store::digest(bytes);
}

}  // namespace idxfsck::audit
