"""Each fault of the proxy happens as its plan says, to whom it says, and nothing else changes.

Method: a table of 20 rows on dynalite; what comes through the proxy is compared with what dynalite
says when it is asked directly.
"""

import concurrent.futures
import http.client
import json
import os
import sys
import zlib

import program

sys.path.insert(0, os.path.join(program.TESTS, "servers"))
import real_server  # noqa: E402

ROWS = [{"pk": {"S": f"row{number:02}"}, "n": {"N": str(number)}} for number in range(20)]
KEYS = [{"pk": row["pk"]} for row in ROWS]
# Fault: status, type, and a part of the message.
REFUSALS = {
    "throttled": (400, "ProvisionedThroughputExceededException", "throughput"),
    "throttling": (400, "ThrottlingException", "Rate"),
    "request_limit": (400, "RequestLimitExceeded", "limit"),
    "internal": (500, "InternalServerError", "failed"),
    "unavailable": (503, "ServiceUnavailableException", "unavailable"),
    "expired_token": (400, "ExpiredTokenException", "expired"),
    "unknown_token": (400, "UnrecognizedClientException", "invalid"),
    "bad_signature": (400, "InvalidSignatureException", "does not match"),
    "skewed_clock": (400, "InvalidSignatureException", "is now earlier than"),
    "denied": (400, "AccessDeniedException", "dynamodb:PutItem on resource: arn:aws:dynamodb:"
                                             "us-east-1:123456789012:table/rows"),
    "no_table": (400, "ResourceNotFoundException", "not found"),
    "table_in_use": (400, "ResourceInUseException", "rows"),
    "conflict": (400, "TransactionConflictException", "ongoing"),
    "in_progress": (400, "TransactionInProgressException", "in progress"),
}


class FaultProxy(real_server.ServerTest):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.server = real_server.Server("dynalite", "--proxy")
        cls.addClassCleanup(cls.server.stop)
        cls.server.make_table("rows", pk="S")
        cls.server.call("BatchWriteItem", {"RequestItems": {"rows": [
            {"PutRequest": {"Item": row}} for row in ROWS]}})

    def setUp(self):
        self.server.plan()
        self.server.ask(clear=True)
        self.direct = self.server.said["direct"]

    def call(self, operation, **words):
        return self.server.call(operation, {"TableName": "rows", **words})

    def exchange(self, operation, timeout_seconds=20, **words):
        return real_server.exchange(self.server.endpoint, operation, {"TableName": "rows", **words},
                                    timeout_seconds)

    def rows_there(self):
        return self.server.call("Scan", {"TableName": "rows"}, self.direct)["Items"]

    def is_there(self, pk):
        return "Item" in self.server.call("GetItem", {"TableName": "rows", "Key": {
            "pk": {"S": pk}}}, self.direct)

    def walk(self, pages_max=100, **words):
        """The pages of a scan, by their tokens."""
        pages, token = [], {}
        while len(pages) < pages_max:
            page = self.call("Scan", **words, **token)
            pages.append(page)
            if not page.get("LastEvaluatedKey"):
                break
            token = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
        return pages

    def test_without_a_plan_it_says_what_the_server_says(self):
        for operation, words in (("Scan", {"TableName": "rows"}), ("ListTables", {}),
                                 ("GetItem", {"TableName": "rows", "Key": KEYS[3]}),
                                 ("DescribeTable", {"TableName": "rows"})):
            self.assertEqual(self.server.call(operation, words, self.direct),
                             self.server.call(operation, words))
        for words in ({"TableName": "nowhere"}, {"TableName": "rows", "Limit": -1}, []):
            said = [real_server.exchange(endpoint, "Scan", words)
                    for endpoint in (self.direct, self.server.endpoint)]
            self.assertEqual(said[0][0], said[1][0])
            self.assertEqual(json.loads(said[0][2]), json.loads(said[1][2]))

    def test_a_refusal_comes_in_place_of_the_answer(self):
        for fault, (status, kind, message) in REFUSALS.items():
            with self.subTest(fault):
                self.server.plan({"fault": fault, "operations": ["PutItem"]})
                with self.assertRaises(real_server.ServiceError) as caught:
                    self.call("PutItem", Item={"pk": {"S": "refused"}})
                error = caught.exception
                self.assertEqual((status, kind), (error.status, error.kind))
                self.assertIn(message, error.message)
                self.assertFalse(self.is_there("refused"))

    def test_a_refusal_after_the_write_hides_that_it_was_done(self):
        self.server.plan({"fault": "internal", "after": True})
        with self.assertRaises(real_server.ServiceError):
            self.call("PutItem", Item={"pk": {"S": "done"}})
        self.assertTrue(self.is_there("done"))
        self.server.plan()
        self.call("DeleteItem", Key={"pk": {"S": "done"}})
        writes = self.server.ask(writes=True)["writes"]
        self.assertEqual([("PutItem", "done", True), ("DeleteItem", "done", True)],
                         [(one["operation"], one["key"]["pk"]["S"], one["applied"])
                          for one in writes])

    def test_the_clock_of_an_answer_may_be_off(self):
        self.server.plan({"fault": "skewed_clock", "date_offset_seconds": 7200})
        date = self.exchange("Scan")[1]["date"]
        self.server.plan()
        self.assertNotEqual(date[:19], self.exchange("Scan")[1]["date"][:19])

    def test_answers_that_end_early(self):
        whole = self.exchange("Scan")[2]
        for fault in ("reset", "cut", "too_long"):
            with self.subTest(fault):
                self.server.plan({"fault": fault})
                with self.assertRaises((ConnectionResetError, http.client.IncompleteRead)):
                    self.exchange("Scan")
        self.server.plan({"fault": "drop"})
        with self.assertRaises((http.client.RemoteDisconnected, ConnectionResetError)):
            self.exchange("Scan")
        self.server.plan({"fault": "cut", "bytes": 10})
        with self.assertRaises(http.client.IncompleteRead) as caught:
            self.exchange("Scan")
        self.assertEqual(whole[:10], caught.exception.partial)

    def test_a_write_whose_answer_is_lost_was_done(self):
        for fault in ("reset", "cut", "drop"):
            self.server.plan({"fault": fault, "after": True})
            with self.assertRaises((OSError, http.client.HTTPException)):
                self.call("PutItem", Item={"pk": {"S": fault}})
            self.assertTrue(self.is_there(fault), fault)
            self.server.plan()
            self.call("DeleteItem", Key={"pk": {"S": fault}})

    def test_an_answer_that_never_comes(self):
        self.server.plan({"fault": "hang", "at": [1]})
        with self.assertRaises(TimeoutError):
            self.exchange("Scan", timeout_seconds=0.2)
        self.assertEqual(20, self.call("Scan")["Count"])

    def test_answers_that_come_whole_and_are_wrong(self):
        whole = self.exchange("Scan")[2]
        for right in (False, True):
            self.server.plan({"fault": "truncated", "right_checksum": right})
            status, headers, body = self.exchange("Scan")
            self.assertEqual((200, whole[:len(whole) // 2]), (status, body))
            self.assertEqual(str(zlib.crc32(body if right else whole)), headers["x-amz-crc32"])
        self.server.plan({"fault": "not_json"})
        headers = self.exchange("Scan")[1]
        self.assertEqual("text/html", headers["content-type"])
        self.assertNotIn("x-amz-crc32", headers)
        self.server.plan({"fault": "bad_checksum"})
        status, headers, body = self.exchange("Scan")
        self.assertEqual(whole, body)
        self.assertNotEqual(str(zlib.crc32(body)), headers["x-amz-crc32"])
        self.server.plan({"fault": "too_short"})
        self.assertEqual(whole[:len(whole) // 2], self.exchange("Scan")[2])

    def test_slow_bytes_are_the_same_bytes(self):
        whole = self.exchange("Scan")[2]
        self.server.plan({"fault": "slow", "chunk_bytes": 100, "pause_ms": 1})
        self.assertEqual(whole, self.exchange("Scan")[2])

    def test_a_batch_of_which_a_part_is_not_done(self):
        self.server.plan({"fault": "unprocessed", "keep": 3, "first": 1},
                         {"fault": "unprocessed", "at": [1]})
        got = self.server.call("BatchGetItem", {"RequestItems": {"rows": {
            "Keys": KEYS, "ConsistentRead": True}}})
        self.assertEqual(sorted(row["pk"]["S"] for row in ROWS[:3]),
                         sorted(row["pk"]["S"] for row in got["Responses"]["rows"]))
        self.assertEqual({"rows": {"Keys": KEYS[3:], "ConsistentRead": True}},
                         got["UnprocessedKeys"])

        puts = [{"PutRequest": {"Item": {"pk": {"S": f"batch{number}"}}}} for number in range(5)]
        self.server.plan({"fault": "unprocessed", "at": [1]})
        got = self.server.call("BatchWriteItem", {"RequestItems": {"rows": puts}})
        self.assertEqual({"rows": puts[3:]}, got["UnprocessedItems"])
        self.assertEqual([True, True, True, False, False],
                         [self.is_there(f"batch{number}") for number in range(5)])
        self.server.call("BatchWriteItem", {"RequestItems": {"rows": [
            {"DeleteRequest": {"Key": put["PutRequest"]["Item"]}} for put in puts]}})

    def test_short_and_empty_pages_lose_no_row_and_double_none(self):
        rows = self.rows_there()
        for rule in ({"fault": "short_page", "limit": 3}, {"fault": "empty_page", "at": [1]},
                     {"fault": "empty_page", "at": [3, 4]}, {"fault": "empty_page", "every": 2}):
            for words in ({}, {"Limit": 4}, {"Select": "COUNT", "Limit": 3}):
                with self.subTest(f"{rule} {words}"):
                    self.server.plan(rule)
                    pages = self.walk(**words)
                    self.assertEqual(20, sum(page["Count"] for page in pages))
                    if "Select" not in words:
                        self.assertEqual(rows, [row for page in pages for row in page["Items"]])
                    if rule["fault"] == "empty_page" and len(pages) > 3:
                        self.assertIn(0, [page["Count"] for page in pages])

    def test_a_token_that_comes_back(self):
        self.server.plan({"fault": "repeated_token", "at": [3]})
        pages = self.walk(Limit=5)
        tokens = [page.get("LastEvaluatedKey") for page in pages]
        self.assertEqual(tokens[1], tokens[2])
        self.server.plan({"fault": "repeated_token"})
        self.assertEqual(9, len(self.walk(pages_max=9, Limit=15)), "it would go on for ever")

    def test_a_last_page_with_an_empty_token(self):
        self.server.plan({"fault": "empty_token"})
        pages = self.walk(Limit=12)
        self.assertEqual([12, 8], [page["Count"] for page in pages])
        self.assertEqual({}, pages[1]["LastEvaluatedKey"])

    def test_a_plan_says_which_requests(self):
        def struck(*rules, count=12, seed=1):
            self.server.plan(*rules, seed=seed)
            return [number for number in range(1, count + 1)
                    if self.exchange("Scan", Limit=1)[0] == 503]

        self.assertEqual([2, 5], struck({"fault": "unavailable", "at": [2, 5]}))
        self.assertEqual([1, 2, 3], struck({"fault": "unavailable", "first": 3}))
        self.assertEqual([4, 8, 12], struck({"fault": "unavailable", "every": 4}))
        self.assertEqual([4, 8], struck({"fault": "unavailable", "every": 4, "times": 2}))
        self.assertEqual([], struck({"fault": "unavailable", "operations": ["Query"]}))
        self.assertEqual([], struck({"fault": "unavailable", "table": "others"}))
        self.assertEqual(list(range(1, 13)), struck({"fault": "unavailable", "table": "rows"}))
        by_chance = struck({"fault": "unavailable", "share": 0.5}, seed=5)
        self.assertEqual(by_chance, struck({"fault": "unavailable", "share": 0.5}, seed=5))
        self.assertNotEqual(by_chance, struck({"fault": "unavailable", "share": 0.5}, seed=6))

    def test_a_plan_that_makes_no_sense_is_refused(self):
        for rule in ({"fault": "earthquake"}, {"fault": "slow", "wen": 3}, {}):
            with self.assertRaises(ValueError):
                self.server.plan(rule)

    def test_it_counts_what_came_and_what_was_done(self):
        self.server.plan({"fault": "throttled", "operations": ["Scan"], "first": 2})
        for _ in range(3):
            self.exchange("Scan")
        with self.assertRaises(real_server.ServiceError):
            self.call("PutItem", Item=ROWS[1], ConditionExpression="attribute_not_exists(pk)")
        self.assertEqual({"requests": {"Scan": 3, "PutItem": 1}, "done": {"Scan": 1},
                          "faults": {"throttled": 2}}, self.server.ask(counts=True))
        self.assertEqual([{"operation": "PutItem", "table": "rows", "key": KEYS[1],
                           "applied": False}], self.server.ask(writes=True)["writes"])

    def test_a_failed_condition_of_one_write_shows_the_item_if_asked(self):
        with self.assertRaises(real_server.ServiceError) as caught:
            self.call("DeleteItem", Key=KEYS[2], ConditionExpression="attribute_not_exists(pk)",
                      ReturnValuesOnConditionCheckFailure="ALL_OLD")
        self.assertEqual(ROWS[2], caught.exception.said["Item"])

    def test_a_transaction_in_conflict_says_which_part(self):
        self.server.plan({"fault": "conflict", "operations": ["TransactWriteItems"], "item": 1})
        with self.assertRaises(real_server.ServiceError) as caught:
            self.server.call("TransactWriteItems", {"TransactItems": [
                {"Delete": {"TableName": "rows", "Key": key}} for key in KEYS[:3]]})
        self.assertEqual(["None", "TransactionConflict", "None"], [
            reason["Code"] for reason in caught.exception.said["CancellationReasons"]])
        self.assertTrue(self.is_there("row00"))

    def test_many_connections_at_once(self):
        self.server.plan({"fault": "internal", "every": 7}, {"fault": "slow", "every": 5})
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            statuses = list(pool.map(lambda key: self.exchange("GetItem", Key=key)[0], KEYS * 3))
        self.assertEqual(60 // 7, statuses.count(500))
        self.assertEqual(60 - 60 // 7, statuses.count(200))


if __name__ == "__main__":
    program.main()
