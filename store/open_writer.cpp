#include "store/open_writer.hpp"

#include "store/open_setting.hpp"
#include "store/rocksdb/rocksdb_store.hpp"

namespace idxfsck::store {

std::unique_ptr<Store> open_writer(const std::string& kind, const Settings& settings,
                                   const std::string& base_folder) {
    check_settings(kind, settings);
    return std::make_unique<RocksdbStore>(path_setting(settings, base_folder));
}

}  // namespace idxfsck::store
