#include <algorithm>

#include "store/dynamodb/client.hpp"
#include "store/json/scalar_text.hpp"

namespace idxfsck::store {

namespace {

// A read unit of an eventually consistent scan is 8 KB.
constexpr double bytes_a_unit = 4096.0;

// The code of the service's refusal, if it is one about rights.
bool is_denial(const Error& error) {
    return std::any_of(error.fields().begin(), error.fields().end(), [](const auto& field) {
        return field.first == "code" && field.second.starts_with("AccessDenied");
    });
}

Bytes table_member(BytesView table) {
    Bytes out = "{\"TableName\":";
    append_json_string(out, table);
    return out;
}

// A key that the table can have. Whether it is there is of no interest.
Key some_key(const TableDescription& table) {
    Key key;
    for (const Kind kind : table.schema.key_kinds) {
        if (kind == Kind::number) key.push_back(Value::number("0"));
        else if (kind == Kind::binary) key.push_back(Value::binary("idxfsck"));
        else key.push_back(Value::text("idxfsck"));
    }
    return key;
}

// What is tried on one table, one harmless call a permission.
class TableLook {
public:
    TableLook(DynamodbClient& client, BytesView name, bool consistent)
        : client_{client}, name_{name}, consistent_{consistent} {}

    TableInspection run(const TableUse& use) {
        const std::optional<TableDescription> table = describe();
        if (table) {
            tell(*table);
            if (table->usable()) try_reads(*table);
            else refuse_state(table->status);
            ask_expiry();
        }
        add_writes(use);
        return std::move(out_);
    }

private:
    std::optional<TableDescription> describe() {
        std::optional<TableDescription> table;
        const bool allowed =
            attempt("DescribeTable", [&] { table = client_.known_tables().look(name_); });
        if (table || !allowed) return table;
        out_.permissions.clear();
        out_.obstacles.push_back(
            {"there is no such table", "region=" + client_.api().place().region,
             client_.missing_hint(), true});
        return std::nullopt;
    }

    void tell(const TableDescription& table) {
        out_.schema = table.schema;
        out_.state = table.status;
        out_.rows = table.rows;
        out_.bytes = table.bytes;
        out_.counted = "as DynamoDB counted, which it does about every six hours";
        // Counted at 0 it is empty, or younger than the count.
        if (table.bytes == 0) return;
        const double units = static_cast<double>(table.bytes) / bytes_a_unit;
        out_.units_of_scan = consistent_ ? units : units / 2.0;
    }

    void refuse_state(const Bytes& status) {
        out_.obstacles.push_back({"the table is not ready", "status=" + status,
                                  "wait until `aws dynamodb describe-table` says ACTIVE", false});
    }

    void try_reads(const TableDescription& table) {
        attempt("Scan", [&] {
            const Bytes consistent = consistent_ ? ",\"ConsistentRead\":true" : "";
            call("Scan", table_member(name_) + ",\"Limit\":1" + consistent + "}");
        });
        attempt("BatchGetItem", [&] {
            Bytes body = "{\"RequestItems\":{";
            append_json_string(body, name_);
            body.append(":{\"ConsistentRead\":true,\"Keys\":[");
            append_key(body, table.schema.key, some_key(table));
            call("BatchGetItem", body + "]}}}");
        });
    }

    // An audit has no need of it, so that it may not be asked stands in no one's way.
    void ask_expiry() {
        out_.expiry.emplace();
        try {
            const std::optional<Bytes> attribute =
                expiry_in(call("DescribeTimeToLive", table_member(name_) + "}"));
            if (attribute) out_.expiry->attribute = *attribute;
            else out_.expiry->untold = "an answer that makes no sense";
        } catch (const Error& error) {
            out_.expiry->untold = cause_in(error);
        }
    }

    Bytes call(const std::string& operation, const Bytes& body) {
        Reply reply = client_.api().call(operation, body);
        if (!reply.fault) return std::move(reply.body);
        throw fault_error("the table cannot be read", client_.api().name(), operation,
                          *reply.fault);
    }

    // True if nothing stood against it.
    bool attempt(const std::string& action, const std::function<void()>& call) {
        return try_permission(out_, "dynamodb:" + action, call, is_denial);
    }

    void add_writes(const TableUse& use) {
        std::vector<const char*> actions;
        if (use.written) actions = {"PutItem", "UpdateItem", "DeleteItem"};
        if (use.guarded) actions.push_back("ConditionCheckItem");
        for (const char* const action : actions) {
            out_.permissions.push_back({Bytes{"dynamodb:"} + action, true, Access::untried,
                                        "only a write can tell"});
        }
    }

    DynamodbClient& client_;
    const Bytes name_;
    const bool consistent_;
    TableInspection out_;
};

}  // namespace

StoreInspection DynamodbClient::inspect() {
    StoreInspection out;
    const auto tell = [&](const char* name, const std::function<std::string()>& find) {
        add_fact(out, name, find);
    };
    out.unit = "read unit";
    out.units_a_second_max = units_a_second_;
    out.dollars_per_million_units = dollars_per_million_;
    tell("region", [&] { return api_->place().region; });
    tell("endpoint", [&] { return api_->place().url; });
    tell("credentials", [&] { return api_->credentials_source(); });
    if (!out.obstacles.empty()) return out;
    if (!api_->has_caller()) {
        tell("identity", [&] { return std::string{"not known: this server is not AWS"}; });
        return out;
    }
    Caller caller;
    tell("identity", [&] {
        caller = api_->caller();
        return caller.arn;
    });
    tell("account", [&] { return caller.account; });
    return out;
}

TableInspection DynamodbClient::inspect_table(BytesView table, const TableUse& use) {
    return TableLook{*this, table, consistent_}.run(use);
}

}  // namespace idxfsck::store
