#include "reports/output.hpp"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

namespace idxfsck::reports {

namespace {

constexpr std::size_t buffer_bytes_max = 64 * 1024;
constexpr std::size_t columns_unknown = 80;

}  // namespace

void Output::write(std::string_view bytes) {
    buffer_.append(bytes);
    if (buffer_.size() >= buffer_bytes_max) flush();
}

void Output::flush() {
    std::string_view rest = buffer_;
    while (!rest.empty() && !failed()) {
        const ssize_t written = ::write(descriptor_, rest.data(), rest.size());
        if (written >= 0) {
            rest.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno != EINTR) {
            error_number_ = errno;
        }
    }
    buffer_.clear();
}

std::string Output::cause() const {
    return failed() ? std::strerror(error_number_) : "";
}

bool Output::is_terminal() const {
    return ::isatty(descriptor_) == 1;
}

std::size_t Output::columns() const {
    winsize size{};
    if (::ioctl(descriptor_, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return columns_unknown;
    return size.ws_col;
}

void hold_standard_descriptors() {
    for (int descriptor = STDIN_FILENO; descriptor <= STDERR_FILENO; ++descriptor) {
        if (::fcntl(descriptor, F_GETFD) != -1) continue;
        // The lowest free number is the one that is missing, as those below it are open.
        const int mode = descriptor == STDERR_FILENO ? O_WRONLY : O_RDONLY;
        if (::open("/dev/null", mode) < 0) return;
    }
}

}  // namespace idxfsck::reports
