"""Base and index in two stores: no guard joins them; a repair says so, and mends all the same.

Method: two embedded stores and one spec; the built program does the rest.
"""

import program

SPEC = """
[store.users]
kind = "rocksdb"
path = "users.idxfsck"
[store.lookup]
kind = "rocksdb"
path = "lookup.idxfsck"

[base.user]
store = "users"
table = "Users"
key   = ["id"]

[[index]]
name    = "by-email"
of      = "user"
store   = "lookup"
table   = "ByEmail"
key     = { email = "{email}" }
pointer = { id = "{id}" }
"""

NOTE = "note: index by-email: no store holds its rows and those of its base under one guard"


class TwoStores(program.ProgramTest):
    def test_a_repair_says_what_no_guard_reaches_before_it_writes(self):
        self.write("spec.toml", SPEC)
        self.write("users.ndjson", '{"id":"u1","email":"a"}\n{"id":"u2","email":"b"}\n')
        self.write("entries.ndjson", '{"email":"a","id":"u1"}\n{"email":"c","id":"u2"}\n')
        self.run_program("load", "users.idxfsck", "Users", "users.ndjson", "--key", "id", code=0)
        self.run_program("load", "lookup.idxfsck", "ByEmail", "entries.ndjson", "--key", "email",
                         code=0)
        self.run_program("audit", "spec.toml", "--out", "out", code=4)
        self.run_program("plan", "out", code=4)
        self.assertIn(NOTE, self.run_program("repair", "out/plan.ndjson", code=4).error)
        done = self.run_program("repair", "out/plan.ndjson", "--apply", "--max-deletes", "5",
                                code=0)
        self.assertTrue(done.error.startswith(NOTE), str(done))
        self.run_program("audit", "spec.toml", "--out", "out", code=0)
        self.run_program("undo", "out", "--apply", code=0)


if __name__ == "__main__":
    program.main()
