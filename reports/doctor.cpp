#include "reports/doctor.hpp"

#include <algorithm>
#include <map>

#include "audit/ground.hpp"
#include "reports/doctor_expiry.hpp"
#include "reports/exit_code.hpp"
#include "reports/open_stores.hpp"

namespace idxfsck::reports {

namespace {

// The first rows of a table.
class FirstRows final : public store::RowSink {
public:
    void row(const store::RowView& row) override {
        if (rows_.size() == sample_rows_max) return;
        store::Row& kept = rows_.emplace_back();
        for (const store::ValueView& component : row.key) kept.key.emplace_back(component);
        kept.attributes = row.attributes;
    }

    bool page_end(const store::Position&) override { return rows_.size() < sample_rows_max; }

    std::vector<store::Row> take() { return std::move(rows_); }

private:
    std::vector<store::Row> rows_;
};

std::vector<store::Row> first_rows(const store::Reader& reader, store::BytesView table) {
    FirstRows sink;
    store::ScanOptions options;
    options.page_rows_max = sample_rows_max;
    const std::vector<store::Partition> partitions = reader.split(table, 1);
    for (const store::Partition& partition : partitions) {
        if (reader.scan(table, partition, options, sink) == store::ScanEnd::stopped) break;
    }
    return sink.take();
}

class Doctor {
public:
    Doctor(const audit::Spec& spec, const DoctorWishes& wishes) : spec_{spec}, wishes_{wishes} {}

    DoctorReport run() {
        for (const audit::StoreSpec& store : spec_.stores) look_at_store(store);
        list_tables();
        for (DoctorTable& table : report_.tables) look_at_table(table);
        add_costs();
        // What is known to be wrong would be said once more, in other words.
        if (report_.problems() > 0) return std::move(report_);
        try {
            take_samples();
        } catch (const store::Error& error) {
            add_complaints(error);
        }
        return std::move(report_);
    }

private:
    void look_at_store(const audit::StoreSpec& store) {
        DoctorStore& seen = report_.stores.emplace_back();
        seen.name = store.name;
        seen.kind = store.kind;
        try {
            opened_[store.name] = open_one_reader(spec_, store.name);
            readers_[store.name] = opened_[store.name].get();
            seen.seen = store::inspect(*opened_[store.name]);
        } catch (const store::Error& error) {
            seen.seen.obstacles.push_back(store::obstacle_of(error));
        }
    }

    DoctorTable& table_named(const std::string& store, const std::string& table) {
        for (DoctorTable& known : report_.tables) {
            if (known.store == store && known.table == table) return known;
        }
        return report_.tables.emplace_back(DoctorTable{store, table, {}, {}});
    }

    void list_tables() {
        for (const audit::BaseSpec& base : spec_.bases) {
            table_named(base.store, base.table).roles.push_back("base " + base.name);
        }
        for (const audit::IndexSpec& index : spec_.indexes) {
            table_named(index.store, index.table).roles.push_back("index " + index.name);
        }
    }

    store::TableUse use_of(const DoctorTable& table) const {
        store::TableUse use;
        for (const audit::IndexSpec& index : spec_.indexes) {
            const audit::BaseSpec& base = *spec_.base(index.of);
            const bool writes = !index.read_only && (!index.inside || index.repair_in_row);
            const auto is_table = [&](const std::string& store, const std::string& name) {
                return writes && store == table.store && name == table.table;
            };
            use.written = use.written || is_table(index.store, index.table);
            use.guarded = use.guarded || is_table(base.store, base.table);
        }
        return use;
    }

    void look_at_table(DoctorTable& table) {
        const auto reader = readers_.find(table.store);
        if (reader == readers_.end()) return;
        table.seen = store::inspect_table(*reader->second, table.table, use_of(table));
        table.notes = expiry_notes(spec_, table);
        if (table.seen.schema || !table.seen.obstacles.empty()) return;
        if (!table.seen.permissions.empty()) return;
        table.seen.obstacles.push_back(
            {"the store has no such table", {}, "is its name in the spec right?", true});
    }

    void add_costs() {
        for (const DoctorStore& store : report_.stores) {
            if (store.seen.unit.empty()) continue;
            DoctorCost& cost = cost_in(store.seen.unit);
            double units = 0.0;
            for (const DoctorTable& table : report_.tables) {
                if (table.store != store.name) continue;
                units += table.seen.units_of_scan.value_or(0.0);
                cost.whole = cost.whole && table.seen.units_of_scan.has_value();
            }
            cost.units += units;
            add_minutes(cost, units, store.seen.units_a_second_max);
            add_dollars(cost, units, store.seen.dollars_per_million_units);
        }
    }

    void add_dollars(DoctorCost& cost, double units, std::optional<double> spec_price) {
        const std::optional<double> price =
            wishes_.price_per_million_units ? wishes_.price_per_million_units : spec_price;
        if (price) cost.dollars = cost.dollars.value_or(0.0) + units * *price / 1e6;
    }

    DoctorCost& cost_in(const std::string& unit) {
        for (DoctorCost& cost : report_.costs) {
            if (cost.unit == unit) return cost;
        }
        return report_.costs.emplace_back(DoctorCost{unit, 0.0, true, {}, {}});
    }

    // Stores are read at the same time: the slowest decides.
    void add_minutes(DoctorCost& cost, double units, double spec_rate) {
        const double rate = wishes_.units_a_second.value_or(spec_rate);
        if (rate <= 0.0) return;
        cost.minutes = std::max(cost.minutes.value_or(0.0), units / rate / 60.0);
    }

    void add_complaints(const store::Error& error) {
        bool any = false;
        for (const auto& [name, value] : error.fields()) {
            if (name != "complaint") continue;
            any = true;
            report_.obstacles.push_back({"the spec does not fit the tables", value, {}, true});
        }
        if (!any) report_.obstacles.push_back(store::obstacle_of(error));
    }

    void take_samples() {
        const audit::Ground ground = audit::lay_ground(spec_, readers_, {}, wishes_.now_ms);
        if (!wishes_.samples) return;
        audit::Interpreter interpreter{ground.programs};
        for (std::size_t index = 0; index < ground.programs.indexes.size(); ++index) {
            if (ground.programs.indexes[index].current) continue;
            sample_index(ground, interpreter, index);
        }
    }

    void sample_index(const audit::Ground& ground, audit::Interpreter& interpreter,
                      std::size_t number) {
        const audit::CompiledIndex& compiled = ground.programs.indexes[number];
        const audit::IndexSpec& index = compiled.program->spec();
        const std::size_t base = ground.programs.bases[compiled.base].table;
        WhyLook look{spec_, readers_, index.name, wishes_.now_ms};
        sample_side(ground, base, index, true, look, [&](const store::Row& row) {
            const audit::BaseReading reading = interpreter.read_base(number, &row);
            return !reading.entries.empty() || !reading.damages.empty();
        });
        if (index.inside) return;
        sample_side(ground, compiled.table, index, false, look, [&](const store::Row& row) {
            const audit::IndexReading reading = interpreter.read_index(number, &row);
            return !reading.entries.empty() || !reading.damages.empty();
        });
    }

    template <typename Belongs>
    void sample_side(const audit::Ground& ground, std::size_t table, const audit::IndexSpec& index,
                     bool of_base, WhyLook& look, Belongs belongs) {
        const std::vector<store::Row>& rows = sampled(ground, table);
        DoctorSample sample{index.name, ground.programs.tables[table].schema.name, of_base,
                            rows.size(), true, {}};
        sample.judged = std::none_of(readers_.begin(), readers_.end(), [](const auto& named) {
            return named.second->capabilities().reads_by_scan;
        });
        for (const store::Row& row : rows) {
            if (sample.rows.size() == sample_rows_shown_max) break;
            if (!sample.judged || !belongs(row)) continue;
            sample.rows.push_back(of_base ? look.by_row(row.key) : look.by_key(row.key, false));
        }
        add_doubt(sample);
        report_.samples.push_back(std::move(sample));
    }

    // Where all of some rows differ it is more likely the spec that is wrong than they.
    void add_doubt(const DoctorSample& sample) {
        const bool few = sample.rows.size() < sample_rows_shown_max;
        if (few || sample.entries_differing() < sample.entries()) return;
        report_.obstacles.push_back(
            {"no row of the sample meets the other side",
             "index=" + sample.index + " table=" + sample.table,
             "are table, key and pointer in the spec those that the application writes?", false});
    }

    const std::vector<store::Row>& sampled(const audit::Ground& ground, std::size_t table) {
        const auto found = rows_.find(table);
        if (found != rows_.end()) return found->second;
        const store::Bytes& name = ground.programs.tables[table].schema.name;
        return rows_[table] = first_rows(*ground.readers[table], name);
    }

    const audit::Spec& spec_;
    const DoctorWishes& wishes_;
    std::map<std::string, std::unique_ptr<store::Reader>> opened_;
    audit::Readers readers_;
    std::map<std::size_t, std::vector<store::Row>> rows_;  // by position in Programs::tables
    DoctorReport report_;
};

bool is_missing(const store::Permission& permission) {
    return permission.access == store::Access::refused && !permission.for_repair;
}

}  // namespace

std::size_t DoctorSample::entries() const {
    std::size_t sum = 0;
    for (const WhyAnswer& row : rows) sum += row.entries.size();
    return sum;
}

std::size_t DoctorSample::entries_met() const {
    std::size_t sum = 0;
    for (const WhyAnswer& row : rows) {
        for (const WhyEntry& entry : row.entries) sum += entry.ruling != audit::Ruling::unclaimed;
    }
    return sum - entries_differing();
}

std::size_t DoctorSample::entries_differing() const {
    std::size_t sum = 0;
    for (const WhyAnswer& row : rows) sum += row.findings().size();
    return sum;
}

std::size_t DoctorReport::problems() const {
    std::size_t sum = obstacles.size();
    for (const DoctorStore& store : stores) sum += store.seen.obstacles.size();
    for (const DoctorTable& table : tables) {
        sum += table.seen.obstacles.size();
        const auto& permissions = table.seen.permissions;
        sum += static_cast<std::size_t>(
            std::count_if(permissions.begin(), permissions.end(), is_missing));
    }
    return sum;
}

int DoctorReport::exit_code() const {
    if (problems() == 0) return exit_consistent;
    const auto any_usage = [](const std::vector<store::Obstacle>& seen) {
        return std::any_of(seen.begin(), seen.end(),
                           [](const store::Obstacle& obstacle) { return obstacle.usage; });
    };
    bool usage = any_usage(obstacles);
    for (const DoctorStore& store : stores) usage = usage || any_usage(store.seen.obstacles);
    for (const DoctorTable& table : tables) usage = usage || any_usage(table.seen.obstacles);
    return usage ? exit_usage : exit_could_not_tell;
}

DoctorReport examine(const audit::Spec& spec, const DoctorWishes& wishes) {
    return Doctor{spec, wishes}.run();
}

}  // namespace idxfsck::reports
