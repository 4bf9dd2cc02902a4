#include "store/inspection.hpp"

namespace idxfsck::store {

Obstacle obstacle_of(const Error& error) {
    Obstacle out{error.text(), {}, error.hint(), error.trouble() == Trouble::usage};
    for (const auto& [name, value] : error.fields()) {
        out.cause.append(out.cause.empty() ? "" : " ").append(name).append("=").append(value);
    }
    return out;
}

StoreInspection inspect(const Reader& reader) {
    const auto* const inspectable = dynamic_cast<const Inspectable*>(&reader);
    return inspectable != nullptr ? inspectable->inspect() : StoreInspection{};
}

std::string missing_hint(const Reader& reader) {
    const auto* const inspectable = dynamic_cast<const Inspectable*>(&reader);
    return inspectable != nullptr ? inspectable->missing_hint() : std::string{};
}

TableInspection inspect_table(const Reader& reader, BytesView table, const TableUse& use) {
    const auto* const inspectable = dynamic_cast<const Inspectable*>(&reader);
    if (inspectable != nullptr) return inspectable->inspect_table(table, use);
    return plain_inspection(reader, table);
}

TableInspection plain_inspection(const Reader& reader, BytesView table) {
    TableInspection out;
    try {
        out.schema = reader.table(table);
        if (out.schema) out.rows = reader.rows_estimate(table);
    } catch (const Error& error) {
        out.obstacles.push_back(obstacle_of(error));
    }
    return out;
}

}  // namespace idxfsck::store
