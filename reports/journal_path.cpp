#include "reports/journal_path.hpp"

#include <filesystem>
#include <vector>

#include "repair/journal.hpp"
#include "store/error.hpp"

namespace idxfsck::reports {

namespace {

namespace fs = std::filesystem;

constexpr int journals_max = 1000;

std::string numbered(const std::string& folder, int number) {
    const std::string suffix = number == 1 ? "" : "-" + std::to_string(number);
    return folder + "/journal" + suffix + ".ndjson";
}

bool is_free_for(const std::string& path, const std::string& plan_digest) {
    if (!fs::exists(fs::symlink_status(path))) return true;
    const auto journal = repair::load_journal(path);
    return !journal || journal->header.plan_digest == plan_digest;
}

}  // namespace

std::string journal_path(const std::string& folder, const std::string& plan_digest) {
    for (int number = 1; number <= journals_max; ++number) {
        std::string path = numbered(folder, number);
        if (is_free_for(path, plan_digest)) return path;
    }
    throw store::Error{"too many journals in one folder", store::Trouble::usage}
        .with("folder", folder)
        .hint("move those that are not needed for an undo elsewhere");
}

std::string find_journal(const std::string& path) {
    if (!fs::is_directory(path)) return path;
    std::vector<std::string> journals;
    for (int number = 1; number <= journals_max; ++number) {
        if (!fs::exists(numbered(path, number))) break;
        journals.push_back(numbered(path, number));
    }
    if (journals.size() == 1) return journals.front();
    store::Error error{journals.empty() ? "there is no journal in the folder"
                                        : "there is more than one journal in the folder",
                       store::Trouble::usage};
    error.with("folder", path);
    if (!journals.empty()) error.hint("name one of them; the last is " + journals.back());
    throw error;
}

std::string undo_path(const std::string& journal) {
    const fs::path path{journal};
    return (path.parent_path() / (path.stem().string() + ".undo.ndjson")).string();
}

}  // namespace idxfsck::reports
