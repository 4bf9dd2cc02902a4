"""Each fault of the proxy before Azure tables happens as its plan says, and nothing else changes.

Method: a table of 20 rows in four partitions on azurite; what comes through the proxy is compared
with what azurite says when it is asked directly, and with what stands in the table then.
"""

import concurrent.futures
import http.client
import os
import sys

import program

sys.path.insert(0, os.path.join(program.TESTS, "servers"))
import azure_table  # noqa: E402
import real_server  # noqa: E402

# In the order of the service, which is by UTF-16 code unit: the emoji before the half-width form.
PARTITIONS = ["", "p", "\U0001f600", "\uffee"]
ROWS = [{"PartitionKey": partition, "RowKey": f"r'{number}", "Size": str(number),
         "Size@odata.type": "Edm.Int64"} for partition in PARTITIONS for number in range(5)]
# Fault: status, code.
REFUSALS = {"unavailable": (503, "ServerBusy"), "timed_out": (500, "OperationTimedOut"),
            "internal": (500, "InternalError"), "bad_signature": (403, "AuthenticationFailed"),
            "denied": (403, "AuthorizationPermissionMismatch"), "no_table": (404, "TableNotFound"),
            "table_in_use": (409, "TableBeingDeleted")}
QUERIES = {"operations": ["QueryEntities"]}
WHOLE = "/rows()"


def key_of(row):
    return row["PartitionKey"], row["RowKey"]


def at(row_key, partition="p"):
    return f"/rows(PartitionKey='{partition}',RowKey='{row_key}')"


def insert(row_key, partition="p", table="rows", **more):
    return "POST", f"/{table}", {"PartitionKey": partition, "RowKey": row_key, **more}


class AzureProxy(real_server.ServerTest):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.server = real_server.Server("azurite", "--proxy")
        cls.addClassCleanup(cls.server.stop)
        cls.direct = cls.server.said["direct"]
        for table in ("rows", "others"):
            azure_table.make_table(cls.direct, table, ROWS)

    def setUp(self):
        self.server.plan()
        self.server.ask(clear=True)
        self.addCleanup(self.drop_what_was_written)

    def drop_what_was_written(self):
        self.server.plan()
        known = {key_of(row) for row in ROWS}
        for row in azure_table.rows(self.direct, "rows"):
            if key_of(row) not in known:
                self.delete(row["RowKey"])

    def ask(self, method, path, words=None, **more):
        return azure_table.request(self.server.endpoint, method, path, words, **more)

    def exchange(self, path=WHOLE, **more):
        return azure_table.exchange(self.server.endpoint, "GET", path, **more)

    def delete(self, row_key):
        return azure_table.request(self.direct, "DELETE", at(row_key), headers={"if-match": "*"})

    def batch(self, *operations):
        return azure_table.batch(self.server.endpoint, operations)

    def is_there(self, row_key):
        return azure_table.request(self.direct, "GET", at(row_key))[0] == 200

    def walk(self, top=None, pages_max=1000):
        return list(azure_table.pages(self.server.endpoint, "rows", top, pages_max))

    def writes(self):
        return [(one["operation"], one["table"], one["key"]["RowKey"], one["applied"])
                for one in self.server.ask(writes=True)["writes"]]

    def test_without_a_plan_it_says_what_the_server_says(self):
        for path, query in ((WHOLE, ""), (WHOLE, "$top=3&$select=PartitionKey,RowKey"),
                            ("/Tables", ""), (at("r''1"), ""), (at("nowhere"), ""),
                            ("/nowhere()", ""), (WHOLE, "$filter=nonsense")):
            through, plain = (azure_table.exchange(endpoint, "GET", path, query=query)
                              for endpoint in (self.server.endpoint, self.direct))
            self.assertEqual(plain[0], through[0], path)
            if plain[0] == 200:
                self.assertEqual(plain[2], through[2])
                self.assertEqual({name: plain[1].get(name) for name in azure_table.TOKENS},
                                 {name: through[1].get(name) for name in azure_table.TOKENS})
                self.assertNotIn("x-amz-crc32", through[1])
        self.assertEqual({"QueryEntities": 4, "QueryTables": 1, "GetEntity": 2},
                         self.server.ask(counts=True)["requests"])

    def test_a_refusal_comes_in_place_of_the_answer(self):
        for fault, (status, code) in REFUSALS.items():
            with self.subTest(fault):
                self.server.plan({"fault": fault, "operations": ["InsertEntity"]})
                came, headers, said = self.ask(*insert("refused"))
                self.assertEqual((status, code), (came, said["odata.error"]["code"]))
                self.assertEqual(code, headers["x-ms-error-code"])
                self.assertFalse(self.is_there("refused"))

    def test_a_write_whose_answer_is_lost_was_done(self):
        self.server.plan({"fault": "timed_out", "after": True, "at": [1]})
        self.assertEqual(500, self.ask(*insert("hidden"))[0])
        self.assertTrue(self.is_there("hidden"))
        for fault in ("reset", "cut", "drop"):
            with self.subTest(fault):
                self.server.plan({"fault": fault, "after": True})
                with self.assertRaises((OSError, http.client.HTTPException)):
                    # Some of an answer that has no bytes is all of it: so ask for the row.
                    self.ask(*insert(fault), headers={"prefer": "return-content"})
                self.assertTrue(self.is_there(fault))

    def test_answers_that_end_early_are_damaged_or_slow(self):
        whole = self.exchange()[2]
        for fault in ("reset", "cut", "too_long", "drop"):
            with self.subTest(fault):
                self.server.plan({"fault": fault})
                with self.assertRaises((OSError, http.client.HTTPException)):
                    self.exchange()
        self.server.plan({"fault": "truncated"})
        status, headers, body = self.exchange()
        self.assertEqual((200, whole[:len(whole) // 2]), (status, body))
        self.assertNotIn("x-amz-crc32", headers)
        self.server.plan({"fault": "slow", "chunk_bytes": 100, "pause_ms": 1})
        self.assertEqual(whole, self.exchange()[2])
        self.server.plan({"fault": "hang", "at": [1]})
        with self.assertRaises(TimeoutError):
            self.exchange(timeout_seconds=0.2)

    def test_pages_that_are_short_empty_or_end_with_a_partition_lose_no_row_and_double_none(self):
        keys = [key_of(row) for row in azure_table.rows(self.direct, "rows")]
        self.assertEqual([key_of(row) for row in ROWS], keys)
        for rule in ({"fault": "short_page", "limit": 3}, {"fault": "empty_page", "at": [1]},
                     {"fault": "empty_page", "every": 2}, {"fault": "half_token"},
                     {"fault": "half_token", "every": 2}):
            for top in (None, 4, 8, 20):
                with self.subTest(f"{rule}, {top}"):
                    self.server.plan({**rule, **QUERIES})
                    self.server.ask(clear=True)
                    pages = self.walk(top)
                    self.assertEqual(keys, [key_of(row) for rows, _ in pages for row in rows])
                    struck = self.server.ask(counts=True)["faults"].get(rule["fault"], 0)
                    # The faults that do not strike the only page of a walk strike none.
                    self.assertTrue(struck or ("every" in rule and len(pages) == 1))
                    empty = sum(not rows for rows, _ in pages)
                    self.assertEqual(struck if rule["fault"] == "empty_page" else 0, empty)

    def test_faults_of_pages_that_follow_each_other_lose_no_row_and_double_none(self):
        keys = [key_of(row) for row in azure_table.rows(self.direct, "rows")]
        for empty in range(2, 6):
            with self.subTest(empty):
                self.server.plan({"fault": "empty_page", "every": empty, **QUERIES},
                                 {"fault": "half_token", "every": 3, **QUERIES},
                                 {"fault": "short_page", "limit": 2, "every": 2, **QUERIES})
                for _ in range(6):
                    pages = self.walk()
                    self.assertEqual(keys, [key_of(row) for rows, _ in pages for row in rows])

    def test_a_page_that_ends_with_a_partition_has_half_a_token(self):
        self.server.plan({"fault": "half_token", "at": [1]})
        (first, token), (second, end) = self.walk()
        self.assertEqual((15, ["NextPartitionKey"], 5, {}),
                         (len(first), list(token), len(second), end))

    def test_what_is_written_meanwhile_behind_such_a_token_is_seen(self):
        self.server.plan({"fault": "half_token", "at": [1]})
        pages = azure_table.pages(self.server.endpoint, "rows")
        next(pages)
        azure_table.request(self.direct, *insert("written", PARTITIONS[3]))
        rows = next(pages)[0]
        azure_table.request(self.direct, "DELETE", at("written", "%EF%BF%AE"),
                            headers={"if-match": "*"})
        self.assertIn("written", [row["RowKey"] for row in rows])

    def test_a_token_that_comes_back(self):
        self.server.plan({"fault": "repeated_token", "at": [3]})
        tokens = [token for _, token in self.walk(5)]
        self.assertEqual(tokens[1], tokens[2])
        self.server.plan({"fault": "repeated_token"})
        self.assertEqual(9, len(self.walk(15, pages_max=9)), "it would go on for ever")
        self.server.plan({"fault": "repeated_token", "limit": 2})
        (first, begin), (second, again), *_ = self.walk(pages_max=3)
        self.assertEqual(([0, 1], [2, 3], begin), (
            [int(row["Size"]) for row in first], [int(row["Size"]) for row in second], again))

    def test_a_batch_is_done_as_a_whole_or_not_and_every_write_is_counted(self):
        self.assertEqual([204, 204], self.batch(insert("a"), insert("b")))
        self.assertNotEqual({204}, set(self.batch(insert("c"), insert("a"))))
        self.assertEqual([("a", True), ("b", True), ("c", False)],
                         [(key, self.is_there(key)) for key in "abc"])
        self.assertEqual([("BatchInsertEntity", "rows", "a", True),
                          ("BatchInsertEntity", "rows", "b", True),
                          ("BatchInsertEntity", "rows", "c", False),
                          ("BatchInsertEntity", "rows", "a", False)], self.writes())
        self.assertEqual({"Batch": 1}, self.server.ask(counts=True)["done"])

    def test_a_batch_that_the_service_refuses_is_refused(self):
        many = [insert(f"many{number}") for number in range(101)]
        large = [insert(f"large{number}", Text="x" * 30000) for number in range(100)]
        for number in range(100):
            large[number][2]["More"] = "y" * 30000
        for operations, wanted in (
                ([insert("a"), insert("b", partition="q")], [400]),
                ([insert("a"), insert("b", table="others")], [400]),
                ([insert("a"), insert("a", Size=2)], [400]), (many, [400]), (large, [413])):
            self.assertEqual(wanted, self.batch(*operations))
        self.assertEqual([], self.writes())
        for row_key in ("a", "b", "many0", "large0"):
            self.assertFalse(self.is_there(row_key))
        # The server behind would have taken the first.
        self.assertEqual([204, 204], azure_table.batch(
            self.direct, [insert("a"), insert("b", partition="q")]))
        azure_table.request(self.direct, "DELETE", at("b", "q"), headers={"if-match": "*"})

    def test_a_batch_whose_answer_is_lost_or_comes_in_part_was_done(self):
        self.server.plan({"fault": "batch_in_part", "keep": 1, "at": [1]},
                         {"fault": "batch_in_part", "at": [1]})
        self.assertEqual([204], self.batch(*(insert(f"part{number}") for number in range(3))))
        self.server.plan({"fault": "batch_in_part"})
        self.assertEqual([204, 204], self.batch(*(insert(f"half{number}") for number in range(4))))
        self.server.plan({"fault": "drop", "after": True, "operations": ["Batch"]})
        with self.assertRaises((OSError, http.client.HTTPException)):
            self.batch(insert("lost0"), insert("lost1"))
        for row_key in ("part2", "half3", "lost1"):
            self.assertTrue(self.is_there(row_key))

    def test_a_batch_may_be_refused_by_its_head_or_inside(self):
        for inner, wanted in ((False, [500]), (True, [500])):
            self.server.plan({"fault": "timed_out", "inner": inner})
            status, headers, body = azure_table.exchange(
                self.server.endpoint, "POST", "/$batch", azure_table.batch_body([insert("no")]),
                headers={"content-type": "multipart/mixed; boundary=batch_1"})
            self.assertEqual(202 if inner else 500, status)
            self.assertIn(b"OperationTimedOut", body)
            self.assertEqual(inner, headers["content-type"].startswith("multipart/mixed"))
            self.assertEqual(wanted, self.batch(insert("no")))
        self.assertFalse(self.is_there("no"))

    def test_somebody_writes_just_before_a_request(self):
        _, headers, _ = self.ask(*insert("shared", Size=1))
        seen = {"if-match": headers["etag"]}
        theirs = {"method": "MERGE", "path": at("shared"), "words": {"Size": 7},
                  "headers": {"if-match": "*"}}
        self.server.plan({"fault": "meanwhile", "operations": ["MergeEntity"], "at": [2],
                          "writes": [theirs]})
        status, headers, _ = self.ask("MERGE", at("shared"), {"Size": 2}, headers=seen)
        self.assertEqual(204, status)
        seen = {"if-match": headers["etag"]}
        self.assertEqual(412, self.ask("MERGE", at("shared"), {"Size": 3}, headers=seen)[0])
        self.assertEqual(7, self.ask("GET", at("shared"))[2]["Size"])
        self.assertEqual({"meanwhile": 1}, self.server.ask(counts=True)["faults"])

    def test_requests_of_scans_wait_for_each_other(self):
        self.server.ask(gather={"size": 3, "quiet_ms": 200})
        self.addCleanup(self.server.ask, gather=None)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            statuses = [one.result()[0] for one in [pool.submit(self.exchange) for _ in range(4)]]
        self.assertEqual([200] * 4, statuses)
        self.assertEqual(200, self.ask("GET", WHOLE, query="$top=1")[0])
        self.assertEqual([3, 1], self.server.ask(rounds=True)["rounds"])
        self.assertIn("error", self.server.ask(gather={"size": 0}))

    def test_a_plan_says_which_requests_of_which_table(self):
        self.server.plan({"fault": "unavailable", "table": "others", "at": [2], **QUERIES})
        self.assertEqual([200, 200, 503, 200], [
            self.ask("GET", f"/{table}()")[0] for table in ("rows", "others", "others", "others")])
        for wrong in ({"fault": "throttled"}, {"fault": "bad_checksum"}, {"fault": "stale"}):
            self.assertIn("error", self.server.ask(plan={"faults": [wrong]}), wrong)
        self.assertIn("error", self.server.ask(credentials=None))


if __name__ == "__main__":
    program.main()
