#include "reports/open_stores.hpp"

#include <filesystem>

#include "store/error.hpp"
#include "store/open.hpp"
#include "store/open_writer.hpp"

namespace idxfsck::reports {

namespace {

template <class Opened>
Opened open_named(const audit::StoreSpec& spec, const std::string& file,
                  Opened (*open)(const std::string&, const store::Settings&, const std::string&,
                                 const store::RawTables&, const store::FileTables&)) {
    try {
        return open(spec.kind, spec.settings, folder_of(file), spec.raw_tables, spec.file_tables);
    } catch (store::Error& error) {
        error.with("store", spec.name);
        throw;
    }
}

}  // namespace

OpenReaders::OpenReaders(const audit::Spec& spec) {
    for (const audit::StoreSpec& store : spec.stores) {
        readers_[store.name] = open_named(store, spec.file, store::open_reader);
    }
}

audit::Readers OpenReaders::readers() const {
    audit::Readers readers;
    for (const auto& [name, reader] : readers_) readers[name] = reader.get();
    return readers;
}

void OpenReaders::obey(const std::shared_ptr<store::RunLimits>& limits) const {
    for (const auto& [name, reader] : readers_) reader->obey(limits);
}

repair::Stores OpenReaders::stores() const {
    repair::Stores stores;
    for (const auto& [name, reader] : readers_) stores[name].reader = reader.get();
    return stores;
}

OpenWriters::OpenWriters(const audit::Spec& spec) {
    for (const audit::StoreSpec& store : spec.stores) {
        stores_[store.name] = open_named(store, spec.file, store::open_writer);
    }
}

repair::Stores OpenWriters::stores() const {
    repair::Stores stores;
    for (const auto& [name, store] : stores_) stores[name] = {store.get(), store.get()};
    return stores;
}

void require_writable(const audit::Spec& spec) {
    for (const audit::StoreSpec& store : spec.stores) {
        try {
            store::check_writable(store.kind);
        } catch (store::Error& error) {
            error.with("store", store.name);
            throw;
        }
    }
}

std::unique_ptr<store::Reader> open_one_reader(const audit::Spec& spec, const std::string& name) {
    if (const audit::StoreSpec* const found = spec.store(name)) {
        return open_named(*found, spec.file, store::open_reader);
    }
    std::string names;
    for (const audit::StoreSpec& known : spec.stores) {
        names += (names.empty() ? "" : ", ") + known.name;
    }
    throw store::Error{"the spec declares no such store", store::Trouble::usage}
        .with("store", name)
        .hint("it declares: " + names);
}

std::string folder_of(const std::string& file) {
    const std::string folder = std::filesystem::path{file}.parent_path().string();
    return folder.empty() ? "." : folder;
}

}  // namespace idxfsck::reports
