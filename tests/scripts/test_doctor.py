"""`doctor` says what is known before a scan: as whom, where, what is missing, what it would cost.

Method: tables on dynalite behind the fault proxy, one thing wrong at a time by the error bodies
that AWS documents, and a stand-in for its Security Token Service. Nothing may be written, no table
scanned, and nothing secret said.
"""

import http.server
import json
import re
import threading
import urllib.parse

import live_tables
import program
import real_server

ACCOUNT = "123456789012"
ARN = f"arn:aws:sts::{ACCOUNT}:assumed-role/audit/ann"
IDENTITY = f"""<GetCallerIdentityResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/">
  <GetCallerIdentityResult>
    <Arn>{ARN}</Arn><UserId>AROAEXAMPLE:ann</UserId><Account>{ACCOUNT}</Account>
  </GetCallerIdentityResult>
</GetCallerIdentityResponse>"""
EXPIRED = """<ErrorResponse xmlns="https://sts.amazonaws.com/doc/2011-06-15/"><Error>
  <Type>Sender</Type><Code>ExpiredToken</Code>
  <Message>The security token included in the request is expired</Message>
</Error></ErrorResponse>"""
SIZES = {"fault": "described", "operations": ["DescribeTable"],
         "table_words": {"ItemCount": 3_000_000, "TableSizeBytes": 4096 * 3_000_000}}
# What is wrong: the faults that say so, the exit status, what the program must say.
MISTAKES = [
    ({"fault": "denied", "operations": ["DescribeTable"], "table": "Users"}, 8,
     ["MISSING: dynamodb:DescribeTable on Users: ", "not authorized"]),
    ({"fault": "denied", "operations": ["Scan"], "table": "UsersByEmail"}, 8,
     ["MISSING: dynamodb:Scan on UsersByEmail: "]),
    ({"fault": "denied", "operations": ["BatchGetItem"], "table": "Users"}, 8,
     ["MISSING: dynamodb:BatchGetItem on Users: "]),
    ({"fault": "expired_token"}, 8, ["ExpiredTokenException", "aws sso login"]),
    ({"fault": "unknown_token"}, 8, ["UnrecognizedClientException", "get-caller-identity"]),
    ({"fault": "bad_signature"}, 8, ["InvalidSignatureException", "another region"]),
    ({"fault": "no_table", "table": "UsersByEmail"}, 16,
     ["table UsersByEmail in main", "there is no such table: region=us-east-1",
      "region us-east-1, which is from `region` in the spec", "in account 000000000000",
      "AWS_PROFILE"]),
    ({"fault": "bad_signature",
      "message": "Credential should be scoped to a valid region, not 'us-east-1'. "}, 8,
     ["Credential should be scoped to a valid region", "region=us-east-1",
      "which is from `region` in the spec"]),
    ({"fault": "described", "operations": ["DescribeTable"],
      "table_words": {"TableStatus": "CREATING"}}, 8, ["status=CREATING", "says ACTIVE"]),
    ({"fault": "described", "operations": ["DescribeTable"],
      "table_words": {"TableStatus": "DELETING"}}, 8, ["status=DELETING", "says ACTIVE"]),
]
# What the spec says wrongly: from, to, and what doctor and audit must say.
WRONG_SPECS = [
    ('key   = ["UserId"]', 'key   = ["Id"]', ["the table's key is: UserId"]),
    ("{ Email = ", "{ Mail = ", ["the table has no such key component", "Email"]),
    ('table   = "UsersByEmail"', 'table   = "Users/index/by-email"',
     ["an index that DynamoDB itself keeps", "inside = true"]),
    ('table   = "UsersByEmail"', 'table   = "by-name"',
     ["an index that DynamoDB itself keeps", "index_of=Users", "inside = true"]),
    ('table   = "UsersByEmail"', 'table   = "UsersByMail"', ["no such table"]),
]


class TokenService(http.server.BaseHTTPRequestHandler):
    """Says whose the credentials are, to whoever signs the question."""
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        asked = urllib.parse.parse_qs(body).get("Action") == ["GetCallerIdentity"]
        signed = "/sts/aws4_request" in self.headers.get("Authorization", "")
        right = asked and signed and not self.server.expired
        answer = (IDENTITY if right else EXPIRED).encode()
        self.send_response(200 if right else 403)
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


class Doctor(live_tables.LiveTest):
    def start(self, drift=True):
        super().start(drift)
        self.tokens = http.server.ThreadingHTTPServer(("127.0.0.1", 0), TokenService)
        self.tokens.expired = False
        threading.Thread(target=self.tokens.serve_forever, daemon=True).start()
        self.addCleanup(self.tokens.server_close)
        self.addCleanup(self.tokens.shutdown)
        with open(self.path("shop.toml"), encoding="utf-8") as file:
            self.spec = file.read()

    def run_here(self, *words, code=None, **more):
        ran = self.run_program(*words, code=code, environment={
            "HOME": self.folder, "AWS_ACCESS_KEY_ID": real_server.CREDENTIALS.access_key,
            "AWS_SECRET_ACCESS_KEY": real_server.CREDENTIALS.secret_key,
            "AWS_ENDPOINT_URL_DYNAMODB": self.server.endpoint,
            "AWS_ENDPOINT_URL_STS": f"http://127.0.0.1:{self.tokens.server_port}",
            "AWS_EC2_METADATA_DISABLED": "true", **more})
        self.assertNotIn(real_server.CREDENTIALS.secret_key, str(ran))
        return ran

    def assert_says(self, ran, words):
        for word in words:
            self.assertIn(word, ran.output + ran.error, str(ran))

    def test_a_store_that_is_ready(self):
        self.start()
        self.server.plan(SIZES)
        self.server.ask(clear=True)
        ran = self.run_here("doctor", "shop.toml", "--price-per-million-units", "0.25", "--rate",
                            "1000", code=0)
        self.assert_says(ran, [
            "region       us-east-1", f"endpoint     {self.server.endpoint}",
            "credentials  environment", f"identity     {ARN}", f"account      {ACCOUNT}",
            "table Users in main: base user\n  state        ACTIVE\n  key          UserId (text)",
            "about 3,000,000 rows, 12,288,000,000 bytes", "every six hours",
            "allowed      dynamodb:DescribeTable, dynamodb:Scan, dynamodb:BatchGetItem",
            "to repair    dynamodb:PutItem, dynamodb:UpdateItem, dynamodb:DeleteItem",
            "to repair    dynamodb:ConditionCheckItem", "only a write can tell",
            # Two tables of 3,000,000 times 4 KB, half a unit each.
            "about 3,000,000 read units, 0.75 dollars at the price, 50.0 minutes",
            "READY: "])
        self.assertEqual([], self.server.ask(writes=True)["writes"])
        asked = self.server.ask(counts=True)["requests"]
        self.assertLessEqual(set(asked), {"DescribeTable", "DescribeTimeToLive", "Scan",
                                          "BatchGetItem", "TransactWriteItems"})
        # Of each table one row to try it, and one page of a few as a sample.
        self.assertEqual(4, asked["Scan"])

    def test_the_tables_own_expiry_is_held_against_the_specs(self):
        self.start(drift=False)
        expiring = self.spec.replace('key   = ["UserId"]\n',
                                     'key   = ["UserId"]\nexpires = { at = "{ends}" }\n')
        on = {"fault": "described", "operations": ["DescribeTimeToLive"], "table": "Users",
              "table_words": {"TimeToLiveStatus": "ENABLED", "AttributeName": "ttl"}}
        same = {**on, "table_words": {"TimeToLiveStatus": "ENABLED", "AttributeName": "ends"}}
        off = {**on, "table_words": {}}
        for spec, rule, words, notes in (
                (self.spec, off, ["ttl          off"], 0),
                (self.spec, on, ["ttl          ttl", "NOTE: base user has no `expires`",
                                 'expires = { at = "{ttl}" }'], 1),
                (expiring, off, ["NOTE: base user has `expires`, but the table's TTL is off"], 1),
                (expiring, on, ["NOTE: base user expires by ends, but the table's TTL is ttl"], 1),
                (expiring, same, ["ttl          ends"], 0)):
            with self.subTest(words):
                self.server.plan(rule)
                self.write("shop.toml", spec)
                ran = self.run_here("doctor", "shop.toml", code=0)
                self.assert_says(ran, [*words, "READY: "])
                self.assertEqual(notes, ran.output.count("NOTE: "))

    def test_an_expiry_that_may_not_be_asked_for_stands_in_no_ones_way(self):
        self.start(drift=False)
        for rule, words in (({"fault": "denied"}, "not authorized to perform: "
                             "dynamodb:DescribeTimeToLive"),
                            ({"fault": "no_table"}, "Requested resource not found")):
            self.server.plan({**rule, "operations": ["DescribeTimeToLive"]})
            ran = self.run_here("doctor", "shop.toml", code=0)
            self.assert_says(ran, ["ttl          could not be asked: ", words, "READY: "])
            self.assertNotIn("NOTE: ", ran.output)

    def test_samples_of_both_sides_meet_or_say_why_not(self):
        self.start(drift=False)
        ran = self.run_here("doctor", "shop.toml", code=0)
        self.assert_says(ran, ["sample of users-by-email, base side, Users: 3 of 3 entries met",
                               "sample of users-by-email, index side, UsersByEmail: 3 of 3 entries",
                               ": consistent"])
        ran = self.run_here("doctor", "shop.toml", "--no-samples", code=0)
        self.assertNotIn("@x.org", ran.output)

    def test_a_spec_whose_samples_meet_nothing_is_in_doubt(self):
        self.start(drift=False)
        self.write("shop.toml", self.spec.replace("{Email|lower}", "{Email|upper}"))
        ran = self.run_here("doctor", "shop.toml", code=8)
        self.assert_says(ran, ["0 of 3 entries met", "no row of the sample meets the other side",
                               "NOT READY: "])

    def test_keys_are_escaped(self):
        self.start(drift=False)
        self.server.make_table("Hostile", UserId="S")
        self.server.call("PutItem", {"TableName": "Hostile", "Item": {
            **live_tables.user(1), "UserId": {"S": "\x1b[31mred\u202e\n"}}})
        self.write("shop.toml", self.spec.replace('"Users"', '"Hostile"'))
        ran = self.run_here("doctor", "shop.toml")
        self.assertIn("red", ran.output)
        self.assertNotRegex(ran.output, "[\x1b\u202e]")

    def test_what_is_wrong_is_named_with_what_to_change(self):
        self.start()
        for fault, code, words in MISTAKES:
            with self.subTest(fault):
                self.server.plan(fault)
                ran = self.run_here("doctor", "shop.toml", code=code)
                self.assert_says(ran, [*words, "NOT READY: "])
        self.assertEqual([], self.server.ask(writes=True)["writes"])

    def test_a_spec_that_does_not_fit_the_tables_is_refused_by_doctor_and_audit(self):
        self.start()
        self.server.plan({"fault": "described", "operations": ["DescribeTable"], "table": "Users",
                          "table_words": {"GlobalSecondaryIndexes": [{"IndexName": "by-name"}]}})
        for old, new, words in WRONG_SPECS:
            text = self.spec.replace(old, new, 1)
            self.write("shop.toml", text)
            for command in ("doctor", "audit"):
                with self.subTest(new, command=command):
                    self.assertNotEqual(self.spec, text)
                    ran = self.run_here(command, "shop.toml", code=16)
                    self.assert_says(ran, words)
        self.assertEqual([], self.server.ask(writes=True)["writes"])

    def test_a_table_that_is_missing_is_named_to_one_who_may_not_list_tables(self):
        self.start()
        self.server.plan({"fault": "denied", "operations": ["ListTables"]})
        self.write("shop.toml", self.spec.replace('"UsersByEmail"', '"UsersByMail"', 1))
        ran = self.run_here("audit", "shop.toml", code=16)
        self.assert_says(ran, ["no such table", "UsersByMail", "us-east-1, which is from `region`"])

    def test_a_region_that_is_not_the_tables_is_named_with_where_it_is_from(self):
        self.start()
        self.server.plan({"fault": "no_table"})
        self.write("shop.toml", re.sub(r"region .*\n", "", self.spec))
        for variable in ("AWS_REGION", "AWS_DEFAULT_REGION"):
            for command in ("audit", "doctor"):
                ran = self.run_here(command, "shop.toml", code=16, **{variable: "us-east-1"})
                self.assert_says(ran, ["no such table", f"us-east-1, which is from {variable}",
                                       "AWS_PROFILE", "idxfsck doctor"])
        # The key of the tables' region does not fit what is signed for another.
        self.server.plan()
        ran = self.run_here("audit", "shop.toml", code=8, AWS_REGION="eu-west-1")
        self.assert_says(ran, ["Credential should be scoped to a valid region", "region=eu-west-1",
                               "eu-west-1, which is from AWS_REGION"])

    def pinned(self, account):
        self.write("shop.toml", self.spec.replace(
            'region ', f'expect_account = "{account}"\nregion ', 1))

    def test_another_account_than_the_spec_expects_is_refused_before_anything_is_read(self):
        self.start()
        self.pinned("999999999999")
        self.server.ask(clear=True)
        for words in (["audit", "shop.toml"], ["doctor", "shop.toml"],
                      ["why", "shop.toml", "--row", "u1"]):
            with self.subTest(words):
                ran = self.run_here(*words, code=16)
                self.assert_says(ran, ["expect_account", "999999999999", ACCOUNT, ARN,
                                       "AWS_PROFILE", "environment"])
        self.assertEqual({}, self.server.ask(counts=True)["requests"])
        self.pinned(ACCOUNT)
        self.run_here("audit", "shop.toml", code=4)
        self.pinned("12345")
        self.assert_says(self.run_here("audit", "shop.toml", code=16), ["twelve digits"])

    def test_an_identity_that_cannot_be_told_is_no_match(self):
        self.start()
        self.tokens.expired = True
        self.pinned(ACCOUNT)
        ran = self.run_here("audit", "shop.toml", code=8)
        self.assert_says(ran, ["cannot be found out", "ExpiredToken", "get-caller-identity"])
        self.assert_says(self.run_here("doctor", "shop.toml", code=8), ["cannot be found out"])

    def test_a_verbose_audit_says_as_whom_before_it_reads(self):
        self.start()
        ran = self.run_here("audit", "shop.toml", "--verbose", code=4)
        self.assert_says(ran, [f"idxfsck: store main: region=us-east-1 "
                               f"endpoint={self.server.endpoint} credentials=environment "
                               f"identity={ARN} account={ACCOUNT}"])
        self.assertNotIn(ARN, self.run_here("audit", "shop.toml", code=4).error)

    def test_a_sort_key_over_its_limit_is_unindexable_at_the_audit(self):
        self.start(drift=False)
        self.server.make_table("Claims", Kind="S", Email="S")
        self.server.make_table("Long", UserId="S")
        for number, size in enumerate((1024, 1025, 2048)):
            self.server.call("PutItem", {"TableName": "Long", "Item": {
                "UserId": {"S": f"u{number}"}, "Email": {"S": "x" * size}}})
        self.write("long.toml", self.spec.replace('"Users"', '"Long"').replace(
            '"UsersByEmail"', '"Claims"').replace(
                "{ Email = ", '{ Kind = "mail", Email = ').replace(
                    'copies  = { Name = "{Name}" }\n', ""))
        self.run_here("audit", "long.toml", "--out", "long", code=4)
        found = [json.loads(line) for line in self.findings("long")]
        self.assertCountEqual([("orphaned_write", None), *[("unindexable", "key_too_long")] * 2],
                              [(one["kind"], one.get("damage")) for one in found])
        self.run_here("plan", "long")
        ran = self.run_here("repair", "long/plan.ndjson", "--apply")
        self.assert_says(ran, ["1 applied"])

    def test_an_entry_over_the_size_of_an_item_fails_by_name_and_nothing_is_written(self):
        self.start(drift=False)
        self.server.make_table("Large", UserId="S")
        self.server.make_table("LargeByEmail", Email="S")
        self.server.call("PutItem", {"TableName": "Large", "Item": {
            "UserId": {"S": "u"}, "Email": {"S": "a"}, "Name": {"S": "n" * 250_000}}})
        self.write("large.toml", self.spec.replace('"Users"', '"Large"').replace(
            '"UsersByEmail"', '"LargeByEmail"').replace(
                '{ Name = "{Name}" }', '{ Name = "{Name}", Again = "{Name}" }'))
        self.run_here("audit", "large.toml", "--out", "large", code=4)
        self.run_here("plan", "large", code=4)
        ran = self.run_here("repair", "large/plan.ndjson", "--apply", code=12)
        self.assert_says(ran, ["1 failed", "Item size", "table=LargeByEmail"])
        self.assertEqual([], self.rows("LargeByEmail"))


class Elsewhere(program.ProgramTest):
    """Stores that are no service say what they can."""

    def test_an_embedded_store(self):
        self.run_program("seed", "world", "--rows", 200, "--indexes", "unique,pointer_less",
                         code=0)
        ran = self.run_program("doctor", "world/spec.toml", code=0)
        for words in ("path         world/store", "opened       for reading only",
                      "table Users in", "about ", " rows", "met", "READY: "):
            self.assertIn(words, ran.output)
        self.assertNotIn("cost of one scan", ran.output)
        before = program.contents(self.path("world"))
        spec = program.read_bytes(self.path("world/spec.toml")).decode()
        self.write("world/spec.toml", spec.replace('path = "store"', 'path = "stroe"'))
        ran = self.run_program("doctor", "world/spec.toml")
        self.assertIn(ran.code, (8, 16), str(ran))
        self.assertIn("PROBLEM: ", ran.output)
        self.write("world/spec.toml", spec.replace('"UsersByEmail"', '"UsersByMail"', 1))
        ran = self.run_program("doctor", "world/spec.toml", code=16)
        self.assertIn("the store has no such table", ran.output)
        self.write("world/spec.toml", spec)
        self.assertEqual(before, program.contents(self.path("world")))

    def test_files(self):
        self.write("Users.ndjson", '{"UserId":"u1","Email":"A@x.org"}\n')
        self.write("UsersByEmail.ndjson", '{"Email":"a@x.org","UserId":"u1"}\n')
        self.write("shop.toml", """
[store.main]
kind = "files"
path = "."

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
""")
        ran = self.run_program("doctor", "shop.toml", code=0)
        for words in ("34 bytes", "not looked up: in this store that takes a scan", "READY: "):
            self.assertIn(words, ran.output)

    def test_command_lines_that_make_no_sense(self):
        for words, said in ((["--price-per-million-units", "cheap"], "number of dollars"),
                            (["--price-per-million-units=-1"], "number of dollars"),
                            (["--price-per-million-units", "nan"], "number of dollars"),
                            (["--rate", "fast"], "whole number")):
            with self.subTest(words):
                ran = self.run_program("doctor", "nowhere.toml", *words, code=16)
                self.assertIn(said, ran.error)


if __name__ == "__main__":
    program.main()
