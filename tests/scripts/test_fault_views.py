"""The fault proxy shows tables as they may be seen: behind, of another size, changed meanwhile.

Method: a table of five rows on dynalite; what a client sees through the proxy is written out.
"""

import os
import sys

import program

sys.path.insert(0, os.path.join(program.TESTS, "servers"))
import real_server  # noqa: E402

NAMES = ["a", "b", "c", "d", "e"]
STALE = {"fault": "stale"}


def row(name, value):
    return {"pk": {"S": name}, "v": {"S": value}}


def key(name):
    return {"pk": {"S": name}}


class FaultViews(real_server.ServerTest):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        cls.server = real_server.Server("dynalite", "--proxy")
        cls.addClassCleanup(cls.server.stop)
        cls.server.make_table("rows", pk="S")

    def setUp(self):
        self.server.plan()
        for name in NAMES:
            self.put(name, "old")
        self.call("DeleteItem", Key=key("new"))
        self.server.ask(clear=True)

    def call(self, operation, **words):
        return self.server.call(operation, {"TableName": "rows", **words})

    def put(self, name, value, **more):
        self.call("PutItem", Item=row(name, value), **more)

    def scan(self, **words):
        """What all segments show, page by page: name and value."""
        seen = []
        for segment in range(2):
            token = {}
            while True:
                page = self.call("Scan", Segment=segment, TotalSegments=2, Limit=2, **token,
                                 **words)
                self.assertEqual(len(page["Items"]), page["Count"])
                seen += [(item["pk"]["S"], item["v"]["S"]) for item in page["Items"]]
                if "LastEvaluatedKey" not in page:
                    break
                token = {"ExclusiveStartKey": page["LastEvaluatedKey"]}
        return sorted(seen)

    def test_reads_that_are_behind_show_what_was_before_the_writes(self):
        self.server.plan(STALE)
        self.put("a", "changed")
        self.put("a", "changed again")
        self.call("DeleteItem", Key=key("b"))
        self.put("new", "new")
        self.server.call("TransactWriteItems", {"TransactItems": [
            {"Put": {"TableName": "rows", "Item": row("c", "changed")}}]})
        self.server.call("BatchWriteItem", {"RequestItems": {"rows": [
            {"DeleteRequest": {"Key": key("d")}}]}})

        now = [("a", "changed again"), ("c", "changed"), ("e", "old"), ("new", "new")]
        before = [(name, "old") for name in NAMES]
        self.assertEqual(before, self.scan())
        self.assertEqual(now, self.scan(ConsistentRead=True))
        self.assertEqual(row("b", "old"), self.call("GetItem", Key=key("b"))["Item"])
        self.assertEqual({}, self.call("GetItem", Key=key("b"), ConsistentRead=True))
        self.assertEqual({}, self.call("GetItem", Key=key("new")))
        for consistent, seen in ((False, before[:2]), (True, [now[0], now[3]])):
            got = self.server.call("BatchGetItem", {"RequestItems": {"rows": {
                "Keys": [key("a"), key("b"), key("new")], "ConsistentRead": consistent}}})
            self.assertEqual(seen, sorted((item["pk"]["S"], item["v"]["S"])
                                          for item in got["Responses"]["rows"]))
        self.server.plan()
        self.assertEqual(now, self.scan(), "without the rule a read is not behind")

    def test_somebody_writes_just_before_a_request(self):
        self.server.plan({"fault": "meanwhile", "operations": ["PutItem"], "at": [2], "writes": [
            {"operation": "PutItem", "words": {"TableName": "rows",
                                               "Item": row("a", "theirs")}},
            {"operation": "DeleteItem", "words": {"TableName": "rows", "Key": key("b")}}]})
        is_old = {"ConditionExpression": "v = :old",
                  "ExpressionAttributeValues": {":old": {"S": "old"}}}
        self.put("a", "old", **is_old)
        with self.assertRaises(real_server.ServiceError) as caught:
            self.put("a", "ours", **is_old)
        self.assertEqual("ConditionalCheckFailedException", caught.exception.kind)
        self.assertEqual([("a", "theirs"), ("c", "old"), ("d", "old"), ("e", "old")], self.scan())
        self.assertEqual({"meanwhile": 1}, self.server.ask(counts=True)["faults"])

    def test_a_table_is_of_another_size_or_state(self):
        self.server.plan({"fault": "described", "operations": ["DescribeTable"], "table_words": {
            "ItemCount": 10 ** 9, "TableSizeBytes": 10 ** 12, "TableStatus": "DELETING"}})
        table = self.call("DescribeTable")["Table"]
        self.assertEqual((10 ** 9, 10 ** 12, "DELETING", "rows"),
                         (table["ItemCount"], table["TableSizeBytes"], table["TableStatus"],
                          table["TableName"]))

    def test_a_consistent_scan_costs_twice_the_other(self):
        costs = [self.call("Scan", ReturnConsumedCapacity="TOTAL", ConsistentRead=consistent)
                 ["ConsumedCapacity"]["CapacityUnits"] for consistent in (False, True)]
        self.assertEqual([0.5, 1], costs)


if __name__ == "__main__":
    program.main()
