// tests/reports/run_program.hpp
//
// Runs the built program as a user's shell would, and keeps what came of it.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace idxfsck::reports {

struct Ran {
    int status = -1;       // exit status; 1000 and the number of the signal that ended it
    std::string out;
    std::string error;
};

struct RunSettings {
    std::string folder;                              // where it runs; empty: here
    std::map<std::string, std::string> environment;  // set on top of ours
    std::string input;                               // standard input
    std::string out_file;                            // standard output goes there: /dev/full
    bool out_closed = false;                         // standard output is closed
    bool on_terminal = false;                        // standard error is a terminal; its bytes are
                                                     // in `error` as the terminal got them
    std::size_t terminal_columns = 80;
    std::function<bool()> interrupt_when;            // SIGINT once this is true
};

Ran run_idxfsck(const std::vector<std::string>& words, const RunSettings& settings = {});

// A folder of its own, gone with the object.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::string& path() const { return path_; }
    std::string file(const std::string& name) const { return path_ + "/" + name; }
    void write(const std::string& name, const std::string& text) const;
    std::string read(const std::string& name) const;

private:
    std::string path_;
};

}  // namespace idxfsck::reports
