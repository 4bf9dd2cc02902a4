#include "store/json/ndjson_reader.hpp"

namespace idxfsck::store {

NdjsonReader::NdjsonReader(std::string file, Shape shape, std::size_t line_bytes_max)
    : lines_{std::move(file), line_bytes_max}, shape_{shape} {
    if (shape_ != Shape::automatic) parser_.emplace(shape_);
}

bool NdjsonReader::next() {
    const std::optional<BytesView> line = lines_.next();
    if (!line) return false;
    if (!parser_) {
        shape_ = detect_shape(*line);
        parser_.emplace(shape_);
    }
    if (const std::optional<LineProblem> problem = parser_->parse(*line)) throw error(*problem);
    return true;
}

Error NdjsonReader::error(const LineProblem& problem) const {
    Error error{"a line is no row"};
    error.with("file", file()).with("line", std::to_string(line()));
    error.with("column", std::to_string(problem.offset + 1)).with("cause", problem.cause);
    if (!problem.attribute.empty()) error.with("attribute", problem.attribute);
    if (!problem.detail.empty()) error.with("detail", problem.detail);
    error.with("shape", shape_name(shape_));
    return error;
}

}  // namespace idxfsck::store
