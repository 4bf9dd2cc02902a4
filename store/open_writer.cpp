#include "store/open_writer.hpp"

#include "store/azure_tables/azure_tables_store.hpp"
#include "store/dynamodb/dynamodb_store.hpp"
#include "store/error.hpp"
#include "store/open_azure_tables.hpp"
#include "store/open_dynamodb.hpp"
#include "store/open_setting.hpp"
#include "store/rocksdb/raw_store.hpp"
#include "store/rocksdb/rocksdb_store.hpp"

namespace idxfsck::store {

void check_writable(const std::string& kind) {
    if (kind != "files") return;
    throw Error{"files are read-only", Trouble::usage}.hint(
        "point the spec at the store that the files came from and audit that, or bring the files "
        "into an embedded store with `idxfsck load`");
}

std::unique_ptr<Store> open_writer(const std::string& kind, const Settings& settings,
                                   const std::string& base_folder,
                                   const RawTables& raw_tables, const FileTables&) {
    check_settings(kind, settings);
    if (kind == "dynamodb") {
        return std::make_unique<DynamodbStore>(dynamodb_settings(settings), system_surroundings());
    }
    if (kind == "azure_tables") {
        return std::make_unique<AzureTablesStore>(azure_tables_settings(settings),
                                                  system_surroundings());
    }
    const std::string path = path_setting(settings, base_folder);
    check_writable(kind);
    if (kind != "rocksdb_raw") return std::make_unique<RocksdbStore>(path);
    return std::make_unique<RawStore>(path, raw_tables, flag_setting(settings, "checkpoint"));
}

}  // namespace idxfsck::store
