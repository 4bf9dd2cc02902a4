#include "store/rocksdb/sorted_run.hpp"

#include <algorithm>

#include <rocksdb/comparator.h>
#include <rocksdb/metadata.h>
#include <rocksdb/table.h>

namespace idxfsck::store {

namespace {

bool holds_nothing(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* family) {
    using Properties = rocksdb::DB::Properties;
    for (const std::string& name :
         {Properties::kNumEntriesActiveMemTable, Properties::kNumEntriesImmMemTables,
          Properties::kNumDeletesActiveMemTable, Properties::kNumDeletesImmMemTables}) {
        std::uint64_t count = 0;
        if (!db.GetIntProperty(family, name, &count) || count != 0) return false;
    }
    return true;
}

// The files of the one level that has any; none if several have, or files of one level may overlap.
std::vector<rocksdb::SstFileMetaData> only_level(const rocksdb::ColumnFamilyMetaData& family) {
    std::vector<rocksdb::SstFileMetaData> found;
    for (const rocksdb::LevelMetaData& level : family.levels) {
        if (level.files.empty()) continue;
        if (!found.empty() || (level.level == 0 && level.files.size() > 1)) return {};
        found = level.files;
    }
    return found;
}

bool are_plain_tables(const rocksdb::ColumnFamilyOptions& options) {
    return options.comparator == rocksdb::BytewiseComparator() &&
           options.merge_operator == nullptr && options.compaction_filter == nullptr &&
           options.table_factory != nullptr &&
           options.table_factory->GetOptions<rocksdb::BlockBasedTableOptions>() != nullptr;
}

// Without the filters, which serve point reads alone, and without the cache.
std::shared_ptr<rocksdb::TableFactory> walking_tables(rocksdb::TableFactory& factory) {
    rocksdb::BlockBasedTableOptions options =
        *factory.GetOptions<rocksdb::BlockBasedTableOptions>();
    options.filter_policy = nullptr;
    options.block_cache = nullptr;
    options.no_block_cache = true;
    options.cache_index_and_filter_blocks = false;
    return std::shared_ptr<rocksdb::TableFactory>{rocksdb::NewBlockBasedTableFactory(options)};
}

bool lies_before(const KeyRange& range, BytesView key) {
    return !range.end.empty() && range.end <= key;
}

}  // namespace

SortedRun::SortedRun(rocksdb::DB& db, rocksdb::ColumnFamilyHandle* family) {
    rocksdb::ColumnFamilyDescriptor descriptor;
    if (!family->GetDescriptor(&descriptor).ok() || !are_plain_tables(descriptor.options)) return;
    rocksdb::ColumnFamilyMetaData metadata;
    db.GetColumnFamilyMetaData(family, &metadata);
    if (metadata.blob_file_count > 0 || !holds_nothing(db, family)) return;
    options_ = rocksdb::Options{db.GetDBOptions(), descriptor.options};
    options_.table_factory = walking_tables(*descriptor.options.table_factory);
    for (const rocksdb::SstFileMetaData& file : only_level(metadata)) {
        files_.push_back({file.db_path + file.name, file.smallestkey, file.largestkey});
    }
    std::sort(files_.begin(), files_.end(),
              [](const File& a, const File& b) { return a.first < b.first; });
    const auto shared = [](const File& a, const File& b) { return a.last >= b.first; };
    const bool apart =
        std::adjacent_find(files_.begin(), files_.end(), shared) == files_.end();
    if (!apart) files_.clear();
}

std::vector<RunPiece> SortedRun::pieces(const KeyRange& range) const {
    std::vector<RunPiece> out;
    if (files_.empty()) return {{range, {}}};
    KeyRange rest = range;
    for (std::size_t at = 0; at < files_.size(); ++at) {
        const bool last = at + 1 == files_.size();
        if (!last && files_[at + 1].first <= rest.begin) continue;
        RunPiece piece{rest, files_[at].name};
        const bool ends = last || lies_before(range, files_[at + 1].first);
        if (!ends) piece.range.end = files_[at + 1].first;
        out.push_back(std::move(piece));
        if (ends) break;
        rest.begin = files_[at + 1].first;
        rest.after_begin = false;
    }
    return out;
}

std::unique_ptr<rocksdb::SstFileReader> SortedRun::open(const RunPiece& piece) const {
    if (piece.file.empty()) return nullptr;
    auto reader = std::make_unique<rocksdb::SstFileReader>(options_);
    if (!reader->Open(piece.file).ok()) return nullptr;
    const auto properties = reader->GetTableProperties();
    if (!properties || properties->num_range_deletions > 0 || properties->num_merge_operands > 0) {
        return nullptr;
    }
    return reader;
}

}  // namespace idxfsck::store
