// reports/output.hpp
//
// Standard output and standard error: the only way out for what people and scripts read.
//
// Shape    Buffered; an Output remembers the first write that failed, so that a report which was
//          cut short (a full disk, a closed pipe) can never end with status 0.
// Errors   Writing never throws. failed() and cause() tell, after flush().
// Threads  One thread at a time.

#pragma once

#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace idxfsck::reports {

class Output {
public:
    // Writes to an open file descriptor, which stays open.
    explicit Output(int descriptor) : descriptor_{descriptor} {}
    ~Output() { flush(); }
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;

    void write(std::string_view bytes);

    template <class... Arguments>
    void print(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
        write(fmt::format(format, std::forward<Arguments>(arguments)...));
    }

    void flush();

    bool failed() const { return error_number_ != 0; }
    // What the system said of the first write that failed.
    std::string cause() const;

    bool is_terminal() const;
    // Columns of the terminal; 80 where that cannot be known.
    std::size_t columns() const;

private:
    int descriptor_;
    int error_number_ = 0;
    std::string buffer_;
};

// Opens /dev/null on standard descriptors that are closed, so that no file of a store can get the
// number of standard output. That gets it for reading only: writes still fail, and are noticed.
void hold_standard_descriptors();

}  // namespace idxfsck::reports
