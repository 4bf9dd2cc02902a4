"""What passed: requests by operation, faults by name, and every write with what came of it."""

import collections
import json

WRITES = {"PutItem", "UpdateItem", "DeleteItem"}


class Ledger:
    def __init__(self, keys):
        self.keys = keys
        self.clear()

    def clear(self):
        self.requests = collections.Counter()
        self.done = collections.Counter()
        self.faults = collections.Counter()
        self.written = []

    def counts(self):
        """`requests` came in; `done` are those of them that the server behind answered with 200."""
        return {"requests": dict(self.requests), "done": dict(self.done),
                "faults": dict(self.faults)}

    async def note(self, operation, words, answer):
        """Notes what the server behind answered to a request, whatever the client hears of it."""
        if answer.status == 200:
            self.done[operation] += 1
        if operation in WRITES or answer.status == 200:
            for name, table, key in await self.items_of(operation, words):
                self.add(name, table, key, answer)

    async def items_of(self, operation, words):
        """What a request writes: (name of the write, table, key)."""
        if operation in WRITES:
            return [(operation, words.get("TableName"), await self.key_of(words))]
        found = []
        if operation == "BatchWriteItem":
            for table, requests in words["RequestItems"].items():
                for request in requests:
                    kind, one = next(iter(request.items()))
                    found.append((f"Batch{kind}", table,
                                  await self.key_of({"TableName": table, **one})))
        return found

    def note_transaction(self, parts, answer):
        """Notes the parts of a transaction: as a whole they were applied or not."""
        for part in parts:
            self.add(f"Transact{part.kind}", part.words["TableName"], part.key, answer)

    def add(self, operation, table, key, answer):
        self.written.append({"operation": operation, "table": table, "key": key,
                             "applied": answer.status == 200})

    async def key_of(self, words):
        if "Key" in words:
            return words["Key"]
        names = await self.keys(words.get("TableName"))
        return {name: words.get("Item", {}).get(name) for name in names}


def tables_of(words):
    """The tables that a request is about."""
    if isinstance(words.get("TableName"), str):
        return [words["TableName"]]
    if isinstance(words.get("RequestItems"), dict):
        return sorted(words["RequestItems"])
    parts = words.get("TransactItems")
    named = [one.get("TableName") for part in parts if isinstance(part, dict)
             for one in part.values() if isinstance(one, dict)] if isinstance(parts, list) else []
    return sorted({name for name in named if name})


def words_of(request):
    """The body of a request, or nothing if it is no JSON object: the server behind will say so."""
    try:
        words = json.loads(request.body)
    except ValueError:
        return {}
    return words if isinstance(words, dict) else {}
