// tests/store/scratch_folder.hpp
//
// A folder of its own for a test, gone with it.

#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>

namespace idxfsck::store {

class ScratchFolder {
public:
    ScratchFolder() : path_{(std::filesystem::temp_directory_path() / "idxfsck-XXXXXX").string()} {
        if (::mkdtemp(path_.data()) == nullptr) std::abort();
    }
    ~ScratchFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::string& path() const { return path_; }

private:
    std::string path_;
};

}  // namespace idxfsck::store
