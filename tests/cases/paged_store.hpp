// tests/cases/paged_store.hpp
//
// A store that hands over one table in pages, as a network store does, good ones and bad ones.
//
// Shape    `empty_first`: the first page has no rows but a token to go on with. `repeated`: the
//          same page comes again under the same token; a reader must notice, and this one does as
//          store/reader.hpp asks, by an Error.

#pragma once

#include "store/error.hpp"
#include "tests/repair/faulty_store.hpp"

namespace idxfsck::tests {

enum class Pages { plain, empty_first, repeated };

class PagedStore : public FaultyStore {
public:
    PagedStore(store::Store& inner, Pages pages, std::string table)
        : FaultyStore{inner}, pages_{pages}, table_{std::move(table)} {}

    store::ScanEnd scan(store::BytesView table, const store::Partition& partition,
                        const store::ScanOptions& options, store::RowSink& sink) const override {
        if (table != table_ || pages_ == Pages::plain) {
            return FaultyStore::scan(table, partition, options, sink);
        }
        const store::Position begin{"begin of " + partition.token};
        store::ScanOptions rest = options;
        if (rest.resume == begin) rest.resume.reset();
        if (pages_ == Pages::empty_first) {
            if (!options.resume && !sink.page_end(begin)) return store::ScanEnd::stopped;
            return FaultyStore::scan(table, partition, rest, sink);
        }
        FaultyStore::scan(table, partition, rest, sink);
        throw store::Error{"the scan does not advance"}.with("table", table_);
    }

private:
    Pages pages_;
    std::string table_;
};

}  // namespace idxfsck::tests
