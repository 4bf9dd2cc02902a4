// tests/simulation/journal_disk.hpp
//
// The disk under a journal: what was synced stays; of the rest a crash of the machine leaves any
// part, perhaps with zeros at its end.

#pragma once

#include <functional>
#include <string>

#include "repair/journal.hpp"
#include "tests/simulation/fate.hpp"
#include "tests/simulation/random.hpp"

namespace idxfsck::simulation {

struct JournalDisk {
    std::string synced;
    std::string unsynced;

    std::string text() const { return synced + unsynced; }

    // The machine went down. True if a record was cut.
    bool crash(Random& random) {
        const std::size_t kept = random.below(unsynced.size() + 1);
        std::string left = unsynced.substr(0, kept);
        if (kept > 0 && random.happens(0.3)) {
            for (std::size_t place = random.below(kept); place < kept; ++place) left[place] = '\0';
        }
        const bool torn = left != unsynced && !left.empty() && left.back() != '\n';
        synced += left;
        unsynced.clear();
        return torn;
    }
};

class JournalDiskFile : public repair::JournalFile {
public:
    // `call` is a switch point; what it gives may kill the program there.
    JournalDiskFile(JournalDisk& disk, std::function<Fault(const std::string&)> call,
                    Random random)
        : disk_{disk}, call_{std::move(call)}, random_{random} {}

    std::string read() override { return disk_.text(); }

    void truncate(std::uint64_t bytes) override {
        std::string text = disk_.text();
        text.resize(bytes);
        disk_.synced = text;
        disk_.unsynced.clear();
    }

    void append(std::string_view bytes) override {
        const Fault fault = call_("appends to its journal");
        if (fault == Fault::killed_before) throw Killed{};
        if (fault == Fault::killed_after) {
            disk_.unsynced += bytes.substr(0, random_.below(bytes.size() + 1));
            throw Killed{};
        }
        disk_.unsynced += bytes;
    }

    void sync() override {
        const Fault fault = call_("syncs its journal");
        if (fault == Fault::killed_before) throw Killed{};
        disk_.synced += disk_.unsynced;
        disk_.unsynced.clear();
        if (fault == Fault::killed_after) throw Killed{};
    }

private:
    JournalDisk& disk_;
    std::function<Fault(const std::string&)> call_;
    Random random_;
};

}  // namespace idxfsck::simulation
