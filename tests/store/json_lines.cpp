#include "json_lines.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "store/error.hpp"
#include "store/json/byte_sink.hpp"
#include "store/json/row_writer.hpp"

namespace idxfsck::store {

ParsedLine parse_line(Shape shape, BytesView line) {
    // No longer than needed, so that a sanitizer sees every step beyond the padding.
    std::vector<char> padded(line.begin(), line.end());
    padded.resize(line.size() + line_padding, '\n');
    const BytesView view{padded.data(), line.size()};
    RowParser parser{shape == Shape::automatic ? detect_shape(view) : shape};
    ParsedLine out;
    out.problem = parser.parse(view);
    if (out.problem) return out;
    for (const ParsedAttribute& attribute : parser.attributes()) {
        out.attributes.push_back({Bytes{attribute.name}, Value{attribute.value}});
    }
    return out;
}

Bytes write_line(Shape shape, const std::vector<NamedValue>& attributes) {
    const std::vector<Bytes> no_key;
    Bytes out;
    RowWriter{shape, no_key}.append(out, {}, encode_attributes(attributes));
    out.pop_back();
    return out;
}

TestFolder::TestFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "idxfsck-XXXXXX").string();
    ensure(::mkdtemp(name.data()) != nullptr, "a test can make a folder");
    folder_ = name;
}

TestFolder::~TestFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

std::string TestFolder::file(const std::string& name, BytesView bytes) const {
    std::ofstream{path(name), std::ios::binary} << bytes;
    return path(name);
}

std::vector<std::string> TestFolder::names() const {
    std::vector<std::string> out;
    for (const auto& entry : std::filesystem::directory_iterator{folder_}) {
        out.push_back(entry.path().filename().string());
    }
    std::sort(out.begin(), out.end());
    return out;
}

Bytes read_file(const std::string& path) {
    std::ostringstream out;
    out << std::ifstream{path, std::ios::binary}.rdbuf();
    return out.str();
}

Bytes gzip(BytesView bytes) {
    auto memory = std::make_unique<MemorySink>();
    const MemorySink& compressed = *memory;
    const std::unique_ptr<ByteSink> sink = gzip_into(std::move(memory));
    sink->write(bytes);
    sink->finish();
    return compressed.bytes();
}

}  // namespace idxfsck::store
