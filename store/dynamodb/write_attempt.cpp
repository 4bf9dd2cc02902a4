#include "store/dynamodb/write_attempt.hpp"

#include <algorithm>

#include "store/dynamodb/response.hpp"
#include "store/expectation.hpp"
#include "store/json/scalar_text.hpp"
#include "store/key_codec.hpp"
#include "store/key_range.hpp"

namespace idxfsck::store {

namespace {

constexpr std::size_t transaction_rows_max = 100;
constexpr BytesView told_units = ",\"ReturnConsumedCapacity\":\"TOTAL\"";
constexpr std::string_view condition_failed = "ConditionalCheckFailed";
// A row may be changed and changed back, but hardly so often in a row.
constexpr std::size_t unmoved_max = 4;

// Codes that say: somebody else was there at the same time, or there was too much at once.
bool is_conflict(BytesView code) {
    return code == "TransactionConflict" || code == "ThrottlingError" ||
           code == "ProvisionedThroughputExceeded" || code == "RequestLimitExceeded";
}

void append_table(Bytes& out, BytesView table) {
    out.append("{\"TableName\":");
    append_json_string(out, table);
}

}  // namespace

WriteAttempt::WriteAttempt(DynamodbClient& client, const GuardedWrite& write)
    : client_{client}, write_{write}, written_{target_of(write.table, write.key)} {
    check_write(write, written_.table.schema, client.guard());
    for (const Guard& guard : write.guards) {
        guarded_.push_back(target_of(guard.table, guard.key));
    }
    check();
    if (!write_.after) return;
    const std::optional<Row> after = dynamodb_row(*write_.after);
    if (!after) {
        throw Error{"DynamoDB cannot hold this row"}
            .with("table", write.table)
            .with("key", readable_key(write.key));
    }
    write_.after = after;
}

WriteAttempt::Target WriteAttempt::target_of(const Bytes& table, const Key& key) const {
    Target out{{table, key}, {}, client_.known_tables().get(table)};
    const Bytes encoded = encode_key_of(out.table.schema, key);
    if (auto possible = possible_key(out.table, key)) out.name.key = std::move(*possible);
    out.place = table + Bytes(1, '\0') + encode_key(out.name.key);
    return out;
}

void WriteAttempt::check() const {
    const KeyLimits& limits = client_.capabilities().key_limits;
    check_key(limits, written_.table.schema, written_.name.key);
    if (!possible_key(written_.table, written_.name.key)) {
        throw Error{"the store refuses this key"}
            .with("table", write_.table)
            .with("key", readable_key(write_.key))
            .hint("its kind is not that of the table's key, or it is longer than DynamoDB allows");
    }
    if (guarded_.size() >= transaction_rows_max) {
        throw Error{"the write rests on more rows than one transaction can check"}
            .with("table", write_.table)
            .with("key", readable_key(write_.key));
    }
}

WriteOutcome WriteAttempt::run() {
    std::vector<RowName> names{written_.name};
    for (const Target& target : guarded_) names.push_back(target.name);
    Backoff waits = client_.api().backoff();
    std::vector<std::optional<Row>> before;
    std::size_t unmoved = 0;
    while (true) {
        const std::vector<std::optional<Row>> rows =
            BatchRead{client_.api(), client_.known_tables(), client_.capacity()}.read(names);
        const WriteOutcome outcome = judge(write_, rows.front(), written_.table.schema);
        // What was there already, a journal does not take back: this was ours, and if somebody else
        // wrote the same meanwhile, nothing tells the two apart.
        if (outcome == WriteOutcome::already && maybe_done_) return WriteOutcome::applied;
        if (!guards_hold(rows)) return WriteOutcome::superseded;
        if (outcome != WriteOutcome::applied) return outcome;
        const Sent sent = send(rows);
        if (sent == Sent::done) return WriteOutcome::applied;
        unmoved = sent == Sent::moved && rows == before ? unmoved + 1 : 0;
        if (unmoved == unmoved_max) refuse_condition();
        before = rows;
        // Whoever moved the row was faster; as many as there are may be so, one after the other.
        if (!waits.wait()) {
            if (waits.stopped()) throw client_.api().stopped_error("TransactWriteItems");
            throw Error{sent == Sent::conflict ? "other transactions hold the row all the time"
                                               : "the row changes all the time"}
                .with("store", client_.api().name())
                .with("table", write_.table)
                .with("key", readable_key(write_.key));
        }
    }
}

void WriteAttempt::refuse_condition() const {
    throw Error{"the store shows the rows as they were and refuses the condition that they are so"}
        .with("store", client_.api().name())
        .with("table", write_.table)
        .with("key", readable_key(write_.key))
        .hint("it compares values otherwise than DynamoDB: mend this row by hand");
}

bool WriteAttempt::guards_hold(const std::vector<std::optional<Row>>& rows) const {
    for (std::size_t place = 0; place < guarded_.size(); ++place) {
        const Guard& guard = write_.guards[place];
        if (!meets(guard.expected, rows[place + 1], guarded_[place].table.schema)) return false;
    }
    return true;
}

WriteAttempt::Sent WriteAttempt::send(const std::vector<std::optional<Row>>& rows) {
    const auto [name, body] = operation(rows.front());
    const std::vector<Bytes> others = checks();
    return others.empty() ? send_alone(name, body) : send_transaction(name, body, others);
}

std::pair<std::string, Bytes> WriteAttempt::operation(const std::optional<Row>& seen) const {
    const std::vector<Bytes>& names = written_.table.schema.key;
    WriteExpression expression{names.front()};
    if (seen) expression.require_row(*seen);
    else expression.require_absent();
    // A guard may be on the written row itself: a transaction names each row once.
    for (std::size_t place = 0; place < guarded_.size(); ++place) {
        if (guarded_[place].place == written_.place) {
            expression.require(write_.guards[place].expected);
        }
    }
    Bytes body;
    append_table(body, write_.table);
    const bool fresh = write_.after && !seen;
    body.append(fresh ? ",\"Item\":" : ",\"Key\":");
    if (fresh) {
        append_item(body, names, *write_.after);
    } else {
        append_key(body, names, written_.name.key);
        if (write_.after) expression.change(seen->attributes, write_.after->attributes);
    }
    body.append(expression.text());
    return {fresh ? "Put" : write_.after ? "Update" : "Delete", std::move(body)};
}

std::vector<Bytes> WriteAttempt::checks() const {
    std::vector<Bytes> out;
    for (std::size_t first = 0; first < guarded_.size(); ++first) {
        const Bytes& row = guarded_[first].place;
        const auto same = [&](const Target& target) { return target.place == row; };
        const auto before = guarded_.begin() + std::ptrdiff_t(first);
        if (row == written_.place || std::any_of(guarded_.begin(), before, same)) continue;
        const std::vector<Bytes>& names = guarded_[first].table.schema.key;
        WriteExpression expression{names.front()};
        for (std::size_t place = first; place < guarded_.size(); ++place) {
            if (guarded_[place].place == row) expression.require(write_.guards[place].expected);
        }
        // A key that no row can have: that there is none needs no check, and has none.
        if (!possible_key(guarded_[first].table, guarded_[first].name.key)) continue;
        Bytes body;
        append_table(body, guarded_[first].name.table);
        body.append(",\"Key\":");
        append_key(body, names, guarded_[first].name.key);
        out.push_back(body + expression.text() + "}");
    }
    return out;
}

WriteAttempt::Sent WriteAttempt::send_alone(const std::string& operation, const Bytes& body) {
    const std::string name = operation + "Item";
    const Reply reply = call(name, body + Bytes{told_units} + "}");
    if (!reply.fault) return Sent::done;
    maybe_done_ = maybe_done_ || reply.maybe_done_before;
    if (reply.fault->code == "ConditionalCheckFailedException") return Sent::moved;
    if (reply.fault->code == "TransactionConflictException") return Sent::conflict;
    refuse(name, *reply.fault);
}

WriteAttempt::Sent WriteAttempt::send_transaction(const std::string& operation, const Bytes& body,
                                                  const std::vector<Bytes>& checks) {
    // The token makes one of a request that is sent again because its answer was lost.
    Bytes request = "{\"ClientRequestToken\":\"" + request_token() + "\",\"TransactItems\":[{\"" +
                    operation + "\":" + body + "}}";
    for (const Bytes& check : checks) request.append(",{\"ConditionCheck\":" + check + "}");
    request.append("]").append(told_units).append("}");
    const Reply reply = call("TransactWriteItems", std::move(request));
    if (!reply.fault) return Sent::done;
    if (reply.fault->code == "TransactionInProgressException") return Sent::conflict;
    if (reply.fault->code == "TransactionCanceledException") {
        return judge_cancellation(*reply.fault);
    }
    refuse("TransactWriteItems", *reply.fault);
}

// What a refused one has cost, DynamoDB does not say.
Reply WriteAttempt::call(const std::string& operation, Bytes body) {
    Capacity& capacity = client_.capacity();
    Reply reply =
        client_.api().call(operation, std::move(body), &capacity.counts(write_.table));
    if (reply.fault) return reply;
    for (const auto& cost : consumed_units(reply.body)) {
        const Bytes& table = cost.first;
        const bool guarded =
            std::any_of(guarded_.begin(), guarded_.end(),
                        [&](const Target& target) { return target.name.table == table; });
        capacity.add_write(guarded ? table : write_.table, cost.second);
    }
    return reply;
}

// A condition that failed is told first: then waiting for the conflict to pass is of no use.
WriteAttempt::Sent WriteAttempt::judge_cancellation(const Fault& fault) const {
    const Decoded<std::vector<CancellationReason>> reasons = cancellation_reasons(fault.body);
    if (!reasons) refuse("TransactWriteItems", fault);
    bool moved = false;
    bool conflict = false;
    for (const auto& [code, message] : *reasons) {
        if (code == condition_failed) {
            moved = true;
        } else if (is_conflict(code)) {
            conflict = true;
        } else if (code != "None") {
            // The message of the whole says no more than the codes.
            Fault named = fault;
            if (!message.empty()) named.message = code + ": " + message;
            refuse("TransactWriteItems", named);
        }
    }
    if (!moved && !conflict) refuse("TransactWriteItems", fault);
    return moved ? Sent::moved : Sent::conflict;
}

std::string WriteAttempt::request_token() const {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string out;
    for (int place = 0; place < 32; ++place) {
        const auto digit = static_cast<std::size_t>(client_.api().random()() * 16.0);
        out.push_back(digits[std::min<std::size_t>(digit, 15)]);
    }
    return out;
}

void WriteAttempt::refuse(const std::string& operation, const Fault& fault) const {
    throw fault_error("DynamoDB refuses this write", client_.api().name(), operation, fault)
        .with("table", write_.table)
        .with("key", readable_key(write_.key));
}

}  // namespace idxfsck::store
