// repair/journal_json.hpp
//
// Records of a journal as lines: each ends with a digest that is chained to the one before it.
//
// Shape    A line is a JSON object whose last member is `digest`: XXH3-128, as 32 hexadecimal
//          digits, of the digest of the line before it and the object as it is without that member.
// Errors   Reading gives the record, or why not.

#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "audit/json_fields.hpp"
#include "repair/journal.hpp"

namespace idxfsck::repair {

store::Json header_to_json(const JournalHeader& header);
store::Json record_to_json(const JournalRecord& record);

std::variant<JournalHeader, std::string> header_from_json(const store::Json& json);
std::variant<JournalRecord, std::string> record_from_json(const store::Json& json);

// The line of `body`, a JSON object, with its newline; `digest` is that of the line before it and
// becomes that of this one.
std::string seal(const std::string& body, std::string& digest);

// The object of a line without its newline, if its digest follows from `digest`, which then becomes
// that of this line.
std::optional<std::string> unseal(std::string_view line, std::string& digest);

}  // namespace idxfsck::repair
