#include "store/capacity.hpp"

#include <algorithm>

namespace idxfsck::store {

Spending& Spending::operator=(Spending&& other) noexcept {
    std::swap(capacity_, other.capacity_);
    std::swap(kind_, other.kind_);
    std::swap(reserved_, other.reserved_);
    return *this;
}

Spending::~Spending() {
    if (capacity_ != nullptr && capacity_->limits_) capacity_->limits_->end(reserved_, 0.0);
}

void Spending::settle(const std::map<Bytes, double>& units) {
    Capacity& capacity = *std::exchange(capacity_, nullptr);
    const double sum = capacity.add(kind_, units);
    if (capacity.limits_) capacity.limits_->end(reserved_, sum);
    const bool run_paced = capacity.limits_ && capacity.limits_->paced();
    if (run_paced) capacity.limits_->pace(sum);
    else capacity.pace_.spend(sum);
}

void Spending::abandon(BytesView table) {
    Capacity& capacity = *std::exchange(capacity_, nullptr);
    const double units = capacity.dearest_scan(table);
    capacity.add(kind_, {{Bytes{table}, units}});
    if (capacity.limits_) capacity.limits_->end(reserved_, units);
}

Spending Capacity::begin(ReadKind kind, const UnitsRange& units) {
    return {*this, kind, limits_ ? limits_->begin(units) : 0.0};
}

std::optional<Spending> Capacity::try_begin(ReadKind kind, const UnitsRange& units) {
    const std::optional<double> reserved = limits_ ? limits_->try_begin(units) : 0.0;
    if (!reserved) return std::nullopt;
    return Spending{*this, kind, *reserved};
}

Capacity::Table& Capacity::table(BytesView name) {
    const auto found = tables_.find(name);
    return found != tables_.end() ? found->second : tables_[Bytes{name}];
}

RequestCounts& Capacity::counts(BytesView name) {
    const std::lock_guard lock{mutex_};
    return table(name).counts;
}

double Capacity::add(ReadKind kind, const std::map<Bytes, double>& units) {
    const std::lock_guard lock{mutex_};
    double sum = 0.0;
    for (const auto& [name, of_table] : units) {
        Table& counted = table(name);
        (kind == ReadKind::scan ? counted.scan_units : counted.point_units) += of_table;
        if (kind == ReadKind::scan) {
            counted.dearest_scan = std::max(counted.dearest_scan, of_table);
        }
        sum += of_table;
    }
    return sum;
}

double Capacity::dearest_scan(BytesView name) {
    const std::lock_guard lock{mutex_};
    return table(name).dearest_scan;
}

ReadCost Capacity::cost(BytesView name) {
    const std::lock_guard lock{mutex_};
    const Table& counted = table(name);
    ReadCost out;
    out.scan_units = counted.scan_units;
    out.point_units = counted.point_units;
    out.write_units = counted.write_units;
    out.requests = counted.counts.requests;
    out.retries = counted.counts.retries;
    out.throttles = counted.counts.throttles;
    out.dollars = dollars_of(out);
    return out;
}

// A sum that left out what has no price would be taken for the whole.
std::optional<double> Capacity::dollars_of(const ReadCost& cost) const {
    const bool written = cost.write_units > 0.0;
    const bool reads_known = dollars_per_million_ || (written && cost.units() == 0.0);
    const bool writes_known = dollars_per_million_writes_ || !written;
    if (!reads_known || !writes_known) return std::nullopt;
    const double millionths = cost.units() * dollars_per_million_.value_or(0.0) +
                              cost.write_units * dollars_per_million_writes_.value_or(0.0);
    return millionths / 1e6;
}

void Capacity::add_write(BytesView name, double units) {
    const std::lock_guard lock{mutex_};
    table(name).write_units += units;
}

double Capacity::spent() const {
    const std::lock_guard lock{mutex_};
    double sum = 0.0;
    for (const auto& [name, counted] : tables_) sum += counted.scan_units + counted.point_units;
    return sum;
}

}  // namespace idxfsck::store
