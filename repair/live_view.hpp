// repair/live_view.hpp
//
// The rows as they are now, and what the compiled spec says of them: the eyes of the executor.
//
// Needs    Every index that is asked about was named when this was made.
// Errors   Making it throws Error (usage) if the spec does not fit the stores. read() never throws
//          for a store that fails: the answer says so.
// Threads  One.

#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "audit/interpreter.hpp"
#include "audit/program.hpp"
#include "repair/evidence.hpp"
#include "repair/executor.hpp"
#include "repair/plan.hpp"

namespace idxfsck::repair {

struct RowAddress {
    std::string store;  // name in the spec
    std::string table;
    store::Key key;

    // Equal for equal rows and no others; also for keys that no store would take.
    store::Bytes bytes() const;
};

struct ReadRow {
    std::optional<store::Row> row;
    std::optional<std::string> error;  // the store's words, if it failed
};

class LiveView {
public:
    LiveView(const audit::Spec& spec, const Stores& stores,
             const std::vector<std::string>& indexes, std::int64_t now_ms);

    const audit::IndexProgram& program(const std::string& index) const;
    const audit::BaseProgram& base_program(const std::string& index) const;
    const store::Projection& base_projection(const std::string& index) const;
    RowAddress base_row(const std::string& index, const store::Key& key) const;
    RowAddress index_row(const std::string& index, const store::Key& key) const;
    // The row that the operation writes.
    RowAddress entry_row(const Operation& operation) const;

    // Can a write of the index be guarded on rows of its base, in one step?
    bool guards_reach_base(const std::string& index) const;
    const StoreAccess& store(const std::string& name) const { return stores_.at(name); }

    // One answer for each address, in order. A key with numbers is looked for in every spelling.
    std::vector<ReadRow> read(const std::vector<RowAddress>& addresses);

    BaseEvidence see_base(const std::string& index, const std::optional<store::Row>& row);
    IndexEvidence see_index(const std::string& index, const std::optional<store::Row>& row);
    std::optional<store::Key> locate(const std::string& index, const audit::Entry& entry) const;

private:
    std::size_t place(const std::string& index) const;
    const audit::CompiledBase& base(const std::string& index) const;
    void read_batch(const std::vector<RowAddress>& addresses,
                    const std::vector<std::size_t>& batch, std::vector<ReadRow>& answers);

    const Stores& stores_;
    audit::Programs programs_;
    audit::Interpreter interpreter_;
    std::map<std::string, std::size_t> places_;  // positions of the indexes in the programs
};

}  // namespace idxfsck::repair
