#include "reports/spec_file.hpp"

#include <fmt/format.h>

#include "audit/language/nearest.hpp"
#include "reports/escape.hpp"
#include "reports/text_file.hpp"
#include "store/error.hpp"

namespace idxfsck::reports {

namespace {

constexpr std::size_t line_bytes_max = 160;

// Line `number`, counted from 1, without its end.
std::string_view line_of(std::string_view text, std::uint32_t number) {
    for (std::uint32_t line = 1; line < number; ++line) {
        const std::size_t end = text.find('\n');
        if (end == text.npos) return {};
        text.remove_prefix(end + 1);
    }
    std::string_view line = text.substr(0, text.find('\n'));
    if (line.ends_with('\r')) line.remove_suffix(1);
    return line;
}

// How many columns of a terminal escaped text takes: a caret must stand under its mistake.
std::size_t columns_of(std::string_view escaped) {
    std::size_t columns = 0;
    for (const char byte : escaped) columns += (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
    return columns;
}

// The first `count` characters of UTF-8 text: the columns of complaints count characters.
std::string_view characters(std::string_view text, std::size_t count) {
    std::size_t end = 0;
    while (end < text.size() && count > 0) {
        ++end;
        while (end < text.size() && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) ++end;
        --count;
    }
    return text.substr(0, end);
}

std::string excerpt(std::string_view line, const audit::SpecPlace& place) {
    const std::string_view shown = characters(line, line_bytes_max);
    const std::string_view before = characters(shown, place.column > 0 ? place.column - 1 : 0);
    return fmt::format("{:5} | {}\n      | {:>{}}\n", place.line, escape_terminal(shown), "^",
                       columns_of(escape_terminal(before)) + 1);
}

}  // namespace

CheckedSpec check_spec_file(const std::string& path) {
    std::string text = read_text_file(path, "spec", spec_bytes_max);
    return {text, audit::read_spec(path, text)};
}

std::string complaint_text(const std::string& path, std::string_view spec_text,
                           const audit::Complaint& complaint) {
    const audit::SpecPlace& place = complaint.place;
    std::string text = escape_terminal(path);
    if (place.line > 0) text.append(fmt::format(":{}:{}", place.line, place.column));
    text.append(": ").append(escape_terminal(complaint.text));
    if (!complaint.seen.empty()) {
        text.append(": ").append(quote_terminal(complaint.seen, shown_bytes_max));
    }
    text.append("\n");
    const std::string_view line = line_of(spec_text, place.line);
    if (place.line > 0 && !line.empty()) text.append(excerpt(line, place));
    if (!complaint.hint.empty()) {
        text.append("  hint: ").append(escape_terminal(complaint.hint)).append("\n");
    }
    return text;
}

audit::Spec require_spec(const std::string& path, Streams& streams) {
    CheckedSpec checked = check_spec_file(path);
    if (auto* spec = std::get_if<audit::Spec>(&checked.outcome)) return std::move(*spec);
    const auto& complaints = std::get<std::vector<audit::Complaint>>(checked.outcome);
    for (const audit::Complaint& complaint : complaints) {
        streams.error.write(complaint_text(path, checked.text, complaint));
    }
    throw store::Error{"the spec does not make sense", store::Trouble::usage}
        .with("spec", path)
        .with("complaints", std::to_string(complaints.size()))
        .hint("nothing was read or written");
}

void check_index_name(const std::string& name, const audit::Spec& spec) {
    if (spec.index(name) != nullptr) return;
    std::vector<std::string_view> known;
    for (const audit::IndexSpec& index : spec.indexes) known.push_back(index.name);
    throw store::Error{"the spec has no such index", store::Trouble::usage}
        .with("option", "--index")
        .with("value", name)
        .hint(audit::language::suggest(name, known));
}

}  // namespace idxfsck::reports
