#include "plan_check.hpp"

#include <algorithm>

namespace idxfsck::tests {

namespace {

using repair::OperationKind;
using store::Json;

std::string word_of(OperationKind kind) {
    switch (kind) {
        case OperationKind::put_entry:
        case OperationKind::replace_entry: return "put_index";
        case OperationKind::fix_copies: return "fix_projection";
        case OperationKind::add_member: return "add_member";
        case OperationKind::remove_member: return "remove_member";
        case OperationKind::delete_entry: return "delete_index";
        case OperationKind::manual: return "manual";
    }
    return "";
}

std::string scalar_text(const store::ValueView& value) {
    store::Bytes scratch;
    if (const auto number = store::canonical_number(value, scratch)) return std::string{*number};
    if (value.kind == store::Kind::null) return "null";
    return '"' + std::string{value.payload} + '"';
}

std::string key_text(const store::Key& key) {
    std::string text = "[";
    for (const store::Value& component : key) {
        text += (text.size() > 1 ? ", " : "") + scalar_text(component);
    }
    return text + "]";
}

bool writes(const Json& operation) {
    const std::string op = operation.at("op");
    return op != "recheck" && op != "abort" && op != "manual";
}

std::string table_of(const Case& of, const Json& operation) {
    return operation.value("table", of.spec.indexes.front().table);
}

const Json& key_of(const Json& operation) {
    return operation.contains("container") ? operation["container"] : operation.at("key");
}

std::optional<store::Row> row_at(const Play& play, const Case& of, const Json& operation) {
    const std::string wanted = key_text(typed_key(key_of(operation)));
    for (const store::Row& row : play.rows(table_of(of, operation))) {
        if (is_operation(wanted, key_text(row.key))) return row;
    }
    return std::nullopt;
}

// Attributes that the row lacks, or holds otherwise.
std::string difference(const store::Row& row, const Json& attributes) {
    if (!attributes.is_object()) return row.attributes.empty() ? "" : "the row is not empty";
    for (const auto& [name, json] : attributes.items()) {
        const auto held = row.attribute(name);
        const store::Value wanted = typed_value(json);
        if (!held || scalar_text(*held) != scalar_text(wanted)) return name + " differs";
    }
    return "";
}

bool holds_member(const store::Row& row, const std::string& member) {
    store::AttributeCursor attributes{row.attributes};
    while (attributes.next()) {
        if (!store::is_container(attributes.value().kind)) continue;
        store::ElementCursor elements{attributes.value()};
        while (elements.next()) {
            if (elements.value().payload == member) return true;
        }
    }
    return false;
}

std::string complaint(const Json& operation, const std::optional<store::Row>& row) {
    const std::string op = operation.at("op");
    if (op == "delete_index") return row ? "the row is still there" : "";
    if (op == "remove_member") {
        return row && holds_member(*row, operation.at("member")) ? "the member is there" : "";
    }
    if (!row) return "there is no row";
    if (op == "add_member") {
        return holds_member(*row, operation.at("member")) ? "" : "the member is not there";
    }
    const char* const part = op == "put_index" ? "value" : "set";
    return operation.contains(part) ? difference(*row, operation[part]) : "";
}

}  // namespace

std::vector<std::string> plan_words(const audit::Spec& spec, const repair::Plan& plan) {
    std::vector<std::string> words;
    for (const repair::Operation& operation : plan.operations) {
        const audit::IndexSpec& index = *spec.index(operation.index);
        std::string word = word_of(operation.kind);
        if (index.inside && operation.kind != OperationKind::manual) {
            word = "set_base_attributes " + index.table + " " + key_text(operation.base->key);
        } else if (operation.kind != OperationKind::manual) {
            word += " " + index.table + " " + key_text(operation.entry.key);
        }
        const bool member = operation.kind == OperationKind::add_member ||
                            operation.kind == OperationKind::remove_member;
        if (member) word += " " + scalar_text(operation.entry.pointer.front());
        words.push_back(word);
    }
    std::sort(words.begin(), words.end());
    const auto is_manual = [](const std::string& word) { return word == "manual"; };
    const auto manual = std::find_if(words.begin(), words.end(), is_manual);
    if (manual == words.end()) return words;
    words.erase(std::remove_if(manual + 1, words.end(), is_manual), words.end());
    return words;
}

std::vector<std::string> expected_plan_words(const Case& of) {
    std::vector<std::string> words;
    for (const Json& operation : of.expected.at("plan")) {
        const std::string op = operation.at("op");
        if (op == "manual") words.push_back(op);
        if (!writes(operation)) continue;
        std::string word = op + " " + table_of(of, operation) + " ";
        word += key_text(typed_key(key_of(operation)));
        if (operation.contains("member")) word += " \"" + std::string{operation["member"]} + '"';
        words.push_back(word);
    }
    std::sort(words.begin(), words.end());
    return words;
}

bool is_operation(const std::string& expected, const std::string& word) {
    const std::size_t dots = expected.find("[\"...");
    if (dots == std::string::npos) return word == expected;
    return word.starts_with(expected.substr(0, dots)) && word.ends_with(expected.substr(dots + 5));
}

std::vector<std::string> row_complaints(const Case& of, const Play& play) {
    std::vector<std::string> complaints;
    for (const Json& operation : of.expected.at("plan")) {
        if (!writes(operation)) continue;
        const std::string wrong = complaint(operation, row_at(play, of, operation));
        if (!wrong.empty()) complaints.push_back(wrong + ": " + operation.dump());
    }
    return complaints;
}

std::vector<std::string> guard_complaints(const Case& of, const Play& play) {
    std::vector<std::string> complaints;
    for (const Json& operation : of.expected.at("plan")) {
        if (!writes(operation) || !operation.contains("if")) continue;
        const auto row = row_at(play, of, operation);
        const Json& expected = operation["if"];
        std::string wrong;
        if (expected == "absent" && row) wrong = "a row is there";
        if (expected.is_object() && !row) wrong = "no row is there";
        if (expected.is_object() && row && !expected.contains("value")) {
            wrong = difference(*row, expected);
        }
        if (!wrong.empty()) complaints.push_back(wrong + ": " + operation.dump());
    }
    return complaints;
}

}  // namespace idxfsck::tests
