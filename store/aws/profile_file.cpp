#include "store/aws/profile_file.hpp"

#include <filesystem>

#include "store/private_file.hpp"

namespace idxfsck::store {

namespace {

constexpr std::uint64_t file_bytes_max = 1 << 20;

bool is_blank(char character) {
    return character == ' ' || character == '\t' || character == '\r';
}

BytesView trimmed(BytesView text) {
    while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
    return text;
}

BytesView unquoted(BytesView text) {
    const bool quoted = text.size() >= 2 && text.front() == '"' && text.back() == '"';
    return quoted ? text.substr(1, text.size() - 2) : text;
}

// The rest of `text` after a first word, or nothing if it does not begin with the word.
std::optional<BytesView> after_word(BytesView text, BytesView word) {
    if (!text.starts_with(word) || text.size() <= word.size()) return std::nullopt;
    if (!is_blank(text[word.size()])) return std::nullopt;
    return unquoted(trimmed(text.substr(word.size())));
}

// Where the settings of a section go; nowhere if it is of no use here.
ProfileSection* section_of(Profiles& profiles, BytesView title, ProfileFile file) {
    title = trimmed(title);
    if (file == ProfileFile::credentials) return &profiles.profiles[std::string{unquoted(title)}];
    if (title == "default") return &profiles.profiles["default"];
    if (const auto name = after_word(title, "profile")) {
        return &profiles.profiles[std::string{*name}];
    }
    if (const auto name = after_word(title, "sso-session")) {
        return &profiles.sso_sessions[std::string{*name}];
    }
    return nullptr;
}

// A comment begins at a mark with a blank before it.
BytesView without_comment(BytesView text) {
    for (std::size_t place = 1; place < text.size(); ++place) {
        const bool mark = text[place] == '#' || text[place] == ';';
        if (mark && is_blank(text[place - 1])) return text.substr(0, place);
    }
    return text;
}

void read_into(Profiles& profiles, const std::string& path, ProfileFile file) {
    std::error_code ignored;
    if (!std::filesystem::exists(path, ignored)) return;
    add_profiles(profiles, read_file(path, file_bytes_max, Links::follow), file);
}

std::optional<std::string> path_of(const AwsSurroundings& around, const std::string& variable,
                                   const std::string& name) {
    std::optional<std::string> path = around.variable(variable);
    const std::optional<std::string> home = around.variable("HOME");
    if (path && path->starts_with("~/") && home) return *home + path->substr(1);
    if (path) return path;
    const std::optional<std::string> folder = aws_folder(around);
    if (!folder) return std::nullopt;
    return *folder + "/" + name;
}

}  // namespace

const ProfileSection* Profiles::find(const std::string& name) const {
    const auto found = profiles.find(name);
    return found == profiles.end() ? nullptr : &found->second;
}

void add_profiles(Profiles& profiles, BytesView text, ProfileFile file) {
    ProfileSection* section = nullptr;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const BytesView line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.empty() || is_blank(line[0]) || line[0] == '#' || line[0] == ';') continue;
        if (line[0] == '[') {
            const std::size_t close = line.find(']');
            section = close == BytesView::npos
                          ? nullptr
                          : section_of(profiles, line.substr(1, close - 1), file);
            continue;
        }
        const std::size_t equals = line.find('=');
        if (section == nullptr || equals == BytesView::npos) continue;
        const std::string name{trimmed(line.substr(0, equals))};
        (*section)[name] = trimmed(without_comment(line.substr(equals)).substr(1));
    }
}

Profiles read_profiles(const AwsSurroundings& around) {
    Profiles profiles;
    if (const auto path = path_of(around, "AWS_CONFIG_FILE", "config")) {
        read_into(profiles, *path, ProfileFile::config);
    }
    if (const auto path = path_of(around, "AWS_SHARED_CREDENTIALS_FILE", "credentials")) {
        read_into(profiles, *path, ProfileFile::credentials);
    }
    return profiles;
}

std::string profile_name(const AwsSurroundings& around) {
    return around.variable("AWS_PROFILE").value_or("default");
}

std::optional<std::string> aws_folder(const AwsSurroundings& around) {
    const std::optional<std::string> home = around.variable("HOME");
    if (!home) return std::nullopt;
    return *home + "/.aws";
}

std::string setting_of(const ProfileSection& section, const std::string& name) {
    const auto found = section.find(name);
    return found == section.end() ? std::string{} : found->second;
}

}  // namespace idxfsck::store
