// tests/audit/shares.hpp
//
// An audit in shares over the memory store, in a folder that goes with the test; and a world of
// users and their e-mails for it.

#pragma once

#include <filesystem>

#include <unistd.h>

#include "audit/merge_run.hpp"
#include "audit/result_json.hpp"
#include "audit/share_run.hpp"
#include "tests/audit/emails.hpp"

namespace idxfsck::tests {

class Shares {
public:
    // `options` of the parameters.
    Shares(const audit::Spec& spec, store::MemoryStore& store, TestClock& clock,
           const audit::AuditOptions& options)
        : spec_{spec},
          store_{store},
          clock_{clock},
          parameters_{audit::make_sketch_parameters(spec, {{"main", &store}}, clock, options)} {
        if (::mkdtemp(folder_.data()) == nullptr) throw std::runtime_error{"no folder"};
    }
    ~Shares() { std::filesystem::remove_all(folder_); }
    Shares(const Shares&) = delete;
    Shares& operator=(const Shares&) = delete;

    std::string path(const std::string& name) const { return folder_ + "/" + name; }
    audit::SketchParameters& parameters() { return parameters_; }

    // The path of a sketch of this share, a new file.
    std::string scan(const audit::Share& share, std::size_t threads = 1) {
        const std::string file = path("sketch-" + std::to_string(files_++));
        audit::AuditOptions options;
        options.threads = threads;
        audit::run_share(spec_, {{"main", &store_}}, clock_, options, parameters_, share, file);
        return file;
    }

    std::vector<std::string> scan_all(std::uint64_t count, std::size_t threads = 1) {
        std::vector<std::string> files;
        for (std::uint64_t number = 1; number <= count; ++number) {
            files.push_back(scan({number, count}, threads));
        }
        return files;
    }

    audit::AuditResult merge(const std::vector<std::string>& files, std::size_t threads = 1) {
        audit::AuditOptions options;
        options.threads = threads;
        return audit::run_merge(spec_, {{"main", &store_}}, clock_, options, files);
    }

private:
    const audit::Spec& spec_;
    store::MemoryStore& store_;
    TestClock& clock_;
    audit::SketchParameters parameters_;
    std::string folder_ =
        (std::filesystem::temp_directory_path() / "idxfsck-shares-XXXXXX").string();
    int files_ = 0;
};

// The files that an audit leaves, one behind the other, without what tells when and in how many
// pieces it was scanned: times, shares, and whether it was one snapshot.
inline std::string bytes_without_times(audit::AuditResult result) {
    result.coverage.begin_ms = 0;
    result.coverage.end_ms = 0;
    result.coverage.snapshot = false;
    result.coverage.shares.clear();
    for (audit::IndexCoverage& index : result.coverage.indexes) index.engine_reason.clear();
    const audit::ResultFiles files = audit::write_result(result, "test");
    return files.summary + files.findings;
}

inline audit::AuditOptions four_partitions() {
    audit::AuditOptions options;
    options.partitions = 4;
    options.seed = 7;
    return options;
}

}  // namespace idxfsck::tests
