"""Live DynamoDB tables with drift, on dynalite behind the fault proxy, for tests of the program."""

import os
import shutil
import sys

import program

SERVERS = os.path.join(program.TESTS, "servers")
sys.path.insert(0, SERVERS)
import real_server  # noqa: E402

STORE = """
[store.main]
kind     = "dynamodb"
region   = "us-east-1"
endpoint = "{endpoint}"

"""
SPEC = STORE + """[base.user]
store = "main"
table = "Users"
key   = ["UserId"]

[[index]]
name    = "users-by-email"
of      = "user"
store   = "main"
table   = "UsersByEmail"
key     = {{ Email = "{{Email|lower}}" }}
pointer = {{ UserId = "{{UserId}}" }}
copies  = {{ Name = "{{Name}}" }}
unique  = true
settle  = "0s"
"""
USERS = 120


def user(number):
    return {"UserId": {"S": f"u{number}"}, "Email": {"S": f"Mail{number}@x.org"},
            "Name": {"S": f"Name {number}"}, "Age": {"N": "1234567890123456789012345678901234.5"}}


def entry(number, email=None, name=None):
    return {"Email": {"S": email or f"mail{number}@x.org"}, "UserId": {"S": f"u{number}"},
            "Name": {"S": name or f"Name {number}"}}


def entries(drift):
    """An index of the users; with drift, five each never written, moved, copied wrongly, left."""
    if not drift:
        return [entry(number) for number in range(USERS)]
    rows = [entry(number) for number in range(15, USERS)]
    rows += [entry(number, email=f"before{number}@x.org") for number in range(5, 10)]
    rows += [entry(number, name="another") for number in range(10, 15)]
    return rows + [entry(number) for number in range(USERS, USERS + 5)]


class LiveTest(program.ProgramTest, real_server.ServerTest):
    """A test that has tables; what runs there is signed, and the proxy checks it."""

    def start(self, drift=True):
        self.server = real_server.Server("dynalite", "--proxy")
        self.addCleanup(self.stop)
        self.fill("Users", "UserId", [user(number) for number in range(USERS)])
        self.fill("UsersByEmail", "Email", entries(drift))
        # One order at a time.
        self.server.ask(credentials=vars(real_server.CREDENTIALS))
        self.server.ask(clear=True)
        self.write("shop.toml", SPEC.format(endpoint=self.server.endpoint))

    def stop(self):
        self.server.stop(passed=self._outcome.success)

    def fill(self, table, key, rows):
        self.server.make_table(table, **{key: "S"})
        for begin in range(0, len(rows), 25):
            self.server.call("BatchWriteItem", {"RequestItems": {table: [
                {"PutRequest": {"Item": row}} for row in rows[begin:begin + 25]]}})

    def rows(self, table):
        found = self.server.call("Scan", {"TableName": table, "ConsistentRead": True},
                                 self.server.said["direct"])["Items"]
        return sorted(found, key=str)

    def run_live(self, *words, code=None):
        return run_live(self, self.server, *words, code=code)

    def findings(self, folder):
        with open(self.path(folder, "findings.ndjson"), encoding="utf-8") as file:
            return sorted(line for line in file if '"kind"' in line)


def environment(test, server):
    """Of somebody whose credentials are there."""
    return {"HOME": test.folder, "AWS_ACCESS_KEY_ID": real_server.CREDENTIALS.access_key,
            "AWS_SECRET_ACCESS_KEY": real_server.CREDENTIALS.secret_key,
            "AWS_ENDPOINT_URL_DYNAMODB": server.endpoint, "AWS_EC2_METADATA_DISABLED": "true"}


def run_live(test, server, *words, code=None):
    """Runs the program as somebody whose credentials are in the environment."""
    return test.run_program(*words, code=code, environment=environment(test, server))


def remove(test, *folders):
    for folder in folders:
        shutil.rmtree(test.path(folder), ignore_errors=True)
