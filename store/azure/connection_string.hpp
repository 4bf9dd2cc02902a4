// store/azure/connection_string.hpp
//
// Azure's connection strings: "AccountName=…;AccountKey=…;EndpointSuffix=core.windows.net".
//
// Errors   Throws Error (usage) that names the setting and never shows a value: most of the text is
//          secret.
// Source   "Configure Azure Storage connection strings", Microsoft Learn.

#pragma once

#include <string>

#include "store/bytes.hpp"

namespace idxfsck::store {

struct ConnectionString {
    std::string account;
    Bytes key;             // decoded; empty: none
    Bytes shared_access;   // a shared access signature, without '?'; empty: none
    std::string endpoint;  // of the table service
    bool emulator = false;  // UseDevelopmentStorage=true
};

// The account that every emulator has, with the key that its makers publish: no secret.
constexpr const char* emulator_account = "devstoreaccount1";
Bytes emulator_key();

ConnectionString parse_connection_string(BytesView text);

// A key as Azure shows it; throws Error (usage) naming `source` for text that is none.
Bytes account_key_from_text(BytesView text, const std::string& source);

}  // namespace idxfsck::store
