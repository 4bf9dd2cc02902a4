#include "store/inspection.hpp"

namespace idxfsck::store {

Bytes cause_in(const Error& error) {
    for (const char* const wanted : {"cause", "code"}) {
        for (const auto& [name, value] : error.fields()) {
            if (name == wanted) return value;
        }
    }
    return error.text();
}

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

void add_fact(StoreInspection& out, const std::string& name,
              const std::function<std::string()>& find) {
    try {
        std::string value = find();
        if (!value.empty()) out.facts.push_back({name, std::move(value)});
    } catch (const Error& error) {
        out.obstacles.push_back(obstacle_of(error));
    }
}

bool try_permission(TableInspection& out, const std::string& action,
                    const std::function<void()>& call, bool (*is_denial)(const Error&)) {
    Permission permission{action, false, Access::allowed, {}};
    try {
        call();
    } catch (const Error& error) {
        permission.access = is_denial(error) ? Access::refused : Access::untried;
        permission.cause = cause_in(error);
        if (permission.access == Access::untried) out.obstacles.push_back(obstacle_of(error));
    }
    const bool allowed = permission.access == Access::allowed;
    out.permissions.push_back(std::move(permission));
    return allowed;
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
