#include "store/rocksdb/table_load.hpp"

#include <filesystem>

#include "store/error.hpp"
#include "store/key_codec.hpp"
#include "store/key_range.hpp"
#include "store/rocksdb/row_format.hpp"

namespace idxfsck::store {

namespace {

// Stops at the first row.
class AnyRow : public RowSink {
public:
    void row(const RowView&) override { seen_ = true; }
    void damaged(BytesView) override { seen_ = true; }
    bool page_end(const Position&) override { return false; }
    bool seen() const { return seen_; }

private:
    bool seen_ = false;
};

bool is_empty(const RocksdbStore& store, BytesView table) {
    AnyRow any;
    ScanOptions options;
    options.page_rows_max = 1;
    store.scan(table, store.split(table, 1).at(0), options, any);
    return !any.seen();
}

}  // namespace

TableLoad::TableLoad(RocksdbStore& store, TableSchema schema, LoadMode mode,
                     std::size_t memory_bytes_max)
    : store_{store},
      schema_{std::move(schema)},
      mode_{mode},
      folder_{store.new_loading_folder()},
      version_{store.next_version()},
      sorted_{folder_, memory_bytes_max} {
    check_mode();
}

TableLoad::~TableLoad() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
}

void TableLoad::check_mode() const {
    const std::optional<TableSchema> there = store_.table(schema_.name);
    const auto refuse = [&](const char* text, const char* hint) {
        throw Error{text, Trouble::usage}
            .with("store", store_.path())
            .with("table", schema_.name)
            .hint(hint);
    };
    if (schema_.key.empty()) refuse("a table needs a key", "name its key components");
    if (mode_ == LoadMode::create && there && !is_empty(store_, schema_.name)) {
        refuse("the table has rows already", "replace them, or append to them");
    }
    if (mode_ != LoadMode::append) return;
    if (!there) refuse("there is no such table", "load without appending to make it");
    if (there->key != schema_.key) {
        refuse("the table has another key", "name the key components that it has, in their order");
    }
}

void TableLoad::add(const Row& row) {
    const std::vector<ValueView> key{row.key.begin(), row.key.end()};
    add(key, row.attributes);
}

void TableLoad::add(std::span<const ValueView> key, BytesView attributes) {
    if (key.size() != schema_.key.size()) {
        throw Error{"a key does not have the components of its table"}.with("table", schema_.name);
    }
    key_.clear();
    for (const ValueView& component : key) append_key_component(key_, component);
    if (!well_formed(attributes)) {
        throw Error{"the attributes of a row to write are damaged"}
            .with("table", schema_.name)
            .with("key", readable_key(key_));
    }
    value_.clear();
    append_row_value(value_, version_, attributes);
    sorted_.add(key_, value_);
    ++rows_;
}

void TableLoad::commit() {
    try {
        if (mode_ == LoadMode::append) {
            store_.add_files(schema_.name,
                             sorted_.finish([this](BytesView key) { refuse_present(key); }));
        } else {
            store_.publish_table(schema_, sorted_.finish([](BytesView) {}));
        }
    } catch (Error& error) {
        error.with("table", schema_.name);
        throw;
    }
}

void TableLoad::refuse_present(BytesView encoded_key) const {
    const std::optional<Key> key = decode_key(encoded_key);
    if (!key || !store_.read(schema_.name, {&*key, 1})[0]) return;
    throw Error{"a row with this key is in the table already"}
        .with("key", readable_key(encoded_key))
        .hint("remove it from the input, or replace the table");
}

}  // namespace idxfsck::store
