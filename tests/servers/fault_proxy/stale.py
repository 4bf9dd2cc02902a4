"""Reads that are not consistent, and may be behind: what was before some write is shown again.

While a plan has a rule "stale", the item that each write finds is kept. A read without
ConsistentRead that the rule strikes shows kept items as they were: those that were not there are
left out, those that are gone come with the first page of a Scan's first segment.
"""

import dataclasses
import json

from .transactions import one_spelling


class Stale:
    def __init__(self, ask, keys):
        self.ask, self.keys = ask, keys
        self.kept = {}

    async def keep(self, table, key):
        """Keeps the item as it is before the first write to it. Nothing else passes meanwhile."""
        place = (table, one_spelling(key))
        if place not in self.kept:
            found = await self.ask("GetItem", {"TableName": table, "Key": key,
                                               "ConsistentRead": True})
            self.kept[place] = json.loads(found.body).get("Item")

    async def before(self, words, answer):
        """The answer to a read, as it was before the writes."""
        if answer.status != 200:
            return answer
        said = json.loads(answer.body)
        if "Responses" in said:
            for table, asked in words["RequestItems"].items():
                if not asked.get("ConsistentRead"):
                    wanted = {one_spelling(key) for key in asked["Keys"]}
                    said["Responses"][table] = await self.rows_before(
                        table, said["Responses"].get(table, []), wanted)
        elif words.get("ConsistentRead"):
            return answer
        elif "Key" in words:
            self.one_before(words, said)
        elif "Items" in said:
            first = not {"ExclusiveStartKey", "KeyConditionExpression"} & set(words) and \
                not words.get("Segment")
            gone = await self.gone_from(words["TableName"]) if first else set()
            said["Items"] = await self.rows_before(words["TableName"], said["Items"], gone)
            said["Count"] = len(said["Items"])
        return dataclasses.replace(answer, body=json.dumps(said).encode())

    def one_before(self, words, said):
        place = (words["TableName"], one_spelling(words["Key"]))
        if place in self.kept:
            said.pop("Item", None)
            if self.kept[place] is not None:
                said["Item"] = self.kept[place]

    async def gone_from(self, table):
        """The kept keys of a table that are not there now."""
        gone = set()
        for other, key in self.kept:
            if other == table:
                found = await self.ask("GetItem", {"TableName": table, "Key": json.loads(key),
                                                   "ConsistentRead": True})
                if "Item" not in json.loads(found.body):
                    gone.add(key)
        return gone

    async def rows_before(self, table, rows, wanted):
        """The rows as they were, and those of the wanted keys that are gone meanwhile."""
        names = await self.keys(table)
        shown, seen = [], set()
        for row in rows:
            key = one_spelling({name: row[name] for name in names if name in row})
            seen.add(key)
            was = self.kept.get((table, key), row)
            shown += [] if was is None else [was]
        for (other, key), was in self.kept.items():
            if other == table and key in wanted - seen and was is not None:
                shown.append(was)
        return shown
