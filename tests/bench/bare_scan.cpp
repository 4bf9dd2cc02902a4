// Walks the column families of an embedded store with a bare RocksDB iterator: the least that any
// audit must do, to measure one against.
//
// bare_scan STORE THREADS
//
// Reads every key and value of every table once, touches each, and prints rows, bytes and seconds.
// THREADS threads take parts of tables, cut at the first keys of their sorted files; a table of one
// file is one part. One thread walks each table from its first key to its last.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <rocksdb/db.h>
#include <rocksdb/metadata.h>
#include <rocksdb/table.h>

namespace {

struct Count {
    std::uint64_t rows = 0;
    std::uint64_t bytes = 0;
    std::uint64_t touched = 0;  // so that no compiler drops the reads
};

struct Range {
    rocksdb::ColumnFamilyHandle* family = nullptr;
    std::string begin;
    std::string end;  // empty: to the last key
};

void require(const rocksdb::Status& status) {
    if (status.ok()) return;
    std::fprintf(stderr, "bare_scan: %s\n", status.ToString().c_str());
    std::exit(8);
}

Count scan(rocksdb::DB& database, const Range& range) {
    rocksdb::ReadOptions options;
    options.fill_cache = false;
    options.readahead_size = 2 << 20;
    const rocksdb::Slice end{range.end};
    if (!range.end.empty()) options.iterate_upper_bound = &end;
    const std::unique_ptr<rocksdb::Iterator> row{database.NewIterator(options, range.family)};
    Count count;
    for (row->Seek(range.begin); row->Valid(); row->Next()) {
        const rocksdb::Slice key = row->key();
        const rocksdb::Slice value = row->value();
        ++count.rows;
        count.bytes += key.size() + value.size();
        count.touched += static_cast<unsigned char>(key[key.size() - 1]);
        if (!value.empty()) count.touched += static_cast<unsigned char>(value[value.size() - 1]);
    }
    require(row->status());
    return count;
}

// Cuts a table at the first keys of its files.
std::vector<Range> cut(rocksdb::DB& database, rocksdb::ColumnFamilyHandle* family,
                       std::size_t threads) {
    if (threads == 1) return {{family, "", ""}};
    rocksdb::ColumnFamilyMetaData metadata;
    database.GetColumnFamilyMetaData(family, &metadata);
    std::vector<std::string> keys;
    for (const auto& level : metadata.levels) {
        for (const auto& file : level.files) keys.push_back(file.smallestkey);
    }
    std::sort(keys.begin(), keys.end());
    std::vector<Range> ranges{{family, "", ""}};
    for (std::size_t place = 1; place < keys.size(); ++place) {
        ranges.back().end = keys[place];
        ranges.push_back({family, keys[place], ""});
    }
    return ranges;
}

Count scan_all(rocksdb::DB& database, const std::vector<Range>& ranges, std::size_t threads) {
    std::vector<Count> counts(threads);
    std::vector<std::thread> workers;
    std::atomic<std::size_t> next{0};
    for (std::size_t worker = 0; worker < threads; ++worker) {
        workers.emplace_back([&, worker] {
            for (std::size_t i = next++; i < ranges.size(); i = next++) {
                const Count part = scan(database, ranges[i]);
                counts[worker].rows += part.rows;
                counts[worker].bytes += part.bytes;
                counts[worker].touched += part.touched;
            }
        });
    }
    Count total;
    for (std::size_t worker = 0; worker < threads; ++worker) {
        workers[worker].join();
        total.rows += counts[worker].rows;
        total.bytes += counts[worker].bytes;
        total.touched += counts[worker].touched;
    }
    return total;
}

int run(const std::string& path, std::size_t threads) {
    std::vector<std::string> names;
    require(rocksdb::DB::ListColumnFamilies({}, path, &names));
    std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
    for (const std::string& name : names) {
        descriptors.emplace_back(name, rocksdb::ColumnFamilyOptions{});
    }
    std::vector<rocksdb::ColumnFamilyHandle*> families;
    rocksdb::DB* opened = nullptr;
    require(rocksdb::DB::OpenForReadOnly({}, path, descriptors, &families, &opened));
    const std::unique_ptr<rocksdb::DB> database{opened};

    const auto begin = std::chrono::steady_clock::now();
    std::vector<Range> ranges;
    for (rocksdb::ColumnFamilyHandle* family : families) {
        if (family->GetName() == rocksdb::kDefaultColumnFamilyName) continue;
        const std::vector<Range> cuts = cut(*database, family, threads);
        ranges.insert(ranges.end(), cuts.begin(), cuts.end());
    }
    const Count count = scan_all(*database, ranges, threads);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
    std::printf("{\"rows\": %llu, \"bytes\": %llu, \"seconds\": %.4f, \"touched\": %llu}\n",
                static_cast<unsigned long long>(count.rows),
                static_cast<unsigned long long>(count.bytes), took.count(),
                static_cast<unsigned long long>(count.touched));
    for (rocksdb::ColumnFamilyHandle* family : families) {
        require(database->DestroyColumnFamilyHandle(family));
    }
    return 0;
}

}  // namespace

int main(int count, char** words) {
    if (count != 3) {
        std::fprintf(stderr, "usage: bare_scan STORE THREADS\n");
        return 16;
    }
    return run(words[1], std::max(1, std::atoi(words[2])));
}
