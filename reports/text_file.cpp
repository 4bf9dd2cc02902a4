#include "reports/text_file.hpp"

#include <filesystem>

#include "store/private_file.hpp"

namespace idxfsck::reports {

std::string read_text_file(const std::string& path, const char* what, std::size_t bytes_max) {
    try {
        return store::read_file(path, bytes_max, store::Links::follow);
    } catch (const store::Error& cause) {
        store::Error error{cause.text(), store::Trouble::usage};
        error.with(what, path).hint(cause.hint());
        for (const auto& [name, value] : cause.fields()) {
            if (name != "path") error.with(name, value);
        }
        throw error;
    }
}

void require_there(const std::string& path, const char* what) {
    std::error_code ignored;
    if (std::filesystem::exists(path, ignored)) return;
    throw store::Error{"there is no file or folder of that name", store::Trouble::usage}.with(
        what, path);
}

}  // namespace idxfsck::reports
