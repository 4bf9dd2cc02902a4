"""Live DynamoDB tables: the same findings and the same rows, whatever goes wrong on the way.

Method: tables with drift on dynalite behind the fault proxy. What an audit finds without faults it
must find with each of them; a repair whose requests fail, or whose answers are lost, must leave
what one without faults leaves, and write nothing twice. All requests must be signed rightly.
"""

import collections
import json

import live_tables
import program
import real_server

SCANS = {"operations": ["Scan"]}
READS = {"operations": ["Scan", "BatchGetItem", "DescribeTable"]}
WRITES = {"operations": ["TransactWriteItems", "PutItem", "DeleteItem", "UpdateItem"]}
READ_FAULTS = {
    "throttled": [{"fault": "throttled", "first": 2, **READS},
                  {"fault": "throttling", "at": [4], **READS}],
    "errors of the service": [{"fault": "internal", "at": [1, 3], **READS},
                              {"fault": "unavailable", "at": [4], **READS}],
    "connections that break": [{"fault": "reset", "at": [1, 3], **READS},
                               {"fault": "cut", "at": [4], **READS},
                               {"fault": "drop", "at": [5], **READS}],
    "answers that are damaged": [{"fault": "truncated", "at": [1, 4], **READS},
                                 {"fault": "bad_checksum", "at": [2, 5], **READS},
                                 {"fault": "too_long", "at": [7], **READS}],
    "answers that are no JSON": [{"fault": "not_json", "at": [1, 5], **READS},
                                 {"fault": "truncated", "right_checksum": True, "at": [2, 6],
                                  **READS}],
    "slow answers": [{"fault": "slow", "chunk_bytes": 512, "pause_ms": 1}],
    "empty pages": [{"fault": "empty_page", "every": 2, **SCANS}],
    "short pages": [{"fault": "short_page", "limit": 7, **SCANS}],
    "an empty token": [{"fault": "empty_token", **SCANS}],
    "batches done in part": [{"fault": "unprocessed", "keep": 1, "first": 3}],
}
WRITE_FAULTS = [{"fault": "throttled", "at": [1], **WRITES},
                {"fault": "conflict", "at": [3], "operations": ["TransactWriteItems"]},
                {"fault": "internal", "after": True, "at": [5], **WRITES},
                {"fault": "drop", "after": True, "at": [8], **WRITES},
                {"fault": "reset", "at": [11], **WRITES},
                {"fault": "unavailable", "at": [13], **WRITES}]
# What is wrong: the faults that say so, the exit status, a part of what the program says.
MISTAKES = [
    ({"fault": "denied", "operations": ["DescribeTable"]}, 8, "dynamodb:DescribeTable on resource"),
    ({"fault": "denied", "operations": ["Scan"]}, 8, "dynamodb:Scan on resource"),
    ({"fault": "denied", "operations": ["BatchGetItem"]}, 8, "table/Users"),
    ({"fault": "expired_token"}, 8, "ExpiredTokenException"),
    ({"fault": "unknown_token"}, 8, "UnrecognizedClientException"),
    ({"fault": "bad_signature"}, 8, "InvalidSignatureException"),
    ({"fault": "no_table", "table": "UsersByEmail"}, 16, "no such table: UsersByEmail"),
    ({"fault": "described", "operations": ["DescribeTable"],
      "table_words": {"TableStatus": "CREATING"}}, 8, "CREATING"),
    ({"fault": "described", "operations": ["DescribeTable"],
      "table_words": {"TableStatus": "DELETING"}}, 8, "DELETING"),
]


class LiveDynamodb(live_tables.LiveTest):
    def test_the_same_is_found_with_each_fault_as_without(self):
        self.start()
        self.run_live("audit", "shop.toml", "--out", "plain", code=4)
        plain = self.findings("plain")
        self.assertEqual(25, len(plain))
        for name, faults in READ_FAULTS.items():
            with self.subTest(name):
                live_tables.remove(self, "faulty")
                self.server.plan(*faults)
                self.server.ask(clear=True)
                ran = self.run_live("audit", "shop.toml", "--out", "faulty", code=4)
                self.assertEqual(plain, self.findings("faulty"), str(ran))
                counts = self.server.ask(counts=True)
                self.assertTrue(counts["faults"], "no fault struck")
                self.assertEqual([], self.server.ask(writes=True)["writes"])

    def test_a_token_that_comes_back_ends_the_audit_and_is_no_clean_answer(self):
        self.start(drift=False)
        self.server.plan({"fault": "repeated_token", **SCANS, "at": [4, 5, 6, 7, 8, 9]},
                         {"fault": "short_page", "limit": 5, **SCANS})
        self.server.ask(clear=True)
        self.run_live("audit", "shop.toml", "--out", "out", "--partitions", "1", code=8)
        self.assertLess(self.server.ask(counts=True)["requests"]["Scan"], 200)

    def test_what_only_seems_to_differ_is_no_finding(self):
        self.start(drift=False)
        self.server.plan({"fault": "stale", "table": "Users"})
        for number in range(5):
            row = {**live_tables.user(number), "Email": {"S": f"moved{number}@x.org"}}
            self.server.call("TransactWriteItems", {"TransactItems": [
                {"Put": {"TableName": "Users", "Item": row}},
                {"Put": {"TableName": "UsersByEmail", "Item": live_tables.entry(
                    number, email=f"moved{number}@x.org")}},
                {"Delete": {"TableName": "UsersByEmail",
                            "Key": {"Email": {"S": f"mail{number}@x.org"}}}}]})
        ran = self.run_live("audit", "shop.toml", "--out", "out", code=0)
        with open(self.path("out", "audit.json"), encoding="utf-8") as file:
            self.assertIn('"settled"', file.read(), str(ran))
        self.assertEqual([], self.findings("out"))

    def test_a_repair_with_faults_leaves_what_one_without_leaves_and_writes_nothing_twice(self):
        self.start()
        self.run_live("audit", "shop.toml", "--out", "out", code=4)
        before = self.rows("UsersByEmail")
        self.run_live("plan", "out", code=4)
        self.server.plan(*WRITE_FAULTS)
        self.server.ask(clear=True)
        self.run_live("repair", "out/plan.ndjson", "--apply", "--max-deletes", "20", code=0)
        self.assertGreater(sum(self.server.ask(counts=True)["faults"].values()), 4)
        self.assertEqual(sorted(live_tables.entries(False), key=str), self.rows("UsersByEmail"))
        self.check_written_once()
        self.server.plan()
        self.run_live("audit", "shop.toml", "--out", "again", code=0)
        self.server.plan(*WRITE_FAULTS)
        self.run_live("undo", "out/journal.ndjson", "--apply", code=0)
        self.assertEqual(before, self.rows("UsersByEmail"))

    def check_written_once(self):
        written = collections.Counter(
            json.dumps([one["table"], one["key"]]) for one in self.server.ask(writes=True)["writes"]
            if one["applied"] and not one["operation"].endswith("ConditionCheck"))
        self.assertEqual({1}, set(written.values()), written)

    def test_what_another_wrote_just_before_is_never_overwritten(self):
        self.start()
        self.run_live("audit", "shop.toml", "--out", "out", code=4)
        self.run_live("plan", "out", code=4)
        theirs = live_tables.entry(0, name="theirs")
        gone = {"Delete": {"UserId": {"S": "u1"}}}
        # Without a table it would be the question whether there are transactions: before the look.
        self.server.plan({"fault": "meanwhile", "at": [1], "table": "UsersByEmail", **WRITES,
                          "writes": [
            {"operation": "PutItem", "words": {"TableName": "UsersByEmail", "Item": theirs}},
            {"operation": "DeleteItem", "words": {"TableName": "Users",
                                                  "Key": gone["Delete"]}}]})
        self.run_live("repair", "out/plan.ndjson", "--apply", "--max-deletes", "20")
        rows = self.rows("UsersByEmail")
        self.assertIn(theirs, rows)
        self.assertNotIn({"S": "u1"}, [row["UserId"] for row in rows])

    def test_no_write_is_sent_by_an_audit_nor_by_a_repair_that_only_shows(self):
        self.start()
        self.run_live("audit", "shop.toml", "--out", "out", code=4)
        sent = self.server.ask(counts=True)["requests"]
        self.assertEqual({"DescribeTable", "Scan", "BatchGetItem"}, set(sent))
        self.run_live("why", "shop.toml", "--index", "users-by-email", "--row", "u7")
        self.assertNotIn("TransactWriteItems", self.server.ask(counts=True)["requests"])
        self.run_live("plan", "out", code=4)
        self.run_live("repair", "out/plan.ndjson", code=4)
        self.assertEqual([], self.server.ask(writes=True)["writes"])

    def test_what_a_person_must_mend_is_said_and_nothing_is_written(self):
        self.start()
        for fault, code, words in MISTAKES:
            with self.subTest(fault):
                live_tables.remove(self, "out")
                self.server.plan(fault)
                ran = self.run_live("audit", "shop.toml", "--out", "out", code=code)
                self.assertIn(words, ran.output + ran.error)
                self.assertNotIn(real_server.CREDENTIALS.secret_key, ran.output + ran.error)
        self.assertEqual([], self.server.ask(writes=True)["writes"])

    def test_a_clock_that_is_off_is_put_right_by_the_date_of_the_answers(self):
        self.start()
        self.server.ask(clock_offset_seconds=1200)
        self.run_live("audit", "shop.toml", "--out", "out", code=4)
        self.assertEqual(25, len(self.findings("out")))


if __name__ == "__main__":
    program.main()
