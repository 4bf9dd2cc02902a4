"""`doctor` on Azure tables: as whom, where, which tables and keys, what is missing, and samples.

Method: tables on azurite behind the fault proxy, one thing wrong at a time by the answers that the
service documents; signatures that are made here; and for tokens, which azurite takes over TLS
alone, a stand-in for the authority and for a table service. Nothing may be written, no table
scanned, and nothing secret said.
"""

import base64
import hmac
import http.server
import json
import threading
import urllib.parse

import live_azure
import program

ACCOUNT = live_azure.azure_table.ACCOUNT
KEY = live_azure.azure_table.KEY
SPEC = """[store.main]
kind    = "azure_tables"
account = "devstoreaccount1"

[base.user]
store = "main"
table = "users"
key   = ["PartitionKey", "RowKey"]

[[index]]
name    = "users-by-email"
of      = "user"
store   = "main"
table   = "usersbyemail"
key     = { PartitionKey = "{email|lower}", RowKey = "email" }
pointer = { userPartition = "{PartitionKey}", userRow = "{RowKey}" }
settle  = "0s"
"""
# What is wrong: the faults that say so, the exit status, what the program must say.
MISTAKES = [
    ({"fault": "denied", "operations": ["QueryEntities"], "table": "usersbyemail"}, 8,
     ["MISSING: Query Entities on usersbyemail: This request is not authorized"]),
    ({"fault": "denied", "operations": ["GetEntity"], "table": "users"}, 8,
     ["MISSING: Query Entity on users: This request is not authorized"]),
    ({"fault": "bad_signature"}, 8,
     ["PROBLEM: the table service refuses this request", "AuthenticationFailed", "right account"]),
    ({"fault": "no_table", "operations": ["QueryEntities"], "table": "usersbyemail"}, 16,
     ["table usersbyemail in main: index users-by-email\n  PROBLEM: there is no such table: "
      "account=devstoreaccount1", "is that the right account"]),
    ({"fault": "table_in_use", "operations": ["QueryEntities"], "table": "users"}, 8,
     ["PROBLEM: the table cannot be looked at", "TableBeingDeleted"]),
]
TENANT = "0f0e0d0c-0b0a-4908-8706-050403020100"
OTHER_TENANT = "11111111-2222-4333-8444-555555555555"
CLIENT = "99999999-8888-4777-8666-aaaaaaaaaaaa"


def users(count):
    return [{"PartitionKey": f"p{number}", "RowKey": f"u{number:03}",
             "email": f"Mail{number}@x.org"} for number in range(count)]


def entries(count):
    return [{"PartitionKey": f"mail{number}@x.org", "RowKey": "email",
             "userPartition": f"p{number}", "userRow": f"u{number:03}"}
            for number in range(count)]


def signature(permits):
    """A shared access signature for all tables of the account."""
    words = {"sp": permits, "ss": "t", "srt": "sco", "st": "", "se": "2099-01-01T00:00:00Z",
             "sip": "", "spr": "https,http", "sv": "2019-02-02"}
    text = "\n".join([ACCOUNT, *words.values(), ""])
    made = base64.b64encode(hmac.digest(base64.b64decode(KEY), text.encode(), "sha256"))
    return urllib.parse.urlencode({**{name: word for name, word in words.items() if word},
                                   "sig": made.decode()})


def token_of(claims):
    """A token that says so; nobody has signed it."""
    def text(words):
        return base64.urlsafe_b64encode(json.dumps(words).encode()).decode().rstrip("=")
    return f"{text({'alg': 'none'})}.{text(claims)}.signature-secret"


class DoctorTest(live_azure.LiveTest):
    def start_shop(self, index_rows):
        self.start(rows=[])
        make_table = live_azure.azure_table.make_table
        make_table(self.direct, "users", users(40))
        make_table(self.direct, "usersbyemail", index_rows)
        self.write("shop.toml", SPEC)
        self.right = {"AZURE_STORAGE_KEY": KEY}

    def run_here(self, *words, code=None, endpoint=None, **more):
        endpoint = endpoint or f"{self.server.endpoint}/{ACCOUNT}"
        ran = self.run_program(*words, code=code, environment={
            **live_azure.NO_ACCOUNTS, "HOME": self.folder, "AZURE_STORAGE_ACCOUNT": ACCOUNT,
            "AZURE_STORAGE_SERVICE_ENDPOINT": endpoint, **self.right, **more})
        for secret in ("secret", KEY, "sig="):
            self.assertNotIn(secret, ran.output + ran.error)
        return ran

    def assert_says(self, ran, words):
        for word in words:
            self.assertIn(word, ran.output + ran.error, str(ran))


class Tables(DoctorTest):
    def test_a_store_that_is_ready(self):
        self.start_shop(entries(40))
        self.server.ask(clear=True)
        ran = self.run_here("doctor", "shop.toml", code=0)
        self.assert_says(ran, [
            f"endpoint     {self.server.endpoint}/{ACCOUNT}", f"account      {ACCOUNT}",
            "credentials  AZURE_STORAGE_KEY", "identity     the account's key",
            "table users in main: base user\n  key          PartitionKey (text), RowKey (text)\n"
            "  size         not known without a scan (the service counts no rows",
            "allowed      Query Entities, Query Entity",
            "to repair    Insert Entity, Update Entity, Delete Entity", "only a write can tell",
            "sample of users-by-email, base side, users: 3 of 3 entries met",
            "sample of users-by-email, index side, usersbyemail: 3 of 3 entries met", "READY: "])
        # A key is of no tenant, and what is not counted has no cost.
        self.assertNotIn("tenant", ran.output)
        self.assertNotIn("cost of one scan", ran.output)
        self.assertEqual(1, ran.output.count("to repair"))
        self.assertEqual([], self.server.ask(writes=True)["writes"])
        asked = self.server.ask(counts=True)["requests"]
        self.assertLessEqual(set(asked), {"QueryEntities", "GetEntity", "QueryTables"})
        # Of each table one row to try it, and one page of a few as a sample.
        self.assertEqual(4, asked["QueryEntities"])

    def test_a_spec_whose_samples_meet_nothing_is_in_doubt(self):
        self.start_shop(entries(40))
        self.write("shop.toml", SPEC.replace("{email|lower}", "{email|upper}"))
        ran = self.run_here("doctor", "shop.toml", code=8)
        self.assert_says(ran, ["0 of 3 entries met", "no row of the sample meets the other side",
                               "NOT READY: "])

    def test_what_is_wrong_is_named_with_what_to_change(self):
        self.start_shop(entries(40))
        for fault, code, words in MISTAKES:
            with self.subTest(fault):
                self.server.plan(fault)
                ran = self.run_here("doctor", "shop.toml", code=code)
                self.assert_says(ran, [*words, "NOT READY: "])
        self.server.plan()
        self.write("shop.toml", SPEC.replace('"usersbyemail"', '"usersbymail"'))
        self.assert_says(self.run_here("doctor", "shop.toml", code=16), ["there is no such table"])
        self.write("shop.toml", SPEC.replace('["PartitionKey", "RowKey"]', '["RowKey"]'))
        self.assert_says(self.run_here("doctor", "shop.toml", code=16),
                         ["the table's key is: PartitionKey, RowKey"])
        self.assertEqual([], self.server.ask(writes=True)["writes"])

    def test_a_signature_is_told_by_what_it_permits(self):
        self.start_shop(entries(40))
        self.right = {"AZURE_STORAGE_SAS_TOKEN": signature("r")}
        ran = self.run_here("doctor", "shop.toml", code=0)
        self.assert_says(ran, [
            "credentials  AZURE_STORAGE_SAS_TOKEN",
            "identity     a signature that permits r until 2099-01-01T00:00:00Z",
            "MISSING: Insert Entity on usersbyemail: the signature needs `a` in its sp",
            "MISSING: Delete Entity on usersbyemail: ", "READY: "])
        self.assertNotIn("Insert Entity on users:", ran.output)
        self.right = {"AZURE_STORAGE_SAS_TOKEN": signature("raud")}
        ran = self.run_here("doctor", "shop.toml", code=0)
        self.assert_says(ran, ["to repair    Insert Entity, Update Entity, Delete Entity"])
        self.assertNotIn("MISSING", ran.output)
        self.right = {"AZURE_STORAGE_SAS_TOKEN": signature("a")}
        ran = self.run_here("doctor", "shop.toml", code=8)
        self.assert_says(ran, ["MISSING: Query Entities on users: ",
                               "the signature needs `r` in its sp", "NOT READY: "])

    def test_a_signature_that_hides_rows_is_refused_before_anything_is_asked(self):
        self.start_shop([])
        self.server.ask(clear=True)
        self.right = {"AZURE_STORAGE_SAS_TOKEN": signature("r") + "&spk=p1&epk=p2"}
        for command in ("doctor", "audit"):
            ran = self.run_here(command, "shop.toml", code=16)
            self.assert_says(ran, ["shows a range of the keys alone", "AZURE_STORAGE_SAS_TOKEN"])
        self.assertEqual({}, self.server.ask(counts=True)["requests"])


class Answering(http.server.BaseHTTPRequestHandler):
    """Whatever the server's `say` answers: status and words."""
    protocol_version = "HTTP/1.1"

    def do_GET(self):
        size = int(self.headers.get("Content-Length") or 0)
        self.server.asked.append((self.path, self.rfile.read(size).decode()))
        status, words = self.server.say(self)
        body = json.dumps(words).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    do_POST = do_GET

    def log_message(self, *_):
        pass


class Tenants(DoctorTest):
    """By tokens: an authority gives one, and a service of empty tables takes no other."""

    def setUp(self):
        super().setUp()
        self.claims = {"tid": TENANT, "appid": CLIENT}
        self.token = None   # an opaque one, if a test wants it
        self.authority = self.serve(lambda _: (200, {"access_token": self.text(),
                                                     "expires_in": 3600}))
        self.service = self.serve(self.answer)
        self.right = {"AZURE_TENANT_ID": TENANT, "AZURE_CLIENT_ID": CLIENT,
                      "AZURE_CLIENT_SECRET": "client-secret",
                      "AZURE_AUTHORITY_HOST": f"http://127.0.0.1:{self.authority.server_port}"}

    def serve(self, say):
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        server.say, server.asked = say, []
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return server

    def text(self):
        return self.token or token_of(self.claims)

    def answer(self, request):
        if request.headers.get("Authorization") != f"Bearer {self.text()}":
            return 403, {"odata.error": {"code": "AuthenticationFailed"}}
        if "PartitionKey=" in request.path:
            return 404, {"odata.error": {"code": "ResourceNotFound"}}
        return 200, {"value": []}

    def run_at(self, command, tenant=None, code=None):
        pin = f'expect_tenant = "{tenant}"\n' if tenant else ""
        self.write("shop.toml", SPEC.replace("account =", pin + "account ="))
        self.service.asked.clear()
        return self.run_here(command, "shop.toml", code=code,
                             endpoint=f"http://127.0.0.1:{self.service.server_port}/{ACCOUNT}")

    def test_a_token_is_told_by_its_tenant_and_identity(self):
        ran = self.run_at("doctor", TENANT.upper(), code=0)
        self.assert_says(ran, [
            f"credentials  AZURE_CLIENT_SECRET, client {CLIENT} of tenant {TENANT}",
            f"identity     client {CLIENT}", f"tenant       {TENANT}", "READY: "])
        self.claims["upn"] = "ann@example.com"
        self.assert_says(self.run_at("doctor", code=0), ["identity     ann@example.com"])

    def test_another_tenant_than_the_spec_expects_is_refused_before_anything_is_read(self):
        for command in ("audit", "doctor"):
            ran = self.run_at(command, OTHER_TENANT, code=16)
            self.assert_says(ran, ["another tenant than the spec expects", OTHER_TENANT, TENANT,
                                   f"client {CLIENT}", "AZURE_CLIENT_SECRET", "az login"])
            self.assertEqual([], self.service.asked)
        self.run_at("audit", TENANT, code=0)
        self.assertNotEqual([], self.service.asked)

    def test_a_tenant_that_cannot_be_told_is_no_match(self):
        for self.token in ("opaque-secret", "a.b.c-secret"):
            ran = self.run_at("audit", TENANT, code=8)
            self.assert_says(ran, ["cannot be found out", TENANT])
            self.assertEqual([], self.service.asked)
        self.assert_says(self.run_at("doctor", code=0), ["not known: the token does not say"])

    def test_a_key_is_of_no_tenant(self):
        self.right = {"AZURE_STORAGE_KEY": KEY}
        ran = self.run_at("audit", TENANT, code=16)
        self.assert_says(ran, ["of no tenant", "credentials=AZURE_STORAGE_KEY"])
        self.assertEqual([], self.service.asked)

    def test_a_tenant_is_a_guid(self):
        ran = self.run_at("audit", "example.com", code=16)
        self.assert_says(ran, ["a tenant is a guid", "example.com", "az account show"])
        self.assertEqual([], self.authority.asked)


if __name__ == "__main__":
    program.main()
