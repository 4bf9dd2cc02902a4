#include "store/json/load_rocksdb.hpp"

#include <filesystem>

#include "store/error.hpp"

namespace idxfsck::store {

namespace {

namespace files = std::filesystem;

// Makes a store if there is none, and takes it away again unless it is kept.
class MadeStore {
public:
    explicit MadeStore(const std::string& path) : path_{path} {
        if (store_exists(path)) return;
        std::error_code ignored;
        had_folder_ = files::exists(path, ignored);
        create_store(path);
        made_ = true;
    }
    MadeStore(const MadeStore&) = delete;
    MadeStore& operator=(const MadeStore&) = delete;

    ~MadeStore() {
        if (!made_) return;
        std::error_code ignored;
        if (!had_folder_) {
            files::remove_all(path_, ignored);
            return;
        }
        for (const auto& entry : files::directory_iterator{path_, ignored}) {
            files::remove_all(entry.path(), ignored);
        }
    }

    void keep() { made_ = false; }

private:
    std::string path_;
    bool had_folder_ = false;
    bool made_ = false;
};

class LoadAcceptor : public RowAcceptor {
public:
    explicit LoadAcceptor(TableLoad& load) : load_{load} {}

    void accept(std::span<const ValueView> key, BytesView attributes) override {
        load_.add(key, attributes);
    }

private:
    TableLoad& load_;
};

void add_missing(Error& error, std::string_view name, std::string_view value) {
    for (const auto& field : error.fields()) {
        if (field.first == name) return;
    }
    error.with(name, value);
}

LoadCount load(const RocksdbTarget& target, LoadRequest request, const LoadObserver& observer) {
    RocksdbStore store{target.path};
    const std::optional<TableSchema> there = store.table(target.table);
    if (request.key_names.empty() && there) request.key_names = there->key;
    TableLoad load{store, {target.table, request.key_names}, target.mode};
    LoadAcceptor acceptor{load};
    const LoadCount count = load_rows(request, acceptor, observer);
    load.commit();
    return count;
}

}  // namespace

LoadCount load_into_rocksdb(const RocksdbTarget& target, LoadRequest request,
                            const LoadObserver& observer) {
    try {
        MadeStore made{target.path};
        const LoadCount count = load(target, std::move(request), observer);
        made.keep();
        return count;
    } catch (Error& error) {
        add_missing(error, "store", target.path);
        add_missing(error, "table", target.table);
        throw;
    }
}

}  // namespace idxfsck::store
