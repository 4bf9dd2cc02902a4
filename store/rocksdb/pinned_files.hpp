// store/rocksdb/pinned_files.hpp
//
// The files of a database as they were at one moment, whatever a writer does to them afterwards.
//
// RocksDB reads the manifest, then the logs, then opens the tables that the manifest names. A
// process that writes meanwhile may flush a log and delete it, or compact tables away: rows would
// then be missing without a word, or opening would fail. So all is pinned first: the manifest is
// copied, each log and table opened, and that is done again until the manifest was the same before
// and after. A log or table is deleted only after a new entry in the manifest, so then everything
// that the copied manifest names is held. This takes milliseconds, where opening may take minutes.
//
// The newest log may still grow while it is read. That is harmless: the view is then of a later
// moment, as every write lies in the log as a whole.
//
// Nothing can be written through this file system: it refuses.
//
// Limits   Needs /proc, to open a file once more that has lost its name. Pins as many descriptors
//          as there are logs, tables and files of options, until release(); those of blob files,
//          which are opened late, for as long as it lives.
// Errors   Throws Error if the files cannot be read, or change faster than they can be pinned.
// Threads  As RocksDB: reading may run at once. release() not beside other calls.

#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include <rocksdb/file_system.h>

namespace idxfsck::store {

class PinnedFiles : public rocksdb::FileSystemWrapper {
public:
    explicit PinnedFiles(std::string path);
    ~PinnedFiles() override;

    // Lets go of the descriptors: for when RocksDB has opened all that it needs.
    void release();

    const char* Name() const override { return "PinnedFiles"; }

    using Options = rocksdb::FileOptions;
    using Context = rocksdb::IODebugContext;
    using Status = rocksdb::IOStatus;
    using Io = rocksdb::IOOptions;

    Status NewSequentialFile(const std::string& name, const Options& options,
                             std::unique_ptr<rocksdb::FSSequentialFile>* file,
                             Context* context) override;
    Status NewRandomAccessFile(const std::string& name, const Options& options,
                               std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                               Context* context) override;
    Status FileExists(const std::string& name, const Io& io, Context* context) override;
    Status GetFileSize(const std::string& name, const Io& io, std::uint64_t* size,
                       Context* context) override;
    Status GetChildren(const std::string& folder, const Io& io, std::vector<std::string>* names,
                       Context* context) override;

    Status NewWritableFile(const std::string&, const Options&,
                           std::unique_ptr<rocksdb::FSWritableFile>*, Context*) override;
    Status ReopenWritableFile(const std::string&, const Options&,
                              std::unique_ptr<rocksdb::FSWritableFile>*, Context*) override;
    Status ReuseWritableFile(const std::string&, const std::string&, const Options&,
                             std::unique_ptr<rocksdb::FSWritableFile>*, Context*) override;
    Status NewRandomRWFile(const std::string&, const Options&,
                           std::unique_ptr<rocksdb::FSRandomRWFile>*, Context*) override;
    Status DeleteFile(const std::string&, const Io&, Context*) override;
    Status CreateDir(const std::string&, const Io&, Context*) override;
    Status CreateDirIfMissing(const std::string&, const Io&, Context*) override;
    Status DeleteDir(const std::string&, const Io&, Context*) override;
    Status RenameFile(const std::string&, const std::string&, const Io&, Context*) override;
    Status LinkFile(const std::string&, const std::string&, const Io&, Context*) override;
    Status LockFile(const std::string&, const Io&, rocksdb::FileLock**, Context*) override;

private:
    void pin();
    void pin_descriptors();
    void close_descriptors();
    // Where a pinned file can be opened again, or the name itself.
    std::string real_name(const std::string& name) const;

    const std::string path_;
    std::map<std::string, std::string> copies_;  // CURRENT and the manifest
    std::map<std::string, int> descriptors_;     // logs, tables, blobs and options
};

}  // namespace idxfsck::store
