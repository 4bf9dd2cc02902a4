"""What dynamodb-onetable leaves in a table by its ordinary calls is found, mended, and used again.

Method: the library itself (npm, 2.7.7) makes 1,000 users in dynalite, through the proxy's
transactions, and then changes some by calls that do not look after their unique claims. The key
that its writer gives is confirmed by plain loops over the table's rows; the program must find just
that. After the repair the library must work with the rows as if nothing had been wrong. Requests
that fail, or whose answers are lost, change nothing in that.
"""

import json
import os
import re
import shutil
import subprocess
import sys

import live_tables
import program
import real_oracle

SERVERS = os.path.join(program.TESTS, "servers")
sys.path.insert(0, SERVERS)
import parts  # noqa: E402
import real_server  # noqa: E402

USERS = 1000
FEW_USERS = 200
BATCH = 25


def library(mode, endpoint, table, users=USERS):
    """Runs the library's writer; what it printed."""
    words = [parts.node(), os.path.join(SERVERS, "onetable_writer.mjs"), mode,
             parts.installed("dynamodb"), endpoint, table, str(users)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, timeout=300)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return done.stdout


def scan(server, table):
    rows, words = [], {"TableName": table, "ConsistentRead": True}
    while True:
        page = server.call("Scan", words, server.said["direct"])
        rows += page["Items"]
        if not page.get("LastEvaluatedKey"):
            return rows
        words["ExclusiveStartKey"] = page["LastEvaluatedKey"]


def make_table(server, table, rows):
    """A table of onetable's keys, with the rows."""
    server.make_table(table, pk="S", sk="S")
    for begin in range(0, len(rows), BATCH):
        puts = [{"PutRequest": {"Item": row}} for row in rows[begin:begin + BATCH]]
        done = server.call("BatchWriteItem", {"RequestItems": {table: puts}},
                           server.said["direct"])
        assert not done.get("UnprocessedItems")


class Onetable(program.ProgramTest):
    def load(self, rows):
        lines = "".join(json.dumps({"Item": row}) + "\n" for row in rows)
        self.run_program("load", "onetable.idxfsck", "onetable", self.write("rows.ndjson", lines),
                         "--key", "pk,sk", code=0)

    def dumped(self):
        lines = self.run_program("dump", "onetable.idxfsck", "onetable", "--shape", "dynamodb",
                                 code=0).output.splitlines()
        return [json.loads(line)["Item"] for line in lines]

    def test_what_the_library_leaves_is_found_and_mended_and_the_library_goes_on(self):
        shutil.copy(os.path.join(program.ROOT, "fixtures", "specs", "onetable.toml"), self.folder)
        with real_server.Server("dynalite", "--proxy") as server:
            # Every request of the library must be signed as the proxy says: it has AWS's signer.
            server.ask(credentials=vars(real_server.CREDENTIALS))
            key = library("write", server.endpoint, "onetable", FEW_USERS).splitlines()
            rows = scan(server, "onetable")
            self.check_key(key, rows, FEW_USERS)
            self.load(rows)
            self.run_program("audit", "onetable.toml", "--out", "out", code=4)
            self.run_program("audit", "onetable.toml", "--out", "out", "--expect",
                             self.write("key.ndjson", "\n".join(key) + "\n"), code=0)
            with self.assertRaisesRegex(AssertionError, "already exists|UniqueError"):
                library("use", server.endpoint, "onetable", FEW_USERS)

            self.run_program("plan", "out", code=4)
            self.run_program("repair", "out/plan.ndjson", "--apply", code=0)
            make_table(server, "mended", self.dumped())
            library("use", server.endpoint, "mended", FEW_USERS)
            self.assertEqual([], real_oracle.findings(
                "onetable", [{"Item": row} for row in scan(server, "mended")]))

    def test_the_same_on_the_live_table(self):
        with real_server.Server("dynalite", "--proxy") as server:
            server.ask(credentials=vars(real_server.CREDENTIALS))
            with open(os.path.join(program.ROOT, "fixtures", "specs", "onetable.toml"),
                      encoding="utf-8") as file:
                spec = re.sub(r"\[store\.main\][^\[]*", "[store.main]\nkind = \"dynamodb\"\n"
                              f"region = \"us-east-1\"\nendpoint = \"{server.endpoint}\"\n\n",
                              file.read())
            self.write("live.toml", spec)
            key = library("write", server.endpoint, "onetable")
            self.check_key(key.splitlines(), scan(server, "onetable"), USERS)
            expected = self.write("key.ndjson", key)

            def run(*words, code):
                live_tables.run_live(self, server, *words, code=code)

            run("audit", "live.toml", "--out", "out", code=4)
            run("audit", "live.toml", "--out", "out", "--expect", expected, code=0)
            run("plan", "out", code=4)
            run("repair", "out/plan.ndjson", "--apply", code=0)
            self.assertEqual([], real_oracle.findings(
                "onetable", [{"Item": row} for row in scan(server, "onetable")]))
            library("use", server.endpoint, "onetable")

    def test_the_library_leaves_the_same_where_requests_fail(self):
        # Fewer than the library's tries, so that none of its calls can fail for good.
        faults = [{"fault": "internal", "at": [5, 40]}, {"fault": "reset", "at": [10, 60, 208]},
                  {"fault": "unavailable", "after": True, "at": [20, 80]},
                  {"fault": "drop", "after": True, "at": [30, 90, 214]}]
        with real_server.Server("dynalite", "--proxy") as server:
            library("write", server.endpoint, "plain", FEW_USERS)
            server.ask(clear=True)
            server.plan(*({**fault, "table": "faulty"} for fault in faults))
            library("write", server.endpoint, "faulty", FEW_USERS)
            self.assertEqual({"internal": 2, "reset": 3, "unavailable": 2, "drop": 3},
                             server.ask(counts=True)["faults"])
            plain, faulty = (sorted(map(json.dumps, scan(server, table)))
                             for table in ("plain", "faulty"))
            self.assertEqual(plain, faulty)

    def check_key(self, key, rows, users):
        """The key of the writer, which knows the calls, is that of plain loops over the rows."""
        counted = {}
        for line in map(json.loads, key):
            kind = (line["index"], line["kind"])
            counted[kind] = counted.get(kind, 0) + 1
        # Of each hundred users: one e-mail removed, one set, one removed, one deleted.
        self.assertEqual({("email", "stale_pointer"): 3 * users // 100,
                          ("email", "orphaned_write"): users // 100,
                          ("handle", "stale_pointer"): 2 * users // 100}, counted)
        found = real_oracle.findings("onetable", [{"Item": row} for row in rows])
        self.assertEqual(sorted(map(self.canonical, found)), sorted(map(self.canonical, key)))

    @staticmethod
    def canonical(line):
        return json.dumps(json.loads(line), sort_keys=True)


if __name__ == "__main__":
    program.main()
