"""What transactions do, case by case: what stands in the tables, what is asked, what comes of it.

The outcomes are those of the documentation of TransactWriteItems and TransactGetItems, written out.
`codes` are the reasons for cancelling, one for each part; `kind` is the error of the whole.
"""

import dataclasses

ANN = {"pk": {"S": "ann"}, "email": {"S": "ann@x.org"}, "visits": {"N": "7"}}
# One of each type, and a number of 38 digits: what is put back after a failure must be the same.
RICH = {"pk": {"S": "rich"}, "n": {"N": "1234567890123456789012345678901234567.8"},
        "b": {"B": "AAEC/w=="}, "t": {"BOOL": True}, "nothing": {"NULL": True},
        "ss": {"SS": ["a", "b"]}, "ns": {"NS": ["1", "2"]}, "bs": {"BS": ["AA=="]},
        "l": {"L": [{"S": ""}, {"N": "0"}]}, "m": {"M": {"k": {"S": "v"}}}}
CLAIM = {"pk": {"S": "claim"}, "sk": {"N": "1"}}
ABSENT, PRESENT = "attribute_not_exists(pk)", "attribute_exists(pk)"
FAILED = "ConditionalCheckFailed"


def put(item, condition=None, table="users", **more):
    words = {"TableName": table, "Item": item, **more}
    return {"Put": {**words, **({"ConditionExpression": condition} if condition else {})}}


def check(pk, condition, table="users", **more):
    return {"ConditionCheck": {"TableName": table, "Key": {"pk": {"S": pk}},
                               "ConditionExpression": condition, **more}}


def update(pk, expression, condition=None, values=None):
    words = {"TableName": "users", "Key": {"pk": {"S": pk}}, "UpdateExpression": expression}
    if values:
        words["ExpressionAttributeValues"] = values
    return {"Update": {**words, **({"ConditionExpression": condition} if condition else {})}}


def delete(pk, condition=None):
    words = {"TableName": "users", "Key": {"pk": {"S": pk}}}
    return {"Delete": {**words, **({"ConditionExpression": condition} if condition else {})}}


def user(pk, **more):
    return {"pk": {"S": pk}, **more}


@dataclasses.dataclass
class Case:
    """`users` and `claims`: the tables afterwards; None: as they were before."""
    name: str
    asked: list
    codes: list = None
    kind: str = None
    users: list = None
    claims: list = None


STOP = check("nobody", PRESENT)   # a part that fails
BEFORE = {"users": [ANN, RICH], "claims": [CLAIM]}
ONE = {":one": {"N": "1"}}

CASES = [
    Case("two new items are put", [put(user("bob")), put(user("cid"), ABSENT)],
         users=[ANN, RICH, user("bob"), user("cid")]),
    Case("items of two tables are put together",
         [put(user("bob"), ABSENT), put({"pk": {"S": "bob"}, "sk": {"N": "2"}}, table="claims")],
         users=[ANN, RICH, user("bob")], claims=[CLAIM, {"pk": {"S": "bob"}, "sk": {"N": "2"}}]),
    Case("one condition that fails keeps the other from being put",
         [put(user("bob"), ABSENT), put(user("ann"), ABSENT)], ["None", FAILED]),
    Case("each part that fails is told", [put(user("ann"), ABSENT), put(user("bob")),
                                          delete("rich", ABSENT)], [FAILED, "None", FAILED]),
    Case("a check that holds changes nothing of its item",
         [check("ann", "visits = :v", ExpressionAttributeValues={":v": {"N": "7.0"}}),
          put(user("bob"))], users=[ANN, RICH, user("bob")]),
    Case("a check that nothing is there leaves nothing there",
         [check("nobody", ABSENT), put(user("bob"))], users=[ANN, RICH, user("bob")]),
    Case("a check that fails on an absent item leaves nothing there",
         [STOP, put(user("bob"))], [FAILED, "None"]),
    Case("a check alone that holds on an absent item leaves nothing there",
         [check("nobody", ABSENT)]),
    Case("a check on an absent item is undone when another part fails",
         [check("somebody", ABSENT), STOP], ["None", FAILED]),
    Case("an update changes what its condition allows",
         [update("ann", "SET visits = visits + :one REMOVE email", PRESENT, ONE)],
         users=[user("ann", visits={"N": "8"}), RICH]),
    Case("an update of an absent item makes it", [update("dee", "SET visits = :one", None, ONE)],
         users=[ANN, RICH, user("dee", visits={"N": "1"})]),
    Case("an update that made an item is undone", [update("dee", "SET visits = :one", None, ONE),
                                                   STOP], ["None", FAILED]),
    Case("an update is undone, all types as they were",
         [update("rich", "REMOVE n, b, t, nothing, ss, ns, bs, l, m"), STOP], ["None", FAILED]),
    Case("a put over an item is undone", [STOP, put(user("rich"))], [FAILED, "None"]),
    Case("a delete is undone", [delete("rich"), STOP], ["None", FAILED]),
    Case("a delete with its condition", [delete("ann", PRESENT)], users=[RICH]),
    Case("a delete of an absent item is fine", [delete("nobody"), put(user("bob"))],
         users=[ANN, RICH, user("bob")]),
    Case("a delete of an absent item, undone, leaves nothing there", [delete("bob"), STOP],
         ["None", FAILED]),
    Case("two parts on one item", [put(user("bob")), check("bob", ABSENT)],
         kind="ValidationException"),
    Case("the same key in two tables is two items",
         [put(user("claim")), put({"pk": {"S": "claim"}, "sk": {"N": "2"}}, table="claims")],
         users=[ANN, RICH, user("claim")],
         claims=[CLAIM, {"pk": {"S": "claim"}, "sk": {"N": "2"}}]),
    Case("no part", [], kind="ValidationException"),
    Case("more than a hundred parts", [put(user(f"n{i}")) for i in range(101)],
         kind="ValidationException"),
    Case("a hundred parts", [put(user(f"n{i:03}"), ABSENT) for i in range(100)],
         users=[ANN, RICH] + [user(f"n{i:03}") for i in range(100)]),
    Case("a hundred parts, the last of which fails",
         [put(user(f"n{i:03}")) for i in range(99)] + [STOP], ["None"] * 99 + [FAILED]),
    Case("a part of two kinds", [{**put(user("bob")), **delete("cid")}],
         kind="ValidationException"),
    Case("a table that is not there", [put(user("bob")), put(user("bob"), table="nowhere")],
         kind="ResourceNotFoundException"),
    Case("a condition that is none", [put(user("bob")), check("ann", "attribute_exists(")],
         kind="ValidationException"),
    Case("a value that is not given", [put(user("bob")), check("ann", "visits = :missing")],
         kind="ValidationException"),
]
