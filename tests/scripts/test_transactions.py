"""The fault proxy's own transactions do what DynamoDB documents, and what moto does.

Method: a table of cases with outcomes written out, on dynalite behind the proxy. Then the same on
moto, whose transactions are its own: two programs that do not know of each other must agree.
"""

import concurrent.futures
import os
import sys

import program
import transaction_cases as cases

sys.path.insert(0, os.path.join(program.TESTS, "servers"))
import real_server  # noqa: E402

# Where moto 5.2.5 does otherwise than the documentation says: it takes an empty transaction, and
# breaks on expressions that are wrong. Nor does it look at ClientRequestToken.
MOTO_DIFFERS = {"no part", "a condition that is none", "a value that is not given"}


def scan(server, table):
    found = server.call("Scan", {"TableName": table, "ConsistentRead": True})
    return in_order(found["Items"])


def in_order(rows):
    return sorted(rows, key=lambda row: (row["pk"]["S"], row.get("sk", {}).get("N", "")))


def set_up(server):
    """The tables as they are before each case."""
    for table, rows in cases.BEFORE.items():
        for item in scan(server, table):
            key = {name: item[name] for name in ("pk", "sk") if name in item}
            server.call("DeleteItem", {"TableName": table, "Key": key})
        for row in rows:
            server.call("PutItem", {"TableName": table, "Item": row})
    return {table: scan(server, table) for table in cases.BEFORE}


def outcome_of(server, case):
    """The kind of error, the reasons of each part, and the tables afterwards."""
    kind, codes = None, None
    try:
        server.call("TransactWriteItems", {"TransactItems": case.asked})
    except real_server.ServiceError as error:
        kind = error.kind
        codes = [reason["Code"] for reason in error.said.get("CancellationReasons", [])] or None
    return kind, codes, scan(server, "users"), scan(server, "claims")


def expected(case):
    kind = "TransactionCanceledException" if case.codes else case.kind
    users = cases.BEFORE["users"] if case.users is None else case.users
    claims = cases.BEFORE["claims"] if case.claims is None else case.claims
    return kind, case.codes, in_order(users), in_order(claims)


class Transactions:
    """What is asked of both. `differs`: the cases in which a server is known to do otherwise."""
    maxDiff = None
    words = ()
    differs = set()

    @classmethod
    def setUpClass(cls):
        cls.server = real_server.Server(*cls.words)
        cls.addClassCleanup(cls.server.stop)
        cls.server.make_table("users", pk="S")
        cls.server.make_table("claims", pk="S", sk="N")

    def write(self, *parts, **more):
        return self.server.call("TransactWriteItems", {"TransactItems": list(parts), **more})

    def refused(self, *parts, **more):
        with self.assertRaises(real_server.ServiceError) as caught:
            self.write(*parts, **more)
        return caught.exception

    def test_each_case_ends_as_documented(self):
        for case in cases.CASES:
            with self.subTest(case.name):
                set_up(self.server)
                outcome = outcome_of(self.server, case)
                if case.name in self.differs:
                    self.assertNotEqual(expected(case), outcome, "no longer differs")
                else:
                    self.assertEqual(expected(case), outcome)

    def test_a_reason_shows_the_item_if_it_is_asked_for(self):
        set_up(self.server)
        error = self.refused(cases.put(cases.user("bob")),
                             cases.put(cases.user("ann"), cases.ABSENT,
                                       ReturnValuesOnConditionCheckFailure="ALL_OLD"))
        self.assertEqual([None, cases.ANN], [reason.get("Item") for reason in
                                             error.said["CancellationReasons"]])
        self.assertIn("[None, ConditionalCheckFailed]", error.message)

    def test_a_transaction_of_reads_gives_one_answer_for_each(self):
        set_up(self.server)
        gets = [{"Get": {"TableName": table, "Key": key}} for table, key in
                (("users", {"pk": {"S": "nobody"}}), ("users", {"pk": {"S": "ann"}}),
                 ("claims", {"pk": {"S": "claim"}, "sk": {"N": "1"}}))]
        got = self.server.call("TransactGetItems", {"TransactItems": gets})
        self.assertEqual([{}, {"Item": cases.ANN}, {"Item": cases.CLAIM}], got["Responses"])


class OwnTransactions(Transactions, real_server.ServerTest):
    """The proxy's: also what moto does not do."""
    words = ("dynalite", "--proxy")

    def test_the_same_token_does_nothing_twice_and_no_other_thing(self):
        set_up(self.server)
        visit = cases.update("ann", "ADD visits :one", None, cases.ONE)
        self.write(visit, ClientRequestToken="first")
        self.write(visit, ClientRequestToken="first")
        self.assertEqual({"N": "8"}, scan(self.server, "users")[0]["visits"])
        self.write(visit, ClientRequestToken="second")
        self.assertEqual({"N": "9"}, scan(self.server, "users")[0]["visits"])
        error = self.refused(cases.delete("ann"), ClientRequestToken="first")
        self.assertEqual("IdempotentParameterMismatchException", error.kind)
        self.assertEqual({"N": "9"}, scan(self.server, "users")[0]["visits"])

    def test_a_token_is_forgotten_after_ten_minutes(self):
        set_up(self.server)
        visit = cases.update("ann", "ADD visits :one", None, cases.ONE)
        for seconds, visits in ((0, "8"), (599, "8"), (601, "9")):
            self.server.ask(clock_offset_seconds=seconds)
            self.write(visit, ClientRequestToken="token of ten minutes")
            self.assertEqual({"N": visits}, scan(self.server, "users")[0]["visits"])

    def test_numbers_that_are_equal_name_one_item(self):
        error = self.refused(*({"Delete": {"TableName": "claims", "Key": {
            "pk": {"S": "claim"}, "sk": {"N": number}}}} for number in ("10", "1e1")))
        self.assertEqual("ValidationException", error.kind)

    def test_an_update_that_its_item_cannot_take_is_a_reason(self):
        set_up(self.server)
        error = self.refused(cases.put(cases.user("bob")),
                             cases.update("ann", "ADD email :one", None, cases.ONE))
        self.assertEqual(["None", "ValidationError"], [reason["Code"] for reason in
                                                       error.said["CancellationReasons"]])
        self.assertEqual(cases.BEFORE["users"], scan(self.server, "users"))

    def test_the_cost_is_twice_that_of_the_writes(self):
        set_up(self.server)
        cost = self.write(cases.put(cases.user("bob")), cases.put(cases.user("cid")),
                          ReturnConsumedCapacity="TOTAL")["ConsumedCapacity"]
        self.assertEqual([("users", 4)], [(one["TableName"], one["CapacityUnits"])
                                          for one in cost])

    def test_nobody_sees_half_of_a_transaction(self):
        set_up(self.server)

        def fail(_):
            self.refused(cases.put(cases.user("bob")), cases.delete("ann"), cases.STOP)

        def look(_):
            return scan(self.server, "users")

        with concurrent.futures.ThreadPoolExecutor(6) as pool:
            done = [pool.submit(fail if number % 2 else look, number) for number in range(60)]
            seen = [one.result() for one in done]
        self.assertEqual([cases.BEFORE["users"]] * 30, seen[::2])

    def test_of_those_that_race_for_one_claim_one_wins(self):
        set_up(self.server)

        def claim(number):
            try:
                self.write(cases.put(cases.user("wanted", by={"N": str(number)}), cases.ABSENT),
                           cases.put(cases.user(f"racer{number}")))
                return True
            except real_server.ServiceError:
                return False

        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            won = list(pool.map(claim, range(16)))
        self.assertEqual(1, sum(won))
        self.assertEqual([won.index(True)],
                         [number for number in range(16)
                          if cases.user(f"racer{number}") in scan(self.server, "users")])


class MotoTransactions(Transactions, real_server.ServerTest):
    words = ("moto",)
    differs = MOTO_DIFFERS


if __name__ == "__main__":
    program.main()
