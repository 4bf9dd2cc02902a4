#include "store/rocksdb/rocksdb_error.hpp"

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

namespace idxfsck::store {

namespace {

constexpr std::string_view foreign_comparator = "does not match existing comparator ";

bool says(const rocksdb::Status& status, std::string_view words) {
    const char* const state = status.getState();
    return state != nullptr && std::string_view{state}.find(words) != std::string_view::npos;
}

Error without_facts(const rocksdb::Status& status) {
    if (says(status, foreign_comparator)) {
        const std::string text = status.getState();
        const std::size_t name = text.find(foreign_comparator) + foreign_comparator.size();
        return Error{"the database sorts its keys by a comparator that is not RocksDB's own",
                     Trouble::usage}
            .with("comparator", text.substr(name))
            .hint("only the bytewise comparator and its reverse can be read");
    }
    if (says(status, "Could not perform merge")) {
        return Error{"a row holds operands of a merge operator that is not RocksDB's own"}.hint(
            "audit a copy that the application has compacted, so that no operands are left");
    }
    if (status.IsNoSpace() || says(status, std::strerror(ENOSPC))) {
        return Error{"no space left for the store"}.hint(
            "free space on its disk and run this again");
    }
    if (says(status, std::strerror(EROFS))) {
        return Error{"the store is on a read-only disk"}.hint(
            "mount it writable, or copy the store to another disk");
    }
    if (says(status, "lock hold by") || says(status, "/LOCK")) {
        return Error{"the store is open for writing in another process"}.hint(
            "wait until it ends, or stop it; reading works meanwhile");
    }
    if (says(status, std::strerror(EACCES))) {
        return Error{"no permission to open the store"}.hint(
            "look at the owner and mode of its files");
    }
    if (says(status, std::strerror(EMFILE))) {
        return Error{"too many files are open"}.hint("raise the limit: ulimit -n 65536");
    }
    if (status.IsCorruption()) {
        return Error{"the store is damaged"}.hint(
            "restore it from a backup; nothing read from it can be trusted");
    }
    if (status.IsTimedOut() || status.IsBusy()) {
        return Error{"another writer holds the row"}.hint("run this again");
    }
    return Error{"the store failed"};
}

}  // namespace

Error rocksdb_error(const rocksdb::Status& status, const std::string& path) {
    Error error = without_facts(status);
    error.with("store", path).with("cause", status.ToString());
    return error;
}

void check_status(const rocksdb::Status& status, const std::string& path) {
    if (!status.ok()) throw rocksdb_error(status, path);
}

}  // namespace idxfsck::store
