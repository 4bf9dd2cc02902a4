"""The shapes that lie in DynamoDB, on live tables: found, mended in place, and undone.

Method: the rows of each shape go to a server, typed as `dump` types them, and its spec names that
server. What an audit finds and what is left after a repair are the shape's own answer keys; after
the undo the rows must be those from before, digit for digit. So on dynalite behind the proxy's
transactions, on dynalite that has none, and on moto, whose transactions are its own. Of the largest
shape every write is compared with the base rows that it has to be checked against, written out.
"""

import json
import os
import re
import shutil
import sys
import time
import tomllib

import live_tables
import program
import test_shapes

sys.path.insert(0, os.path.join(program.TESTS, "servers"))
import real_server  # noqa: E402

SHAPES = ("app-table", "auth-dynamodb", "single-table", "typedorm")
LONG_OVER = "1000000000"  # in auth-dynamodb; on DynamoDB so old a moment is none

# Of each write of the repair of app-table: the row, and the base rows that it is checked against.
ANN, BOB = ("USER#1", "PROFILE"), ("USER#2", "PROFILE")
CHECKED = [
    (("EMAIL#bob@new.example", "EMAIL"), {BOB}),
    (("EMAIL#bob@old.example", "EMAIL"), {BOB}),
    (("EMAIL#cy@x.example", "EMAIL"), {("USER#3", "PROFILE")}),
    (("EMAIL#di@x.example", "EMAIL"), {("USER#4", "PROFILE")}),
    (("EMAIL#gone@x.example", "EMAIL"), {("USER#9", "PROFILE")}),
    (("ORDER#2", "ORDER"), {("USER#1", "ORDER#2")}),
    (("ORDER#3", "ORDER"), {("USER#1", "ORDER#3")}),
    (("ORDER#9", "ORDER"), {("USER#1", "ORDER#9")}),
    (("TEAM#blue", "TEAM"), {("USER#4", "PROFILE")}),
    (("TEAM#green", "TEAM"), {("USER#5", "PROFILE")}),
    (("TEAM#red", "TEAM"), {("USER#9", "PROFILE")}),
    (("TEAM#red", "TEAM"), {BOB}),
    # What lies inside a base row is guarded with the row.
    (("USER#1", "ORDER#3"), set()),
    (("USER#1", "ORDER#4"), set()),
    (("USER#3", "PROFILE"), set()),
    (("USER#4", "PROFILE"), set()),
    (("USER#5", "PROFILE"), set()),
]


def key_of(row):
    return row["PK"]["S"], row["SK"]["S"]


def canonical(row):
    sets = {name: {kind: sorted(value) if kind in ("SS", "NS", "BS") else value
                   for kind, value in attribute.items()} for name, attribute in row.items()}
    return json.dumps(sets, sort_keys=True)


def checked_rows(writes):
    """Each write that was applied, with the rows that its transaction checked."""
    found = []
    for one in writes:
        if not one["applied"]:
            continue
        if one["operation"] == "TransactConditionCheck":
            found[-1][1].add(key_of(one["key"]))
        else:
            found.append((key_of(one["key"]), set()))
    return sorted(found, key=str)


class OnServer(program.ProgramTest):
    words = ()
    compares_lists = False  # for dynalite no list equals another

    @classmethod
    def setUpClass(cls):
        cls.server = real_server.Server(*cls.words)
        cls.addClassCleanup(cls.server.stop)

    def load(self, shape):
        """The tables of a shape on the server; its spec, live.toml, names them there."""
        folder = os.path.join(test_shapes.SHAPES, shape)
        with open(os.path.join(folder, "spec.toml"), encoding="utf-8") as file:
            text = file.read()
        self.write("live.toml", re.sub(
            r"\[store.main\][^\[]*", "[store.main]\nkind = \"dynamodb\"\nregion = \"us-east-1\"\n"
            f"endpoint = \"{self.server.endpoint}\"\n\n", text))
        keys = test_shapes.keys_of(tomllib.loads(text))
        for table, key in keys.items():
            rows = shutil.copy(os.path.join(folder, table + ".ndjson"), self.folder)
            self.run_program("load", "tables.idxfsck", table, rows, "--shape", "plain",
                             "--key", ",".join(key), code=0)
            dumped = self.run_program("dump", "tables.idxfsck", table, "--shape", "dynamodb",
                                      code=0).output
            dumped = dumped.replace(f'"N":"{LONG_OVER}"', f'"N":"{int(time.time()) - 86400}"')
            if not self.compares_lists:
                dumped = dumped.replace('{"L":[{"S":"USER#4"}]}', '{"SS":["USER#4"]}')
            self.server.make_table(table, **{name: "S" for name in key})
            self.addCleanup(self.server.call, "DeleteTable", {"TableName": table})
            for line in dumped.splitlines():
                self.server.call("PutItem", {"TableName": table, **json.loads(line)})
        self.tables = list(keys)

    def rows(self):
        """As texts: neither the order of attributes nor that in a set means anything."""
        return {table: sorted(map(canonical, self.server.call(
            "Scan", {"TableName": table, "ConsistentRead": True})["Items"]))
                for table in self.tables}

    def run_live(self, *words, code=None):
        return live_tables.run_live(self, self.server, *words, code=code)

    def expect(self, shape, key, folder):
        self.run_live("audit", "live.toml", "--out", folder, "--expect",
                      os.path.join(test_shapes.SHAPES, shape, key), code=0)

    def walk(self, shape):
        """From the audit to the undo; the writes of the repair, and what it said of its guards."""
        self.load(shape)
        before = self.rows()
        self.expect(shape, "expected.ndjson", "out")
        self.run_live("plan", "out", code=4)
        self.server.ask(clear=True)
        left = os.path.getsize(os.path.join(test_shapes.SHAPES, shape, "left.ndjson")) > 0
        repaired = self.run_live("repair", "out/plan.ndjson", "--apply", "--max-deletes", "20",
                                 code=4 if left else 0)
        writes = self.server.ask(writes=True).get("writes", [])
        self.expect(shape, "left.ndjson", "after")
        again = self.run_live("repair", "out/plan.ndjson", "--apply", "--max-deletes", "20",
                              code=4 if left else 0)
        self.assertNotIn(" applied", again.output)
        self.run_live("undo", "out/journal.ndjson", "--apply", code=0)
        self.assertEqual(before, self.rows())
        return writes, repaired.error


def walk_of(shape):
    def walk(self):
        self.check(shape, *self.walk(shape))
    return walk


def with_walks(of):
    for shape in SHAPES:
        setattr(of, "test_" + shape.replace("-", "_"), walk_of(shape))
    return of


@with_walks
class WithTransactions(OnServer, real_server.ServerTest):
    words = ("dynalite", "--proxy")
    maxDiff = None

    def check(self, shape, writes, error):
        self.assertNotIn("note: index", error)
        if shape == "app-table":
            self.assertEqual(sorted(CHECKED, key=str), checked_rows(writes))


@with_walks
class WithoutTransactions(OnServer, real_server.ServerTest):
    words = ("dynalite",)

    def check(self, shape, writes, error):
        """Of what no guard joins to its base rows a person is told; what lies in them is."""
        noted = set(re.findall("note: index ([a-z-]+):", error))
        self.assertEqual({"app-table": {"email", "team", "order-by-number"},
                          "auth-dynamodb": set()}.get(shape, noted), noted)
        self.assertEqual([], writes)  # nobody counts them


@with_walks
class OnMoto(OnServer, real_server.ServerTest):
    words = ("moto",)
    compares_lists = True

    def check(self, shape, writes, error):
        self.assertNotIn("note: index", error)


if __name__ == "__main__":
    program.main()
