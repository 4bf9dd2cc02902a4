"""The proxy before Azure's table service, which speaks REST: other names, pages and batches.

Batches that the service refuses, and azurite takes, are refused here whatever the plan: those over
several partitions, with one row twice, with more than 100 operations or 4 MiB.
"""

import dataclasses
import json

import azure_table

from . import azure_answers, azure_pages, azure_requests, faults, gathering, wire
from .service import FaultProxy

class AzureProxy(FaultProxy):
    refusals = frozenset(azure_answers.REFUSALS)
    known_faults = frozenset({*refusals, *azure_pages.FAULTS, "batch_in_part", "meanwhile",
                              *faults.DELIVERIES} - {"bad_checksum"})

    def __init__(self, port_behind, log):
        super().__init__(port_behind, False, log)
        self.gathering = None

    def new_pages(self):
        return azure_pages.Pages()

    def order(self, order):
        if "credentials" in order:
            return {"error": "the server behind checks signatures itself"}
        if "gather" in order:
            if self.gathering is not None:
                self.gathering.release()
            words = order["gather"]
            self.gathering = gathering.Gathering(**words) if words else None
            return {"done": True}
        if order.get("rounds"):
            return {"rounds": self.gathering.rounds if self.gathering else []}
        return super().order(order)

    def subject(self, request):
        about = azure_requests.about(request)
        tables = [about.table] if about.table else []
        if about.operation == "Batch":
            about.operations = azure_requests.operations_of(
                request.headers.get("content-type", ""), request.body)
            tables = sorted({one.table for one in about.operations if one.table})
        return about.operation, tables, about

    def refusal(self, rule, request, words):
        return azure_answers.refusal(rule, words.operation == "Batch")

    async def pass_on(self, rule, request, words):
        fault = rule.fault if rule else None
        if fault == "meanwhile":
            await self.write_meanwhile(rule)
        if words.operation == "Batch":
            return await self.batch(rule, request, words.operations)
        if self.gathering is not None and is_scan(words):
            await self.gathering.wait()
        async with self.turns.together():
            if words.operation == "QueryEntities":
                return azure_answers.plain(await self.pages.answer(
                    rule, request,
                    lambda path: self.send(dataclasses.replace(request, path=path), words)))
            return azure_answers.plain(await self.send(request, words))

    async def batch(self, rule, request, operations):
        refused = azure_answers.batch_complaint(operations, len(request.body))
        if refused is not None:
            self.ledger.faults["refused batch"] += 1
            return refused
        async with self.turns.alone():
            answer = await self.upstream.send(request)
        statuses = [int(part.split(b" ")[1]) for part in azure_requests.http_parts(
            answer.headers.get("content-type", ""), answer.body)]
        done = answer.status == 202 and all(status < 300 for status in statuses)
        if done:
            self.ledger.done["Batch"] += 1
        for one in operations:
            self.note_write("Batch" + one.operation, one, done)
        if rule is not None and rule.fault == "batch_in_part":
            answer = azure_answers.in_part(answer, rule.setting("keep"))
        return azure_answers.plain(answer)

    async def send(self, request, words):
        answer = await self.upstream.send(request)
        done = answer.status < 300
        if done:
            self.ledger.done[words.operation] += 1
        if words.operation in azure_requests.WRITES:
            self.note_write(words.operation, words, done)
        return answer

    def note_write(self, operation, about, applied):
        key = dict(zip(("PartitionKey", "RowKey"), about.key or ()))
        self.ledger.written.append({"operation": operation, "table": about.table, "key": key,
                                    "applied": applied})

    async def write_meanwhile(self, rule):
        """What somebody else writes just before the request: method, path and words of each."""
        for write in rule.setting("writes", []):
            answer = await self.upstream.send(signed(write))
            if answer.status >= 300:
                self.ledger.faults["meanwhile, but refused"] += 1


def is_scan(about):
    """A request for all rows of a range, not for the first few of them."""
    return about.operation == "QueryEntities" and "$top=" not in about.query


def signed(write):
    """A request of the emulator's own account."""
    body = json.dumps(write["words"]).encode() if "words" in write else b""
    headers = {**azure_table.signed(write["path"]), **write.get("headers", {})}
    return wire.Request(write["method"], f"/{azure_table.ACCOUNT}{write['path']}", headers, body)
