#include "audit/language/ast.hpp"

#include "audit/language/lexer.hpp"

namespace idxfsck::audit::language {

namespace {

void append_name(std::string& out, const std::string& name) {
    if (is_plain_name(name)) {
        out += name;
        return;
    }
    out += '`';
    for (const char character : name) {
        if (character == '`') out += '`';
        out += character;
    }
    out += '`';
}

}  // namespace

std::string Path::text() const {
    std::string out;
    append_name(out, attribute);
    for (const PathStep& step : steps) {
        if (step.element) {
            out += '[' + std::to_string(*step.element) + ']';
        } else {
            if (!out.empty()) out += '.';
            append_name(out, step.name);
        }
    }
    return out;
}

}  // namespace idxfsck::audit::language
