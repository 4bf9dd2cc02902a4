"""Transactions over a server that has none: this proxy's own, not DynamoDB's.

A transaction has the proxy to itself: nothing else passes meanwhile. Each of its parts becomes a
write of its own with its own condition. If one fails, those that did not are undone before
anything else passes; so it is all or nothing for whoever comes through this proxy, and for nobody
who goes around it. A ConditionCheck becomes an update that changes nothing; the empty item that it
makes where there was none is deleted at once.

Source   docs of TransactWriteItems and TransactGetItems, DynamoDB API 2012-08-10.
"""

import asyncio
import dataclasses
import decimal
import hashlib
import json

from .faults import DYNAMODB, cancelled, error_answer
from .wire import Answer

ITEMS_MAX = 100
TOKEN_SECONDS = 600
OPERATIONS = {"ConditionCheck": "UpdateItem", "Put": "PutItem", "Update": "UpdateItem",
              "Delete": "DeleteItem"}
REQUIRED = {"ConditionCheck": ("Key", "ConditionExpression"), "Put": ("Item",),
            "Update": ("Key", "UpdateExpression"), "Delete": ("Key",)}
# A request that is wrong in itself, in words that the server uses for nothing else.
WRONG_REQUEST = ("Invalid ", "Value provided in Expression", "ExpressionAttribute", "1 validation",
                 "2 validation", "One or more parameter", "The parameter")


class Refused(Exception):
    """A transaction that is refused as a whole, with the answer that says so."""

    def __init__(self, kind, message):
        super().__init__(message)
        self.answer = error_answer(400, kind, message)


def invalid(message):
    return Refused("com.amazon.coral.validate#ValidationException", message)


@dataclasses.dataclass
class Part:
    """One part of a transaction, and what came of it."""
    kind: str
    words: dict
    key: dict
    answer: Answer = None

    @property
    def said(self):
        return json.loads(self.answer.body)

    @property
    def applied(self):
        return self.answer.status == 200

    @property
    def error(self):
        return self.said.get("__type", "").rpartition("#")[2]


class Transactions:
    """`send(operation, words)` asks the server behind; `clock()` is in seconds."""

    def __init__(self, send, keys, clock):
        self.send, self.keys, self.clock = send, keys, clock
        self.remembered = {}

    async def write(self, words):
        """TransactWriteItems. The caller keeps everything else out meanwhile."""
        try:
            parts = [await self.part(one) for one in counted(words, "TransactItems")]
            check_each_item_once(parts)
            self.check_token(words)
        except Refused as refused:
            return refused.answer, []
        token = words.get("ClientRequestToken")
        if token in self.remembered:
            return self.remembered[token][2], []
        await asyncio.gather(*(self.apply(part, words) for part in parts))
        failed = [part for part in parts if not part.applied]
        await asyncio.gather(*(self.undo(part, bool(failed)) for part in parts if part.applied))
        if failed:
            return await self.failure(parts), parts
        answer = Answer(200, json.dumps(capacity(words, parts, "WriteCapacityUnits")).encode())
        if token is not None:
            self.remembered[token] = (self.clock(), digest(words), answer)
        return answer, parts

    async def part(self, one):
        kinds = [kind for kind in one if kind in OPERATIONS]
        if len(kinds) != 1 or len(one) != 1:
            raise invalid("TransactItems can only contain one of Check, Put, Update or Delete")
        kind, words = kinds[0], one[kinds[0]]
        for name in ("TableName",) + REQUIRED[kind]:
            if name not in words:
                raise invalid(f"1 validation error detected: Value null at '{name}' failed to "
                              "satisfy constraint: Member must not be null")
        key = words.get("Key")
        if key is None:
            names = await self.keys(words["TableName"])
            key = {name: words["Item"][name] for name in names if name in words["Item"]}
        return Part(kind, words, key)

    def check_token(self, words):
        """Forgets tokens that are too old. Refuses one that was used for something else."""
        while self.remembered:   # the oldest comes first
            oldest = next(iter(self.remembered))
            if self.clock() - self.remembered[oldest][0] < TOKEN_SECONDS:
                break
            del self.remembered[oldest]
        token = words.get("ClientRequestToken")
        if token is not None and not 1 <= len(token) <= 36:
            raise invalid("1 validation error detected: Value at 'clientRequestToken' failed to "
                          "satisfy constraint: Member must have length between 1 and 36")
        if token in self.remembered and self.remembered[token][1] != digest(words):
            raise Refused(DYNAMODB + "IdempotentParameterMismatchException",
                          "The client request token was used with other parameters")

    async def apply(self, part, words):
        asked = {name: value for name, value in part.words.items()
                 if name != "ReturnValuesOnConditionCheckFailure"}
        asked["ReturnValues"] = "ALL_OLD"
        asked["ReturnConsumedCapacity"] = words.get("ReturnConsumedCapacity", "NONE")
        part.answer = await self.send(OPERATIONS[part.kind], asked)

    async def undo(self, part, cancelled_by_another):
        """Puts back what the part changed: all of it, or only the trace of a check."""
        if not cancelled_by_another and part.kind != "ConditionCheck":
            return
        old, table = part.said.get("Attributes"), part.words["TableName"]
        if old is None and part.kind != "Delete":
            await self.send("DeleteItem", {"TableName": table, "Key": part.key})
        elif old is not None and part.kind != "ConditionCheck":
            await self.send("PutItem", {"TableName": table, "Item": old})

    async def failure(self, parts):
        """The answer to a transaction of which a part failed."""
        reasons = []
        for part in parts:
            if part.applied:
                reasons.append({"Code": "None"})
            elif part.error == "ConditionalCheckFailedException":
                reasons.append(await self.condition_failed(part))
            elif part.error == "ValidationException" and not part.said.get("message", "") \
                    .startswith(WRONG_REQUEST):
                reasons.append({"Code": "ValidationError", "Message": part.said["message"]})
            else:
                return part.answer
        return cancelled(reasons)

    async def condition_failed(self, part):
        reason = {"Code": "ConditionalCheckFailed", "Message": "The conditional request failed"}
        if part.words.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD":
            found = await self.send("GetItem", {"TableName": part.words["TableName"],
                                                "Key": part.key, "ConsistentRead": True})
            reason.update({name: value for name, value in json.loads(found.body).items()
                           if name == "Item"})
        return reason

    async def read(self, words):
        """TransactGetItems. The caller keeps everything else out meanwhile."""
        try:
            gets = [one["Get"] for one in counted(words, "TransactItems")]
            parts = [Part("Get", get, get["Key"]) for get in gets]
            check_each_item_once(parts)
        except Refused as refused:
            return refused.answer
        asked = words.get("ReturnConsumedCapacity", "NONE")
        for part in parts:
            part.answer = await self.send("GetItem", {**part.words, "ConsistentRead": True,
                                                      "ReturnConsumedCapacity": asked})
            if not part.applied:
                return part.answer
        found = [{"Item": part.said["Item"]} if "Item" in part.said else {} for part in parts]
        return Answer(200, json.dumps({"Responses": found, **capacity(
            words, parts, "ReadCapacityUnits")}).encode())


def counted(words, name):
    """The parts of a transaction, if there is at least one and not too many."""
    parts = words.get(name) or []
    if 1 <= len(parts) <= ITEMS_MAX:
        return parts
    bound = f"less than or equal to {ITEMS_MAX}" if parts else "greater than or equal to 1"
    raise invalid(f"1 validation error detected: Value at 'transactItems' failed to satisfy "
                  f"constraint: Member must have length {bound}")


def check_each_item_once(parts):
    seen = {(part.words["TableName"], one_spelling(part.key)) for part in parts}
    if len(seen) != len(parts):
        raise invalid("Transaction request cannot include multiple operations on one item")


def one_spelling(key):
    """A key as text; numbers that are equal are spelt the same."""
    exact = decimal.Context(prec=100)

    def plain(kind, word):
        try:
            return str(exact.create_decimal(word).normalize(exact)) if kind == "N" else word
        except decimal.InvalidOperation:
            return word
    return json.dumps({name: {kind: plain(kind, word) for kind, word in value.items()}
                       for name, value in key.items()}, sort_keys=True)


def digest(words):
    return hashlib.sha256(json.dumps(words, sort_keys=True).encode()).hexdigest()


def capacity(words, parts, units):
    """What a transaction cost: twice what its parts cost by themselves."""
    if words.get("ReturnConsumedCapacity", "NONE") == "NONE":
        return {}
    cost = {}
    for part in parts:
        one = part.said.get("ConsumedCapacity", {})
        table = one.get("TableName", part.words["TableName"])
        cost[table] = cost.get(table, 0) + 2 * one.get("CapacityUnits", 0)
    return {"ConsumedCapacity": [{"TableName": table, "CapacityUnits": total, units: total}
                                 for table, total in cost.items()]}
