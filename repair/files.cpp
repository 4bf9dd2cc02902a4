// The files of repair/ on disk: plan and journal.

#include <filesystem>

#include "repair/journal.hpp"
#include "repair/plan_json.hpp"
#include "store/error.hpp"
#include "store/private_file.hpp"

namespace idxfsck::repair {

namespace {

class DiskJournalFile : public JournalFile {
public:
    explicit DiskJournalFile(const std::string& path) : file_{open_or_create(path)} {}

    std::string read() override { return store::read_file(file_.path(), journal_bytes_max); }
    void truncate(std::uint64_t bytes) override { file_.truncate(bytes); }
    void append(std::string_view bytes) override { file_.append(bytes); }
    void sync() override { file_.sync(); }

private:
    static store::AppendFile open_or_create(const std::string& path) {
        std::error_code ignored;
        const bool is_there =
            std::filesystem::symlink_status(path, ignored).type() !=
            std::filesystem::file_type::not_found;
        return is_there ? store::AppendFile::open(path) : store::AppendFile::create(path);
    }

    store::AppendFile file_;
};

}  // namespace

void save_plan(const std::string& path, const Plan& plan) {
    store::replace_file(path, write_plan(plan));
}

Plan load_plan(const std::string& path) {
    try {
        return read_plan(store::read_file(path, plan_bytes_max));
    } catch (store::Error& error) {
        error.with("plan", path);
        throw;
    }
}

std::optional<JournalContents> load_journal(const std::string& path) {
    try {
        return read_journal(store::read_file(path, journal_bytes_max));
    } catch (store::Error& error) {
        error.with("journal", path);
        throw;
    }
}

std::unique_ptr<JournalFile> open_journal_file(const std::string& path) {
    return std::make_unique<DiskJournalFile>(path);
}

}  // namespace idxfsck::repair
