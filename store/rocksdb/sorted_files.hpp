// store/rocksdb/sorted_files.hpp
//
// Sorts rows of any number into table files that RocksDB can take over as they are.
//
// Rows gather in memory up to a budget; a full budget is sorted and written as a run. At the end
// the runs are merged into files whose keys do not overlap. If all fits into the budget there are
// no runs.
//
// Units    The budget is in bytes of keys, values and their places in memory.
// Errors   Throws Error for a key that comes twice, with the field `key`, and if the disk fails.
// Threads  Belongs to one thread.

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "store/bytes.hpp"

namespace idxfsck::store {

class SortedFiles {
public:
    // `folder` is there, empty, and belongs to this sort alone.
    SortedFiles(std::string folder, std::size_t memory_bytes_max);

    void add(BytesView key, BytesView value);

    // All rows, sorted, in new files. `each_key` sees every key, in order, before the files are
    // given out; what it throws ends the sort. Call once.
    std::vector<std::string> finish(const std::function<void(BytesView)>& each_key);

private:
    // A row in `arena_`. The first eight bytes of the key settle most comparisons.
    struct Item {
        std::uint64_t head;
        std::size_t offset;
        std::uint32_t key_size;
        std::uint32_t value_size;
    };

    BytesView key(const Item& item) const;
    BytesView value(const Item& item) const;
    bool before(const Item& a, const Item& b) const;
    void sort();
    void write_run();
    std::vector<std::string> merge_runs(const std::function<void(BytesView)>& each_key);

    const std::string folder_;
    const std::size_t memory_bytes_max_;
    Bytes arena_;
    std::vector<Item> items_;
    std::vector<std::string> runs_;
};

}  // namespace idxfsck::store
