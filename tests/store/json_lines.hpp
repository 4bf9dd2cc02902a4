// tests/store/json_lines.hpp
//
// Helpers of the NDJSON tests: one line parsed, one row written, files in a folder of their own.

#pragma once

#include <filesystem>

#include "store/json/row_parser.hpp"
#include "store/row.hpp"

namespace idxfsck::store {

// The attributes of a line, or the problem. An automatic shape is found out first.
struct ParsedLine {
    std::vector<NamedValue> attributes;
    std::optional<LineProblem> problem;
};

ParsedLine parse_line(Shape shape, BytesView line);

// The row {attributes} without key as a line, without its end.
Bytes write_line(Shape shape, const std::vector<NamedValue>& attributes);

// A folder that goes away with the test.
class TestFolder {
public:
    TestFolder();
    TestFolder(const TestFolder&) = delete;
    TestFolder& operator=(const TestFolder&) = delete;
    ~TestFolder();

    std::string path(const std::string& name) const { return (folder_ / name).string(); }
    // Writes a file, and gives its path.
    std::string file(const std::string& name, BytesView bytes) const;
    std::vector<std::string> names() const;

private:
    std::filesystem::path folder_;
};

Bytes read_file(const std::string& path);

// `bytes` as one gzip member.
Bytes gzip(BytesView bytes);

}  // namespace idxfsck::store
