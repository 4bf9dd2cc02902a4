// Making a store: whole, or not at all.

#include <filesystem>
#include <random>

#include <fcntl.h>
#include <unistd.h>

#include "store/error.hpp"
#include "store/rocksdb/rocksdb_error.hpp"
#include "store/rocksdb/rocksdb_store.hpp"

namespace idxfsck::store {

namespace {

namespace files = std::filesystem;

// A folder that is being made; gone again unless it was moved to its place.
class NewFolder {
public:
    explicit NewFolder(const std::string& target) {
        const files::path whole = files::absolute(target + "/.").lexically_normal().parent_path();
        above_ = whole.parent_path();
        std::random_device random;
        path_ = above_ / ("." + whole.filename().string() + "." + std::to_string(random()));
    }
    NewFolder(const NewFolder&) = delete;
    NewFolder& operator=(const NewFolder&) = delete;

    ~NewFolder() {
        std::error_code ignored;
        files::remove_all(path_, ignored);
    }

    std::string path() const { return path_.string(); }

    void move_to(const std::string& target) const {
        std::error_code error;
        files::rename(path_, target, error);
        if (error) {
            throw Error{"cannot make the folder of the store"}
                .with("store", target)
                .with("cause", error.message());
        }
        const int descriptor = ::open(above_.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (descriptor < 0) return;
        ::fsync(descriptor);
        ::close(descriptor);
    }

private:
    files::path above_;
    files::path path_;
};

// The error with the name that a person knows.
Error about(const Error& error, const std::string& made, const std::string& named) {
    Error renamed{error.text(), error.trouble()};
    renamed.hint(error.hint());
    for (auto [name, value] : error.fields()) {
        const std::size_t place = value.find(made);
        if (place != std::string::npos) value.replace(place, made.size(), named);
        renamed.with(name, value);
    }
    return renamed;
}

// Leaves the folder empty if it fails.
void make_store_in(const std::string& path) {
    try {
        const std::unique_ptr<Database> database = Database::create(path);
        rocksdb::WriteBatch batch;
        write_new_catalog(batch, new_catalog());
        rocksdb::WriteOptions synced;
        synced.sync = true;
        check_status(database->db().Write(synced, &batch), path);
    } catch (const Error&) {
        std::error_code ignored;
        for (const auto& entry : files::directory_iterator{path, ignored}) {
            files::remove_all(entry.path(), ignored);
        }
        throw;
    }
}

}  // namespace

void create_store(const std::string& path) {
    Database::require_room(path);
    std::error_code ignored;
    if (files::exists(path, ignored)) {
        // An empty folder stays what it is: a mount, a link, or of another mode.
        make_store_in(path);
        return;
    }
    // Beside its place, and then moved there: a making that is killed leaves nothing at `path`.
    const NewFolder folder{path};
    try {
        make_store_in(folder.path());
    } catch (const Error& error) {
        throw about(error, folder.path(), path);
    }
    folder.move_to(path);
}

}  // namespace idxfsck::store
