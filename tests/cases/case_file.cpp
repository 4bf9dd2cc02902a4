#include "case_file.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <variant>

#include "audit/spec_toml.hpp"

namespace idxfsck::tests {

namespace {

namespace fs = std::filesystem;
using store::Json;

const fs::path folder = fs::path{IDXFSCK_TESTS_FOLDER} / "cases";

std::string read_file(const fs::path& path) {
    std::ifstream stream{path, std::ios::binary};
    return {std::istreambuf_iterator<char>{stream}, {}};
}

std::vector<Json> read_lines() {
    std::ifstream stream{folder / "cases.jsonl"};
    std::vector<Json> lines;
    for (std::string line; std::getline(stream, line);) lines.push_back(Json::parse(line));
    return lines;
}

audit::Spec read_case_spec(const fs::path& path, const std::string& text) {
    auto read = audit::read_spec(path.filename().string(), text);
    if (const auto* complaints = std::get_if<std::vector<audit::Complaint>>(&read)) {
        const audit::Complaint& first = complaints->front();
        throw std::runtime_error{path.filename().string() + ":" +
                                 std::to_string(first.place.line) + ": " + first.text + ": " +
                                 first.seen + " (" + first.hint + ")"};
    }
    return std::get<audit::Spec>(std::move(read));
}

Json settings_of(const std::string& text) {
    std::istringstream stream{text};
    std::string settings;
    for (std::string line; std::getline(stream, line);) {
        if (line.starts_with("#:")) settings += line.substr(2);
    }
    return settings.empty() ? Json::object() : Json::parse(settings);
}

Case load_case(const fs::path& path, const Json& line) {
    const std::string text = read_file(path);
    Case loaded;
    loaded.name = path.stem().string();
    loaded.base_rows = line.at("base_rows");
    loaded.index_rows = line.at("index_rows");
    loaded.expected = line.at("expected");
    loaded.settings = line.value("context", Json::object());
    const std::size_t dot = loaded.name.find('.');
    if (dot != std::string::npos) {
        const std::string variant = loaded.name.substr(dot + 1);
        loaded.expected = loaded.settings.at("variant_" + variant + "_expected");
    }
    loaded.settings.update(settings_of(text));
    if (loaded.settings.contains("instead")) loaded.expected.update(loaded.settings["instead"]);
    loaded.spec = read_case_spec(path, text);
    return loaded;
}

}  // namespace

std::vector<std::string> case_ids() {
    std::vector<std::string> ids;
    for (const Json& line : read_lines()) ids.push_back(line.at("id"));
    return ids;
}

std::vector<Case> load_cases() {
    std::map<std::string, Json> lines;
    for (Json& line : read_lines()) lines.emplace(line.at("id"), std::move(line));
    std::vector<fs::path> paths;
    for (const auto& entry : fs::directory_iterator{folder}) {
        if (entry.path().extension() == ".toml") paths.push_back(entry.path());
    }
    std::sort(paths.begin(), paths.end());
    std::vector<Case> cases;
    for (const fs::path& path : paths) {
        const std::string stem = path.stem().string();
        cases.push_back(load_case(path, lines.at(stem.substr(0, stem.find('.')))));
    }
    return cases;
}

std::string cases_page() {
    return read_file(folder / "README.md");
}

}  // namespace idxfsck::tests
