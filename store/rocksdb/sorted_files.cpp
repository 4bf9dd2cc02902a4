#include "store/rocksdb/sorted_files.hpp"

#include <algorithm>
#include <limits>
#include <memory>

#include <rocksdb/sst_file_reader.h>
#include <rocksdb/sst_file_writer.h>

#include "store/key_range.hpp"
#include "store/rocksdb/database.hpp"
#include "store/rocksdb/rocksdb_error.hpp"

namespace idxfsck::store {

namespace {

constexpr std::uint64_t file_size_max = 128 << 20;
constexpr std::size_t run_readahead_size = 512 << 10;

std::uint64_t head_of(BytesView key) {
    std::uint64_t out = 0;
    for (std::size_t index = 0; index < 8; ++index) {
        out = out << 8 | (index < key.size() ? static_cast<std::uint8_t>(key[index]) : 0u);
    }
    return out;
}

[[noreturn]] void refuse_twice(BytesView key) {
    throw Error{"a key comes twice"}
        .with("key", readable_key(key))
        .hint("a table holds one row for a key; remove one of the two");
}

// Writes rows that come in order into files of a limited size.
class FileSeries {
public:
    FileSeries(std::string prefix, std::uint64_t size_max, const rocksdb::Options& options)
        : prefix_{std::move(prefix)}, size_max_{size_max}, options_{options} {}

    void add(BytesView key, BytesView value) {
        if (!writer_) open();
        check_status(writer_->Put({key.data(), key.size()}, {value.data(), value.size()}),
                     files_.back());
        if (writer_->FileSize() >= size_max_) close();
    }

    std::vector<std::string> finish() {
        close();
        return std::move(files_);
    }

private:
    void open() {
        files_.push_back(prefix_ + std::to_string(files_.size()) + ".sst");
        writer_ = std::make_unique<rocksdb::SstFileWriter>(rocksdb::EnvOptions{}, options_);
        check_status(writer_->Open(files_.back()), files_.back());
    }

    void close() {
        if (writer_) check_status(writer_->Finish(), files_.back());
        writer_.reset();
    }

    const std::string prefix_;
    const std::uint64_t size_max_;
    const rocksdb::Options& options_;
    std::unique_ptr<rocksdb::SstFileWriter> writer_;
    std::vector<std::string> files_;
};

// One sorted run, being read.
class Run {
public:
    explicit Run(const std::string& file) : file_{file}, reader_{database_options()} {
        check_status(reader_.Open(file), file);
        rocksdb::ReadOptions options;
        options.readahead_size = run_readahead_size;
        options.fill_cache = false;
        at_.reset(reader_.NewIterator(options));
        at_->SeekToFirst();
        check_status(at_->status(), file_);
    }

    bool valid() const { return at_->Valid(); }
    BytesView key() const { return at_->key().ToStringView(); }
    BytesView value() const { return at_->value().ToStringView(); }

    void next() {
        at_->Next();
        check_status(at_->status(), file_);
    }

private:
    const std::string file_;
    rocksdb::SstFileReader reader_;
    std::unique_ptr<rocksdb::Iterator> at_;
};

}  // namespace

SortedFiles::SortedFiles(std::string folder, std::size_t memory_bytes_max)
    : folder_{std::move(folder)}, memory_bytes_max_{memory_bytes_max} {}

void SortedFiles::add(BytesView key, BytesView value) {
    constexpr std::size_t size_max = std::numeric_limits<std::uint32_t>::max();
    if (key.size() > size_max || value.size() > size_max) {
        throw Error{"a row is too large for the store"}.with("key", readable_key(key));
    }
    const std::size_t wanted = arena_.size() + key.size() + value.size() +
                               (items_.size() + 1) * sizeof(Item);
    if (wanted > memory_bytes_max_ && !items_.empty()) write_run();
    items_.push_back({head_of(key), arena_.size(), static_cast<std::uint32_t>(key.size()),
                      static_cast<std::uint32_t>(value.size())});
    arena_.append(key).append(value);
}

std::vector<std::string> SortedFiles::finish(const std::function<void(BytesView)>& each_key) {
    if (!runs_.empty()) {
        if (!items_.empty()) write_run();
        return merge_runs(each_key);
    }
    sort();
    const rocksdb::Options options = database_options();
    FileSeries out{folder_ + "/sorted-", file_size_max, options};
    for (const Item& item : items_) {
        each_key(key(item));
        out.add(key(item), value(item));
    }
    return out.finish();
}

BytesView SortedFiles::key(const Item& item) const {
    return {arena_.data() + item.offset, item.key_size};
}

BytesView SortedFiles::value(const Item& item) const {
    return {arena_.data() + item.offset + item.key_size, item.value_size};
}

bool SortedFiles::before(const Item& a, const Item& b) const {
    return a.head != b.head ? a.head < b.head : key(a) < key(b);
}

void SortedFiles::sort() {
    const auto order = [this](const Item& a, const Item& b) { return before(a, b); };
    std::sort(items_.begin(), items_.end(), order);
    const auto same = [this](const Item& a, const Item& b) { return key(a) == key(b); };
    const auto twice = std::adjacent_find(items_.begin(), items_.end(), same);
    if (twice != items_.end()) refuse_twice(key(*twice));
}

void SortedFiles::write_run() {
    sort();
    rocksdb::Options options = database_options();
    options.compression = rocksdb::kNoCompression;
    constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();
    FileSeries run{folder_ + "/run-" + std::to_string(runs_.size()) + "-", no_limit, options};
    for (const Item& item : items_) run.add(key(item), value(item));
    runs_.push_back(run.finish().at(0));
    items_.clear();
    arena_.clear();
}

std::vector<std::string> SortedFiles::merge_runs(const std::function<void(BytesView)>& each_key) {
    std::vector<std::unique_ptr<Run>> heap;
    for (const std::string& file : runs_) heap.push_back(std::make_unique<Run>(file));
    const auto later = [](const auto& a, const auto& b) { return b->key() < a->key(); };
    std::make_heap(heap.begin(), heap.end(), later);
    const rocksdb::Options options = database_options();
    FileSeries out{folder_ + "/sorted-", file_size_max, options};
    Bytes last;
    bool first = true;
    while (!heap.empty()) {
        std::pop_heap(heap.begin(), heap.end(), later);
        Run& run = *heap.back();
        if (!first && last == run.key()) refuse_twice(last);
        first = false;
        last = run.key();
        each_key(last);
        out.add(last, run.value());
        run.next();
        if (run.valid()) {
            std::push_heap(heap.begin(), heap.end(), later);
        } else {
            heap.pop_back();
        }
    }
    return out.finish();
}

}  // namespace idxfsck::store
