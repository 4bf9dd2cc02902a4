"""Live Azure tables: the same findings and the same rows, whatever goes wrong on the way.

Method: a table with drift on azurite behind the fault proxy. What an audit finds without faults it
must find with each of them; a repair whose requests fail, or whose answers are lost, must leave
what one without faults leaves, and write nothing twice.
"""

import collections
import json
import shutil

import live_azure
import program

SCANS = {"operations": ["QueryEntities"]}
READS = {"operations": ["QueryEntities", "GetEntity", "QueryTables"]}
WRITES = {"operations": ["InsertEntity", "UpdateEntity", "MergeEntity", "DeleteEntity", "Batch"]}
READ_FAULTS = {
    "a busy service": [{"fault": "unavailable", "first": 2, **READS}],
    "time outs": [{"fault": "timed_out", "at": [1, 3], **READS},
                  {"fault": "internal", "at": [4], **READS}],
    "connections that break": [{"fault": "reset", "at": [1, 3], **READS},
                               {"fault": "cut", "at": [4], **READS},
                               {"fault": "drop", "at": [5], **READS}],
    "answers that are damaged": [{"fault": "truncated", "at": [1, 4], **SCANS},
                                 {"fault": "too_long", "at": [2], **SCANS}],
    "slow answers": [{"fault": "slow", "chunk_bytes": 2048, "pause_ms": 1}],
    "empty pages": [{"fault": "empty_page", "every": 2, **SCANS}],
    "empty pages at first": [{"fault": "empty_page", "first": 3, **SCANS}],
    "short pages": [{"fault": "short_page", "limit": 7, **SCANS}],
    "pages that end with a partition": [{"fault": "half_token", **SCANS}],
}
# A repair has two batches, an undo one.
WRITE_FAULTS = [{"fault": "unavailable", "at": [1], **WRITES},
                {"fault": "timed_out", "after": True, "at": [2, 9], **WRITES},
                {"fault": "internal", "at": [4], **WRITES},
                {"fault": "reset", "at": [5, 10], **WRITES},
                {"fault": "drop", "after": True, "at": [6, 12], **WRITES}]
# What is wrong: the faults that say so, the exit status, a part of what the program says.
MISTAKES = [({"fault": "denied", **READS}, (8, 16), "AuthorizationPermissionMismatch"),
            ({"fault": "bad_signature"}, (8, 16), "AuthenticationFailed"),
            ({"fault": "no_table", **SCANS}, (8, 16), "auth")]
KEY_PART = live_azure.azure_table.KEY[:20]


class LiveAzure(live_azure.LiveTest):
    def test_the_same_is_found_with_each_fault_as_without(self):
        self.start()
        self.run_live("audit", "auth.toml", "--out", "plain", code=4)
        found = self.findings("plain")
        self.assertEqual(25, len(found))
        for name, faults in READ_FAULTS.items():
            with self.subTest(name):
                shutil.rmtree(self.path("faulty"), ignore_errors=True)
                self.server.plan(*faults)
                self.server.ask(clear=True)
                ran = self.run_live("audit", "auth.toml", "--out", "faulty", code=4)
                self.assertEqual(found, self.findings("faulty"), str(ran))
                self.assertTrue(self.server.ask(counts=True)["faults"], "no fault struck")
                self.assertEqual([], self.server.ask(writes=True)["writes"])

    def test_a_token_that_comes_back_ends_the_audit_and_is_no_clean_answer(self):
        self.start(drift=False)
        self.server.plan({"fault": "repeated_token", "limit": 5, **SCANS})
        self.server.ask(clear=True)
        ran = self.run_live("audit", "auth.toml", "--out", "out", "--partitions", "1")
        self.assertTrue(ran.code & 8, str(ran))
        self.assertLess(self.server.ask(counts=True)["requests"]["QueryEntities"], 300)

    def test_a_repair_with_faults_leaves_what_one_without_leaves_and_writes_nothing_twice(self):
        self.start()
        self.run_live("audit", "auth.toml", "--out", "out", code=4)
        before = self.rows()
        self.run_live("plan", "out", code=4)
        self.server.plan(*WRITE_FAULTS)
        self.server.ask(clear=True)
        self.run_live("repair", "out/plan.ndjson", "--apply", "--max-deletes", "20", code=0)
        self.assertGreater(sum(self.server.ask(counts=True)["faults"].values()), 4)
        right = sorted(live_azure.entries(False), key=lambda row: row["RowKey"])
        self.assertEqual(right, self.rows())
        self.check_written_once()
        self.server.plan()
        self.run_live("audit", "auth.toml", "--out", "again", code=0)
        self.server.plan(*WRITE_FAULTS)
        self.run_live("undo", "out/journal.ndjson", "--apply", code=0)
        self.assertEqual(before, self.rows())

    def test_a_repair_and_its_undo_write_the_rows_of_a_partition_in_batches(self):
        self.start()
        before = self.rows()
        self.run_live("audit", "auth.toml", "--out", "out", code=4)
        self.run_live("plan", "out", code=4)
        self.server.ask(clear=True)
        self.run_live("repair", "out/plan.ndjson", "--apply", "--max-deletes", "20", code=0)
        self.check_batches(2)
        self.check_written_once()
        self.run_live("audit", "auth.toml", "--out", "again", code=0)
        self.server.ask(clear=True)
        self.run_live("undo", "out/journal.ndjson", "--apply", code=0)
        self.check_batches(1)
        self.assertEqual(before, self.rows())

    def check_batches(self, wanted):
        """So many, each as the service takes it, and no write beside them."""
        counts = self.server.ask(counts=True)
        self.assertEqual({}, counts["faults"])
        self.assertEqual({"Batch": wanted}, {
            name: count for name, count in counts["requests"].items()
            if name in WRITES["operations"]})

    def check_written_once(self):
        written = collections.Counter(json.dumps(one["key"]) for one in
                                      self.server.ask(writes=True)["writes"] if one["applied"])
        self.assertEqual({1}, set(written.values()), written)

    def test_what_another_wrote_just_before_is_never_overwritten(self):
        self.start()
        self.run_live("audit", "auth.toml", "--out", "out", code=4)
        self.run_live("plan", "out", code=4)
        theirs = live_azure.entry(0, name="theirs")
        at = "(PartitionKey='user',RowKey='u001')"
        self.server.plan({"fault": "meanwhile", "at": [1], **WRITES, "writes": [
            {"method": "POST", "path": "/auth", "words": theirs},
            {"method": "DELETE", "path": "/auth" + at, "headers": {"if-match": "*"}}]})
        self.run_live("repair", "out/plan.ndjson", "--apply", "--max-deletes", "20")
        self.assertNotIn("meanwhile, but refused", self.server.ask(counts=True)["faults"])
        rows = self.rows()
        self.assertIn(theirs, rows)
        self.assertNotIn("u001", [row["id"] for row in rows])

    def test_no_write_is_sent_by_an_audit_nor_by_a_repair_that_only_shows(self):
        self.start()
        self.run_live("audit", "auth.toml", "--out", "out", code=4)
        self.run_live("plan", "out", code=4)
        self.run_live("repair", "out/plan.ndjson", code=4)
        self.assertEqual([], self.server.ask(writes=True)["writes"])

    def test_what_a_person_must_mend_is_said_and_nothing_is_written(self):
        self.start()
        for fault, codes, words in MISTAKES:
            with self.subTest(fault):
                shutil.rmtree(self.path("out"), ignore_errors=True)
                self.server.plan(fault)
                ran = self.run_live("audit", "auth.toml", "--out", "out")
                self.assertIn(ran.code, codes, str(ran))
                self.assertIn(words, ran.output + ran.error)
                self.assertNotIn(KEY_PART, ran.output + ran.error)
        self.assertEqual([], self.server.ask(writes=True)["writes"])


if __name__ == "__main__":
    program.main()
