// reports/open_stores.hpp
//
// The stores that a spec declares, opened for a command.
//
// Errors   Throws what store/open.hpp throws, with the store's name in the spec.

#pragma once

#include <map>
#include <memory>
#include <string>

#include "audit/audit_run.hpp"
#include "audit/spec.hpp"
#include "repair/executor.hpp"
#include "store/run_limits.hpp"
#include "store/store.hpp"

namespace idxfsck::reports {

// Opened read-only.
class OpenReaders {
public:
    explicit OpenReaders(const audit::Spec& spec);

    audit::Readers readers() const;
    // All reads from now on; before the first.
    void obey(const std::shared_ptr<store::RunLimits>& limits) const;
    // Without writers: what a dry run is given.
    repair::Stores stores() const;

private:
    std::map<std::string, std::unique_ptr<store::Reader>> readers_;
};

// Opened for guarded writes.
class OpenWriters {
public:
    explicit OpenWriters(const audit::Spec& spec);

    repair::Stores stores() const;

private:
    std::map<std::string, std::unique_ptr<store::Store>> stores_;
};

// Throws Error (usage) if a store of the spec is of a kind that is never written.
void require_writable(const audit::Spec& spec);

// One store of the spec, opened read-only. Throws Error (usage) if there is none of that name.
std::unique_ptr<store::Reader> open_one_reader(const audit::Spec& spec, const std::string& name);

// The folder that relative paths in a spec start from.
std::string folder_of(const std::string& file);

}  // namespace idxfsck::reports
