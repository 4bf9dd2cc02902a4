#include "store/error.hpp"

#include <cstdio>
#include <cstdlib>

namespace idxfsck::store {

namespace {

void append_escaped(std::string& out, std::string_view bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    for (const char character : bytes) {
        const auto byte = static_cast<unsigned char>(character);
        if (byte >= 0x20 && byte < 0x7f) {
            out.push_back(character);
        } else {
            out.append("\\x").push_back(digits[byte >> 4]);
            out.push_back(digits[byte & 15]);
        }
    }
}

}  // namespace

Error& Error::with(std::string_view name, std::string_view value) {
    fields_.emplace_back(name, value);
    return *this;
}

Error& Error::hint(std::string text) {
    hint_ = std::move(text);
    return *this;
}

const char* Error::what() const noexcept {
    line_ = text_;
    for (const auto& [name, value] : fields_) {
        line_.append(line_.size() == text_.size() ? ": " : " ").append(name).push_back('=');
        append_escaped(line_, value);
    }
    return line_.c_str();
}

void ensure(bool holds, const char* promise) {
    if (holds) return;
    std::fprintf(stderr, "idxfsck: bug: %s\n", promise);
    std::abort();
}

}  // namespace idxfsck::store
