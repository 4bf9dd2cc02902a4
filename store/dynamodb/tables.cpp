#include "store/dynamodb/tables.hpp"

#include <algorithm>

#include "store/json/scalar_text.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t names_max = 100'000;

Bytes name_member(const char* member, BytesView name) {
    Bytes out = "{\"";
    out.append(member).append("\":");
    append_json_string(out, name);
    out.push_back('}');
    return out;
}

Error index_error(BytesView name) {
    return Error{"this is no table but an index that DynamoDB itself keeps", Trouble::usage}
        .with("table", name)
        .hint("name the table alone; its own index cannot drift from it, and whether the "
              "attributes in the base row that feed it are right, an index with "
              "`inside = true` checks");
}

// Users/index/by-email, as policies name the indexes that DynamoDB keeps itself; no table has a
// slash in its name.
void refuse_index(BytesView name) {
    if (name.find("/index/") != BytesView::npos) throw index_error(name);
}

}  // namespace

std::optional<TableDescription> DynamodbTables::find(BytesView name) {
    {
        const std::lock_guard lock{mutex_};
        const auto found = known_.find(name);
        if (found != known_.end()) return found->second;
    }
    return describe(name);
}

TableDescription DynamodbTables::get(BytesView name) {
    std::optional<TableDescription> found = find(name);
    if (found) return std::move(*found);
    throw Error{"there is no such table"}
        .with("store", api_.name())
        .with("table", name)
        .with("region", api_.place().region)
        .hint(missing_hint());
}

std::string DynamodbTables::missing_hint() {
    const AwsPlace& place = api_.place();
    const Bytes owner = account();
    std::string text =
        "looked for in region " + place.region + ", which is from " + place.region_source;
    if (place.configured) text += ", at " + place.url;
    text += owner.empty() ? ", in the account of the credentials" : ", in account " + owner;
    return text + ": a table of another region or account is not seen there. Change `region` in "
                  "the spec or AWS_REGION, or the account by AWS_PROFILE (`idxfsck doctor` says "
                  "which it is); or the table has another name, is gone, or is an index of a table";
}

// As far as its table is known.
void DynamodbTables::refuse_own_index(BytesView name) {
    const std::lock_guard lock{mutex_};
    for (const auto& [table, description] : known_) {
        const std::vector<Bytes>& indexes = description.own_indexes;
        if (std::find(indexes.begin(), indexes.end(), name) == indexes.end()) continue;
        throw index_error(name).with("index_of", table);
    }
}

std::optional<TableDescription> DynamodbTables::look(BytesView name) {
    refuse_index(name);
    if (name.empty() || !is_utf8(name)) return std::nullopt;
    const Reply reply = ask(name);
    if (reply.fault && reply.fault->code == "ResourceNotFoundException") {
        refuse_own_index(name);
        return std::nullopt;
    }
    if (reply.fault) {
        // A name that no table may have.
        if (reply.fault->code == "ValidationException") return std::nullopt;
        throw fault_error("the table cannot be described", api_.name(), "DescribeTable",
                          *reply.fault)
            .with("table", name);
    }
    std::optional<TableDescription> table = table_in(reply.body);
    if (!table) {
        throw Error{"DynamoDB describes the table in a way that makes no sense"}
            .with("store", api_.name())
            .with("table", name);
    }
    // Where the caller gave the table's full name, errors and guards keep to that one.
    table->schema.name = name;
    const std::lock_guard lock{mutex_};
    if (table->usable()) known_.insert_or_assign(Bytes{name}, *table);
    return table;
}

std::optional<TableDescription> DynamodbTables::describe(BytesView name) {
    std::optional<TableDescription> table = look(name);
    if (!table || table->usable()) return table;
    throw Error{"the table is not ready"}
        .with("store", api_.name())
        .with("table", name)
        .with("status", table->status)
        .hint("wait until `aws dynamodb describe-table` says ACTIVE");
}

Reply DynamodbTables::ask(BytesView name) {
    try {
        return api_.call("DescribeTable", name_member("TableName", name));
    } catch (Error& error) {
        error.with("table", name);
        throw;
    }
}

std::vector<Bytes> DynamodbTables::names() {
    std::vector<Bytes> names;
    Bytes body = "{}";
    while (true) {
        const Reply reply = api_.call("ListTables", body);
        if (reply.fault) {
            throw fault_error("the tables cannot be listed", api_.name(), "ListTables",
                              *reply.fault);
        }
        const std::optional<TableNames> page = table_names_in(reply.body);
        if (!page || names.size() > names_max) {
            throw Error{"DynamoDB lists its tables in a way that makes no sense"}
                .with("store", api_.name());
        }
        names.insert(names.end(), page->names.begin(), page->names.end());
        if (!page->last) break;
        Bytes next = name_member("ExclusiveStartTableName", *page->last);
        if (next == body) {
            throw Error{"a list of tables does not advance"}.with("store", api_.name());
        }
        body = std::move(next);
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

Bytes DynamodbTables::account() {
    const std::lock_guard lock{mutex_};
    for (const auto& [name, table] : known_) {
        if (!name.starts_with("arn:") && !table.account.empty()) return table.account;
    }
    return {};
}

void DynamodbTables::forget() {
    const std::lock_guard lock{mutex_};
    known_.clear();
}

}  // namespace idxfsck::store
