// tests/repair/journal_memory.hpp
//
// A journal in a string that outlives it, on a disk that fills up when a test says so.

#pragma once

#include <algorithm>
#include <string>

#include "repair/journal.hpp"
#include "store/error.hpp"

namespace idxfsck::tests {

class MemoryJournalFile : public repair::JournalFile {
public:
    explicit MemoryJournalFile(std::string& text) : text_{text} {}

    std::string read() override { return text_; }
    void truncate(std::uint64_t bytes) override { text_.resize(bytes); }
    void append(std::string_view bytes) override {
        const std::size_t fits = std::min(bytes.size(), bytes_left);
        text_.append(bytes.substr(0, fits));
        bytes_left -= fits;
        if (fits < bytes.size()) throw store::Error{"no space left on the disk"};
    }
    void sync() override { ++syncs; }

    std::size_t bytes_left = std::size_t{1} << 30;
    std::size_t syncs = 0;

private:
    std::string& text_;
};

}  // namespace idxfsck::tests
