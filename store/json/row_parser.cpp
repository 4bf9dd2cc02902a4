#include "store/json/row_parser.hpp"

#include <algorithm>

#include "store/json/json_diagnosis.hpp"
#include "store/json/line_walk.hpp"

namespace idxfsck::store {

namespace {

using Walk = bool (*)(LineWalk&, ondemand::object);

Walk walk_of(Shape shape) {
    if (shape == Shape::dynamodb) return walk_dynamodb;
    return shape == Shape::azure ? walk_azure : walk_plain;
}

bool by_name(const ParsedAttribute& a, const ParsedAttribute& b) { return a.name < b.name; }

}  // namespace

struct RowParser::State {
    Shape shape = Shape::plain;
    ondemand::parser parser;
    LineWalk walk;

    bool run(BytesView line, Walk step);
    bool sort_row();
    std::optional<LineProblem> finish(bool whole);
};

bool RowParser::State::run(BytesView line, Walk step) {
    walk.start(line);
    const simdjson::padded_string_view padded{line, line.size() + line_padding};
    ondemand::document document;
    if (parser.iterate(padded).get(document) != simdjson::SUCCESS) return walk.fail_json();
    ondemand::object object;
    const simdjson::error_code code = document.get_object().get(object);
    if (code == simdjson::INCORRECT_TYPE) {
        return walk.fail("a row that is no JSON object", line.data());
    }
    if (code != simdjson::SUCCESS) return walk.fail_json();
    if (!step(walk, object)) return false;
    // At the end of the document there is no location any more. Before it, something follows.
    const bool at_end = document.current_location().error() == simdjson::OUT_OF_BOUNDS;
    return at_end || walk.fail_json();
}

// Sorts by name, and finds names that come twice.
bool RowParser::State::sort_row() {
    std::vector<ParsedAttribute>& row = walk.row;
    if (!std::is_sorted(row.begin(), row.end(), by_name)) {
        std::sort(row.begin(), row.end(), by_name);
    }
    const auto same = [](const ParsedAttribute& a, const ParsedAttribute& b) {
        return a.name == b.name;
    };
    const auto twice = std::adjacent_find(row.begin(), row.end(), same);
    if (twice == row.end()) return true;
    const std::size_t second = std::max(twice->offset, std::next(twice)->offset);
    walk.attribute = twice->name;
    return walk.fail("duplicate member", walk.line.data() + second);
}

std::optional<LineProblem> RowParser::State::finish(bool whole) {
    if (whole && sort_row()) return std::nullopt;
    // What has no cause is broken JSON. A line that is broken as JSON further on, too, is reported
    // with the cause that came first.
    if (walk.problem.cause.empty()) return diagnose_json(walk.line);
    return std::move(walk.problem);
}

RowParser::RowParser(Shape shape, Wrappers wrappers) : state_{std::make_unique<State>()} {
    state_->shape = shape;
    state_->walk.wrappers = wrappers == Wrappers::read;
}
RowParser::RowParser(RowParser&&) noexcept = default;
RowParser& RowParser::operator=(RowParser&&) noexcept = default;
RowParser::~RowParser() = default;

std::optional<LineProblem> RowParser::parse(BytesView line) {
    State& state = *state_;
    std::optional<LineProblem> problem = state.finish(state.run(line, walk_of(state.shape)));
    if (!problem || state.shape != Shape::dynamodb) return problem;
    // It may still be an item without the wrapper that has an attribute called Item.
    if (!state.finish(state.run(line, walk_bare_dynamodb))) return std::nullopt;
    return problem;
}

std::span<const ParsedAttribute> RowParser::attributes() const { return state_->walk.row; }

}  // namespace idxfsck::store
