"""Live Azure tables with drift, on azurite behind the fault proxy, for tests of the program."""

import os
import re
import sys

import program

SERVERS = os.path.join(program.TESTS, "servers")
sys.path.insert(0, SERVERS)
import azure_table  # noqa: E402
import real_server  # noqa: E402

USERS = 120
# What the environment of whoever runs the tests might say about accounts of his own.
NO_ACCOUNTS = {name: "" for name in (
    "AZURE_STORAGE_CONNECTION_STRING", "AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN",
    "AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_SERVICE_ENDPOINT")}


STORE = """[store.main]
kind     = "azure_tables"
endpoint = "{endpoint}/devstoreaccount1"

"""
SPEC = STORE + """[base.user]
store = "main"
table = "auth"
key   = ["PartitionKey", "RowKey"]
rows  = 'PartitionKey == "user"'

[[index]]
name    = "userByEmail"
of      = "user"
store   = "main"
table   = "auth"
key     = {{ PartitionKey = "userByEmail", RowKey = "{{email}}" }}
pointer = {{ id = "{{RowKey}}" }}
copies  = {{ all_except = ["odata.etag", "Timestamp"] }}
unique  = true
settle  = "{settle}"
"""


def live_spec(path, endpoint):
    """A spec of fixtures/, of rows in an embedded store, for the tables of an emulator."""
    with open(os.path.join(program.ROOT, "fixtures", path), encoding="utf-8") as file:
        return re.sub(r"\[store\.main\][^\[]*", lambda _: STORE.format(endpoint=endpoint),
                      file.read())


def user(number, email=None, name=None):
    identity = f"u{number:03}"
    return {"PartitionKey": "user", "RowKey": identity, "id": identity,
            "email": email or f"mail{number}@example.com", "name": name or f"Name {number}",
            "seen@odata.type": "Edm.Int64", "seen": str(9007199254740993 + number),
            "emailVerified@odata.type": "Edm.DateTime",
            "emailVerified": "2023-11-14T22:20:10.1234567Z"}


def entry(number, email=None, name=None):
    row = user(number, email, name)
    return {**row, "PartitionKey": "userByEmail", "RowKey": row["email"]}


def entries(drift):
    """An index of the users; with drift, five each never written, moved, copied wrongly, left."""
    if not drift:
        return [entry(number) for number in range(USERS)]
    rows = [entry(number) for number in range(15, USERS)]
    rows += [entry(number, email=f"before{number}@example.com") for number in range(5, 10)]
    rows += [entry(number, name="another") for number in range(10, 15)]
    return rows + [entry(number) for number in range(USERS, USERS + 5)]


def plain(row):
    """A row without what each write changes."""
    return {name: value for name, value in row.items() if name not in ("odata.etag", "Timestamp")}


class LiveTest(program.ProgramTest, real_server.ServerTest):
    """A test that has the table `auth` with users and their index."""

    def start(self, drift=True, settle="0s", rows=None):
        self.server = real_server.Server("azurite", "--proxy")
        self.addCleanup(self.stop)
        self.direct = self.server.said["direct"]
        everything = [user(number) for number in range(USERS)] + entries(drift)
        azure_table.make_table(self.direct, "auth", everything if rows is None else rows)
        self.server.ask(clear=True)
        self.write("auth.toml", SPEC.format(endpoint=self.server.endpoint, settle=settle))

    def stop(self):
        self.server.stop(passed=self._outcome.success)

    def rows(self, partition="userByEmail"):
        found = [plain(row) for row in azure_table.rows(self.direct, "auth")
                 if row["PartitionKey"] == partition]
        return sorted(found, key=lambda row: row["RowKey"])

    def run_live(self, *words, code=None):
        return self.run_program(*words, code=code, environment={**NO_ACCOUNTS, "HOME": self.folder})

    def findings(self, folder):
        with open(self.path(folder, "findings.ndjson"), encoding="utf-8") as file:
            return sorted(line for line in file if '"kind"' in line)
