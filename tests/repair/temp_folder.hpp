// tests/repair/temp_folder.hpp
//
// A new folder that goes with the test.

#pragma once

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

namespace idxfsck::tests {

class TempFolder {
public:
    TempFolder() : path_{(std::filesystem::temp_directory_path() / "idxfsck-XXXXXX").string()} {
        if (::mkdtemp(path_.data()) == nullptr) throw std::runtime_error{"no temporary folder"};
    }
    ~TempFolder() { std::filesystem::remove_all(path_); }
    TempFolder(const TempFolder&) = delete;
    TempFolder& operator=(const TempFolder&) = delete;

    const std::string& path() const { return path_; }

private:
    std::string path_;
};

}  // namespace idxfsck::tests
