#include "store/dynamodb/response.hpp"

#include <cmath>

#include <simdjson.h>

namespace idxfsck::store {

namespace {

namespace dom = simdjson::dom;

// DynamoDB stops at 32 levels of an item.
constexpr std::size_t depth_max = 256;
constexpr std::size_t body_bytes_max = std::size_t{1} << 30;
constexpr std::size_t reason_bytes_max = 1'000;  // of the service's words

// A parser and what it has read.
class Document {
public:
    explicit Document(BytesView body) : parser_{body_bytes_max} {
        if (parser_.allocate(body.size() + 1, depth_max) != simdjson::SUCCESS) return;
        dom::element root;
        if (parser_.parse(body.data(), body.size()).get(root) != simdjson::SUCCESS) return;
        is_object_ = root.get_object().get(object_) == simdjson::SUCCESS;
    }

    explicit operator bool() const { return is_object_; }

    // The member, if it is there.
    std::optional<dom::element> find(std::string_view name) const {
        dom::element found;
        if (object_.at_key(name).get(found) != simdjson::SUCCESS) return std::nullopt;
        return found;
    }

private:
    dom::parser parser_;
    dom::object object_;
    bool is_object_ = false;
};

// The objects of a list as texts; false if it is no list of objects.
bool take_objects(const dom::element& list, std::vector<Bytes>& out) {
    dom::array array;
    if (list.get_array().get(array) != simdjson::SUCCESS) return false;
    for (const dom::element item : array) {
        if (!item.is_object()) return false;
        out.push_back(simdjson::minify(item));
    }
    return true;
}

double units_in(const dom::element& capacity) {
    double units = 0.0;
    if (capacity["CapacityUnits"].get_double().get(units) != simdjson::SUCCESS) return 0.0;
    return std::isfinite(units) && units > 0.0 ? units : 0.0;
}

// Of one table, or of several in a list.
std::map<Bytes, double> consumed(const Document& document) {
    std::map<Bytes, double> units;
    const auto add = [&](const dom::element& table) {
        std::string_view name;
        if (table["TableName"].get_string().get(name) != simdjson::SUCCESS) name = {};
        units[Bytes{name}] += units_in(table);
    };
    const std::optional<dom::element> capacity = document.find("ConsumedCapacity");
    if (!capacity) return units;
    dom::array tables;
    if (capacity->get_array().get(tables) != simdjson::SUCCESS) {
        add(*capacity);
        return units;
    }
    for (const dom::element table : tables) add(table);
    return units;
}

using Lists = std::map<Bytes, std::vector<Bytes>>;

// {"table": [object, …]}, or with `member` {"table": {member: [object, …]}}.
bool take_lists(const dom::element& tables, std::string_view member, Lists& out) {
    dom::object object;
    if (tables.get_object().get(object) != simdjson::SUCCESS) return false;
    for (const dom::key_value_pair& table : object) {
        dom::element list = table.value;
        if (!member.empty() && list.at_key(member).get(list) != simdjson::SUCCESS) return false;
        if (!take_objects(list, out[Bytes{table.key}])) return false;
    }
    return true;
}

}  // namespace

std::map<Bytes, double> consumed_units(BytesView body) {
    const Document document{body};
    return document ? consumed(document) : std::map<Bytes, double>{};
}

bool is_json_object(BytesView body) {
    return static_cast<bool>(Document{body});
}

Decoded<ScanAnswer> scan_answer(BytesView body) {
    using Answer = Decoded<ScanAnswer>;
    const Document document{body};
    if (!document) return Answer::failed("the answer is no JSON object");
    const std::optional<dom::element> items = document.find("Items");
    ScanAnswer out;
    if (!items || !take_objects(*items, out.items)) return Answer::failed("there are no items");
    if (const auto count = document.find("Count")) {
        std::uint64_t said = 0;
        const bool number = count->get_uint64().get(said) == simdjson::SUCCESS;
        if (!number || said != out.items.size()) {
            return Answer::failed("there are not as many items as the answer counts");
        }
    }
    if (const auto last = document.find("LastEvaluatedKey"); last && !last->is_null()) {
        dom::object key;
        if (last->get_object().get(key) != simdjson::SUCCESS) {
            return Answer::failed("the key to go on from is no key");
        }
        // An empty one is the end, as is none.
        if (key.size() > 0) out.last_key = simdjson::minify(*last);
    }
    for (const auto& [table, units] : consumed(document)) out.units += units;
    return out;
}

Decoded<BatchAnswer> batch_answer(BytesView body) {
    using Answer = Decoded<BatchAnswer>;
    const Document document{body};
    if (!document) return Answer::failed("the answer is no JSON object");
    const std::optional<dom::element> items = document.find("Responses");
    BatchAnswer out;
    if (!items || !take_lists(*items, "", out.items)) return Answer::failed("there are no items");
    const std::optional<dom::element> rest = document.find("UnprocessedKeys");
    if (rest && !rest->is_null() && !take_lists(*rest, "Keys", out.unprocessed)) {
        return Answer::failed("the keys left unprocessed are no keys");
    }
    out.units = consumed(document);
    return out;
}

Decoded<std::vector<CancellationReason>> cancellation_reasons(BytesView body) {
    using Answer = Decoded<std::vector<CancellationReason>>;
    const Document document{body};
    if (!document) return Answer::failed("the answer is no JSON object");
    const std::optional<dom::element> reasons = document.find("CancellationReasons");
    dom::array array;
    if (!reasons || reasons->get_array().get(array) != simdjson::SUCCESS) {
        return Answer::failed("there are no reasons");
    }
    std::vector<CancellationReason> out;
    for (const dom::element reason : array) {
        std::string_view code;
        if (reason["Code"].get_string().get(code) != simdjson::SUCCESS) {
            return Answer::failed("a reason has no code");
        }
        std::string_view message;
        if (reason["Message"].get_string().get(message) != simdjson::SUCCESS) message = {};
        out.push_back({Bytes{code}, Bytes{message.substr(0, reason_bytes_max)}});
    }
    return out;
}

}  // namespace idxfsck::store
