#include "store/json/json_diagnosis.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "store/json/scalar_text.hpp"

namespace idxfsck::store {

namespace {

using nlohmann::json;

constexpr std::size_t detail_bytes_max = 160;

// Follows the parser and keeps nothing but the place and the words of its complaint.
class Complaint : public nlohmann::json_sax<json> {
public:
    bool found = false;
    std::size_t bytes_read = 0;
    std::string words;

    bool null() override { return true; }
    bool boolean(bool) override { return true; }
    bool number_integer(json::number_integer_t) override { return true; }
    bool number_unsigned(json::number_unsigned_t) override { return true; }
    bool number_float(json::number_float_t, const json::string_t&) override { return true; }
    bool string(json::string_t&) override { return true; }
    bool binary(json::binary_t&) override { return true; }
    bool start_object(std::size_t) override { return true; }
    bool key(json::string_t&) override { return true; }
    bool end_object() override { return true; }
    bool start_array(std::size_t) override { return true; }
    bool end_array() override { return true; }

    bool parse_error(std::size_t position, const std::string&,
                     const nlohmann::detail::exception& error) override {
        found = true;
        bytes_read = position;
        words = error.what();
        return false;
    }
};

// "[json.exception.parse_error.101] parse error at line 1, column 5: syntax error while parsing
// value - invalid literal; last read: '…'": only what is between the place and the bytes read.
Bytes middle_of(const std::string& words) {
    const std::size_t colon = words.find(": ");
    const std::size_t begin = colon == std::string::npos ? 0 : colon + 2;
    const std::size_t end = words.find("; last read", begin);
    return words.substr(begin, std::min(end - begin, detail_bytes_max));
}

}  // namespace

LineProblem diagnose_json(BytesView line) {
    Complaint complaint;
    json::sax_parse(line, &complaint);
    LineProblem problem{"bad JSON", 0, {}, {}};
    if (!complaint.found) return problem;
    problem.offset = std::min(complaint.bytes_read, line.size() + 1);
    if (problem.offset > 0) --problem.offset;
    const std::size_t valid_size = valid_utf8_size(line);
    if (valid_size < line.size() && valid_size <= problem.offset) {
        problem.cause = "bytes that are not UTF-8";
        problem.offset = valid_size;
    } else if (problem.offset >= line.size()) {
        problem.cause = "the line ends in the middle of its JSON";
    } else {
        problem.detail = middle_of(complaint.words);
    }
    return problem;
}

}  // namespace idxfsck::store
