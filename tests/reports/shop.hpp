// tests/reports/shop.hpp
//
// A small shop in a folder of its own: four users, an e-mail index with one fault of three sorts,
// and the spec of both.

#pragma once

#include "run_program.hpp"

namespace idxfsck::reports {

inline const char* const shop_spec = R"([store.main]
kind = "rocksdb"
path = "shop.idxfsck"

[base.user]
store = "main"
table = "Users"
key   = ["UserId"]

[[index]]
name    = "users-by-email"
of      = "user"
store   = "main"
table   = "UsersByEmail"
key     = { Email = "{Email|lower}" }
pointer = { UserId = "{UserId}" }
copies  = { Name = "{Name}" }
unique  = true
)";

// `emails` is the index table as NDJSON.
inline void make_shop(const TemporaryFolder& folder, const std::string& emails) {
    folder.write("shop.toml", shop_spec);
    folder.write("users.ndjson",
                 "{\"UserId\":\"u1\",\"Email\":\"Ann@x.org\",\"Name\":\"Ann\"}\n"
                 "{\"UserId\":\"u2\",\"Email\":\"bob@x.org\",\"Name\":\"Bob\"}\n"
                 "{\"UserId\":\"u3\",\"Email\":\"cy@x.org\",\"Name\":\"Cy\"}\n");
    folder.write("emails.ndjson", emails);
    RunSettings here;
    here.folder = folder.path();
    CHECK(run_idxfsck({"load", "shop.idxfsck", "Users", "users.ndjson", "--key", "UserId"}, here)
              .status == 0);
    CHECK(run_idxfsck({"load", "shop.idxfsck", "UsersByEmail", "emails.ndjson", "--key", "Email"},
                      here)
              .status == 0);
}

// Ann's entry is missing, Bob's copy is out of date, and a user who is gone has an entry.
inline const char* const drifted_emails =
    "{\"Email\":\"bob@x.org\",\"UserId\":\"u2\",\"Name\":\"Rob\"}\n"
    "{\"Email\":\"cy@x.org\",\"UserId\":\"u3\",\"Name\":\"Cy\"}\n"
    "{\"Email\":\"gone@x.org\",\"UserId\":\"u9\",\"Name\":\"Gone\"}\n";

inline const char* const sound_emails =
    "{\"Email\":\"ann@x.org\",\"UserId\":\"u1\",\"Name\":\"Ann\"}\n"
    "{\"Email\":\"bob@x.org\",\"UserId\":\"u2\",\"Name\":\"Bob\"}\n"
    "{\"Email\":\"cy@x.org\",\"UserId\":\"u3\",\"Name\":\"Cy\"}\n";

}  // namespace idxfsck::reports
