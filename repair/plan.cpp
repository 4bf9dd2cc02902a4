#include "repair/plan.hpp"

#include <array>

#include "store/digest.hpp"

namespace idxfsck::repair {

namespace {

// In the order of the enumerators.
constexpr std::array<std::string_view, 7> names{
    "put_entry",     "replace_entry", "fix_copies", "add_member",
    "remove_member", "delete_entry",  "manual",
};

static_assert(names.size() == static_cast<std::size_t>(OperationKind::manual) + 1);

}  // namespace

std::string_view operation_name(OperationKind kind) {
    return names.at(static_cast<std::size_t>(kind));
}

std::optional<OperationKind> operation_of(std::string_view name) {
    for (std::size_t index = 0; index < names.size(); ++index) {
        if (names[index] == name) return static_cast<OperationKind>(index);
    }
    return std::nullopt;
}

void set_id(Operation& operation) {
    store::Bytes bytes;
    for (const std::string_view part :
         {std::string_view{operation.index}, operation_name(operation.kind)}) {
        store::append_varint(bytes, part.size());
        bytes.append(part);
    }
    audit::append_entry_bytes(bytes, audit::EntryLoan{operation.entry}.view(), false);
    // Several findings may leave one key to a person.
    if (operation.kind == OperationKind::manual) bytes.append(operation.finding);
    operation.id = store::digest(bytes).substr(0, 16);
}

}  // namespace idxfsck::repair
