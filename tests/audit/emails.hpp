// tests/audit/emails.hpp
//
// Users and the index of their e-mail addresses, of which some entries are missing: the world of
// tests that need many rows and no more than that. Other tests add to its spec.

#pragma once

#include "tests/audit/world.hpp"

namespace idxfsck::tests {

// The base alone.
inline const std::string users_head = R"(
[store.main]
kind = "memory"
[base.user]
store = "main"
table = "Users"
key = ["UserId"]
)";

inline const std::string email_spec = users_head + R"(
[[index]]
name = "email"
of = "user"
store = "main"
table = "Index"
key = { K = "{Email}" }
pointer = { UserId = "{UserId}" }
settle = "1s"
)";

inline void put_user(store::MemoryStore& store, const std::string& id, const std::string& email) {
    store.put("Users", row_of({id}, {text("Email", email)}));
}

inline void put_entry(store::MemoryStore& store, const std::string& email, const std::string& id) {
    store.put("Index", row_of({email}, {text("UserId", id)}));
}

// In the order of the numbers.
inline std::string id_of(int number) {
    const std::string digits = std::to_string(number);
    return "u" + std::string(6 - digits.size(), '0') + digits;
}

// Users of whom every `missing`th has no entry.
inline void fill_emails(store::MemoryStore& store, int users, int missing) {
    store.create_table({"Users", {"UserId"}});
    store.create_table({"Index", {"K"}});
    for (int number = 0; number < users; ++number) {
        put_user(store, id_of(number), id_of(number) + "@x");
        if (number % missing != 0) put_entry(store, id_of(number) + "@x", id_of(number));
    }
}

}  // namespace idxfsck::tests
