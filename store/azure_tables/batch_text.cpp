#include "store/azure_tables/batch_text.hpp"

#include <charconv>

#include <nlohmann/json.hpp>

#include "store/digest.hpp"

namespace idxfsck::store {

namespace {

constexpr BytesView line_end = "\r\n";
constexpr BytesView part_head =
    "Content-Type: application/http\r\nContent-Transfer-Encoding: binary\r\n\r\n";
constexpr BytesView changeset_head = "Content-Type: multipart/mixed; boundary=";
constexpr BytesView no_batch = "an answer to a batch that is none, or is cut";

struct Boundaries {
    explicit Boundaries(BytesView name)
        : batch{Bytes{"batch_"}.append(name)}, changeset{Bytes{"changeset_"}.append(name)} {}

    const Bytes batch;
    const Bytes changeset;
};

Bytes batch_body(const std::vector<Bytes>& parts, const Boundaries& boundaries) {
    Bytes out;
    out.append("--").append(boundaries.batch).append(line_end);
    out.append(changeset_head).append(boundaries.changeset).append(line_end).append(line_end);
    for (const Bytes& part : parts) {
        out.append("--").append(boundaries.changeset).append(line_end).append(part);
    }
    out.append("--").append(boundaries.changeset).append("--").append(line_end);
    return out.append("--").append(boundaries.batch).append("--").append(line_end);
}

// The line ends of a body may be bare, as some emulators have them.
std::size_t line_end_size(BytesView rest) {
    return rest.starts_with(line_end) ? 2 : rest.starts_with('\n') ? 1 : 0;
}

struct Section {
    BytesView head;
    BytesView body;
};

// What stands before the first empty line, and what stands behind it.
Section section_of(BytesView text) {
    for (std::size_t line = 0; line < text.size();) {
        if (const std::size_t size = line_end_size(text.substr(line)); size > 0) {
            return {text.substr(0, line), text.substr(line + size)};
        }
        const std::size_t end = text.find('\n', line);
        if (end == BytesView::npos) break;
        line = end + 1;
    }
    return {text, {}};
}

// The parts between the lines of a boundary; nothing if the last of these lines is missing.
std::optional<std::vector<BytesView>> parts_of(BytesView body, BytesView boundary) {
    const Bytes delimiter = Bytes{"--"}.append(boundary);
    std::vector<BytesView> out;
    std::optional<std::size_t> begin;
    for (std::size_t line = 0; line < body.size();) {
        const BytesView rest = body.substr(line);
        const BytesView behind =
            rest.starts_with(delimiter) ? rest.substr(delimiter.size()) : BytesView{};
        const bool last = behind.starts_with("--");
        if (last || line_end_size(behind) > 0) {
            if (begin) out.push_back(body.substr(*begin, line - *begin));
            if (last) return out;
            begin = line + delimiter.size() + line_end_size(behind);
        }
        const std::size_t end = body.find('\n', line);
        if (end == BytesView::npos) break;
        line = end + 1;
    }
    return std::nullopt;
}

// Of a Content-Type: multipart/mixed; boundary=name.
BytesView boundary_in(BytesView type) {
    constexpr BytesView word = "boundary=";
    const std::size_t found = type.find(word);
    if (!type.starts_with("multipart/mixed") || found == BytesView::npos) return {};
    BytesView name = type.substr(found + word.size());
    name = name.substr(0, name.find_first_of("; \t\r\n"));
    if (name.size() >= 2 && name.front() == '"' && name.back() == '"') {
        name = name.substr(1, name.size() - 2);
    }
    return name;
}

// The boundary that the head of a part names.
BytesView nested_boundary(BytesView head) {
    const std::size_t found = head.find("multipart/mixed");
    return found == BytesView::npos ? BytesView{} : boundary_in(head.substr(found));
}

std::optional<std::size_t> number_at(BytesView text) {
    std::size_t number = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), number);
    return read.ec == std::errc{} ? std::optional{number} : std::nullopt;
}

// 409 of "HTTP/1.1 409 Conflict".
std::optional<std::size_t> status_in(BytesView answer) {
    const std::size_t blank = answer.find(' ');
    if (!answer.starts_with("HTTP/") || blank == BytesView::npos) return std::nullopt;
    return number_at(answer.substr(blank + 1));
}

// The place that the message of a failed operation begins with.
std::optional<std::size_t> place_in(BytesView answer) {
    const auto json = nlohmann::json::parse(section_of(answer).body, nullptr, false);
    const nlohmann::json::json_pointer value{"/odata.error/message/value"};
    if (!json.is_object() || !json.contains(value) || !json[value].is_string()) {
        return std::nullopt;
    }
    const Bytes message = json[value].get<std::string>();
    const std::size_t colon = message.find(':');
    const bool digits = colon != Bytes::npos && colon > 0 &&
                        message.find_first_not_of("0123456789") == colon;
    return digits ? number_at(message) : std::nullopt;
}

bool may_pass(std::size_t status) {
    return (status >= 500 && status != 501) || status == 429 || status == 408;
}

// The answers to the operations, each a status line, headers, and a body; empty if there are none.
std::vector<BytesView> answers_in(const HttpResult& result) {
    const BytesView outer = boundary_in(result.header("content-type"));
    if (outer.empty()) return {};
    const auto batch = parts_of(result.body, outer);
    if (!batch || batch->size() != 1) return {};
    const Section changeset = section_of(batch->front());
    // A batch that failed may be answered without a changeset.
    const BytesView inner = nested_boundary(changeset.head);
    if (inner.empty()) return {changeset.body};
    const auto parts = parts_of(changeset.body, inner);
    if (!parts) return {};
    std::vector<BytesView> out;
    for (const BytesView part : *parts) out.push_back(section_of(part).body);
    return out;
}

}  // namespace

Bytes batch_part(const TableCall& call, BytesView account_url) {
    Bytes out{part_head};
    out.append(call.method).append(" ").append(account_url).append(call.path);
    out.append(" HTTP/1.1").append(line_end);
    for (const HttpHeader& header : call.headers) {
        out.append(header.name).append(": ").append(header.value).append(line_end);
    }
    out.append("DataServiceVersion: 3.0;").append(line_end).append(line_end);
    return out.append(call.body).append(line_end);
}

std::size_t batch_bytes(std::size_t parts, std::size_t parts_bytes) {
    const Boundaries boundaries{digest({})};
    const std::size_t delimiter = 2 + boundaries.changeset.size() + line_end.size();
    return batch_body({}, boundaries).size() + parts * delimiter + parts_bytes;
}

TableCall batch_call(const std::vector<Bytes>& parts) {
    Bytes all;
    for (const Bytes& part : parts) all.append(part);
    const Boundaries boundaries{digest(all)};
    return {"POST",
            "/$batch",
            {},
            {{"Accept", "application/json;odata=minimalmetadata"},
             {"Content-Type", "multipart/mixed; boundary=" + boundaries.batch}},
            batch_body(parts, boundaries),
            "Entity Group Transaction"};
}

std::string_view read_batch_answer(const HttpResult& result, std::size_t operations,
                                   BatchAnswer& out) {
    const std::vector<BytesView> answers = answers_in(result);
    if (answers.empty()) return no_batch;
    BatchAnswer said{true, std::nullopt};
    for (const BytesView answer : answers) {
        const std::optional<std::size_t> status = status_in(answer);
        if (!status) return no_batch;
        if (*status >= 200 && *status < 300) continue;
        if (may_pass(*status)) return "a batch that cannot be done for now";
        said = {false, place_in(answer)};
        if (said.failed && *said.failed >= operations) said.failed.reset();
        break;
    }
    if (said.done && answers.size() != operations) return "an answer to a part of a batch";
    out = said;
    return {};
}

}  // namespace idxfsck::store
