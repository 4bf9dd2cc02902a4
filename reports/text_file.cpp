#include "reports/text_file.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

#include "store/error.hpp"

namespace idxfsck::reports {

namespace {

constexpr std::size_t chunk_bytes = 64 * 1024;

store::Error trouble_with(const char* text, store::Trouble trouble, const char* what,
                          const std::string& path) {
    store::Error error{text, trouble};
    error.with(what, path).with("cause", std::strerror(errno));
    return error;
}

std::string read_all(int file, const char* what, const std::string& path, std::size_t bytes_max) {
    std::string text;
    while (true) {
        const std::size_t size = text.size();
        text.resize(size + chunk_bytes);
        const ssize_t got = ::read(file, text.data() + size, chunk_bytes);
        if (got < 0 && errno != EINTR && errno != EISDIR) {
            throw trouble_with("cannot read the file", store::Trouble::could_not_tell, what, path);
        }
        if (got < 0 && errno == EISDIR) {
            throw trouble_with("cannot read the file", store::Trouble::usage, what, path);
        }
        text.resize(size + static_cast<std::size_t>(got < 0 ? 0 : got));
        if (got == 0) return text;
        if (text.size() > bytes_max) {
            throw store::Error{"the file is too long", store::Trouble::usage}
                .with(what, path)
                .with("bytes_max", std::to_string(bytes_max));
        }
    }
}

}  // namespace

std::string read_text_file(const std::string& path, const char* what, std::size_t bytes_max) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
    if (file < 0) throw trouble_with("cannot open the file", store::Trouble::usage, what, path);
    try {
        std::string text = read_all(file, what, path, bytes_max);
        ::close(file);
        return text;
    } catch (...) {
        ::close(file);
        throw;
    }
}

}  // namespace idxfsck::reports
