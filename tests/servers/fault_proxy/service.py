"""The proxy itself: each request is counted, meets the plan, and goes on to the server behind.

Transactions have the proxy to themselves; everything else runs at once.
"""

import asyncio
import contextlib
import dataclasses
import datetime
import json
import time
import traceback

from . import delivery, faults, pages, signature, wire
from .ledger import Ledger, tables_of, words_of
from .stale import Stale
from .transactions import Transactions

TARGET = "DynamoDB_20120810."


class Turns:
    """Many at once, or one alone, in the order of their coming."""

    def __init__(self):
        self.door = asyncio.Lock()
        self.inside = 0
        self.empty = asyncio.Condition()

    @contextlib.asynccontextmanager
    async def together(self):
        async with self.door:
            self.inside += 1
        try:
            yield
        finally:
            self.inside -= 1
            async with self.empty:
                self.empty.notify_all()

    @contextlib.asynccontextmanager
    async def alone(self):
        async with self.door:
            async with self.empty:
                await self.empty.wait_for(lambda: self.inside == 0)
            yield


class FaultProxy:
    """Stands before the server on a port of loopback. `own_transactions`: that server has none."""

    known_faults = frozenset(faults.FAULTS)
    refusals = frozenset(faults.REFUSALS)

    def __init__(self, port_behind, own_transactions, log):
        self.upstream = wire.Upstream(port_behind)
        self.own_transactions = own_transactions
        self.log = log
        self.plan = faults.Plan()
        self.pages = self.new_pages()
        self.ledger = Ledger(self.keys)
        self.schemas = {}
        self.turns = Turns()
        self.clock_offset_seconds = 0
        self.credentials = None
        self.headers = {}
        self.stale = Stale(self.ask, self.keys)
        self.transactions = Transactions(self.ask, self.keys, self.clock)

    async def start(self):
        self.server = await asyncio.start_server(self.serve, "127.0.0.1", 0,
                                                 limit=wire.HEAD_BYTES_MAX)
        return self.server.sockets[0].getsockname()[1]

    def stop(self):
        self.server.close()
        self.upstream.close()

    def clock(self):
        return time.monotonic() + self.clock_offset_seconds

    def order(self, order):
        """Does what a test orders; the answer says what is so now."""
        if "plan" in order:
            self.plan = faults.Plan(order["plan"], self.known_faults)
            self.pages = self.new_pages()
            self.stale = Stale(self.ask, self.keys)
        elif order.get("counts"):
            return self.ledger.counts()
        elif order.get("writes"):
            return {"writes": self.ledger.written}
        elif order.get("clear"):
            self.ledger.clear()
        elif "clock_offset_seconds" in order:
            self.clock_offset_seconds = order["clock_offset_seconds"]
        elif "credentials" in order:
            words = order["credentials"]
            self.credentials = signature.Credentials(**words) if words else None
        else:
            return {"error": "no such order"}
        return {"done": True}

    def new_pages(self):
        return pages.Pages()

    def subject(self, request):
        """What a request is about: its operation, its tables, and its words."""
        words = words_of(request)
        return request.operation, tables_of(words), words

    async def serve(self, reader, writer):
        """One connection, until it ends or is broken."""
        try:
            while request := await wire.read_request(reader, writer):
                usable = await self.handle(request, reader, writer)
                if not usable or request.headers.get("connection", "").lower() == "close":
                    break
        except (wire.Malformed, ConnectionError, asyncio.IncompleteReadError) as error:
            print(f"a connection ended: {error!r}", file=self.log)
        except Exception:
            traceback.print_exc(file=self.log)
        finally:
            writer.close()

    async def handle(self, request, reader, writer):
        operation, tables, words = self.subject(request)
        self.ledger.requests[operation] += 1
        rule = self.plan.fault_for(operation, tables)
        if rule is not None:
            self.ledger.faults[rule.fault] += 1
        print(operation, tables, rule.fault if rule else "", file=self.log)
        answer = self.complaint(request) or await self.answer(rule, request, words)
        if answer is not None and self.clock_offset_seconds:
            answer = delivery.dated(answer, self.clock_offset_seconds)
        return await delivery.deliver(rule, answer, reader, writer)

    def complaint(self, request):
        """The answer to a request that is not signed as it must be, once credentials are set."""
        if self.credentials is None:
            return None
        now = signature.utc_now() + datetime.timedelta(seconds=self.clock_offset_seconds)
        wrong = signature.complaint(request, self.credentials, now)
        return faults.worded(wrong[0], wrong[1]) if wrong else None

    async def answer(self, rule, request, words):
        refused = rule is not None and rule.fault in self.refusals
        lost = rule is not None and rule.fault in ("drop", "hang")
        if not (refused or lost) or rule.setting("after"):
            answer = await self.pass_on(rule, request, words)
        if refused:
            return self.refusal(rule, request, words)
        return answer if not lost else None

    def refusal(self, rule, request, words):
        return faults.refusal(rule, request.operation, tables_of(words), words)

    async def pass_on(self, rule, request, words):
        """The answer of the server behind, or what the rule makes of it."""
        self.headers = request.headers
        fault = rule.fault if rule else None
        if fault == "meanwhile":
            await self.write_meanwhile(rule)
        if self.plan.has("stale"):
            async with self.turns.alone():
                await self.keep_items(request.operation, words)
        answer = await self.forward(rule, request, words)
        if fault == "stale":
            answer = await self.stale.before(words, answer)
        if fault == "described" and answer.status == 200:
            answer = described(answer, rule.setting("table_words", {}))
        return answer

    async def forward(self, rule, request, words):
        if self.own_transactions and request.operation.startswith("Transact"):
            async with self.turns.alone():
                return await self.transact(request.operation, words)
        if words.get("ReturnValuesOnConditionCheckFailure") == "ALL_OLD":
            async with self.turns.alone():
                return await self.with_old_item(request, words)
        async with self.turns.together():
            if rule is not None and rule.fault in faults.PAGES or self.pages.concerns(words):
                return await self.pages.answer(rule, words, lambda changed: self.send(
                    dataclasses.replace(request, body=json.dumps(changed).encode()), changed))
            return await self.send(request, words)

    async def write_meanwhile(self, rule):
        """What somebody else writes just before the request."""
        for write in rule.setting("writes", []):
            answer = await self.ask(write["operation"], write["words"])
            if answer.status != 200:
                self.ledger.faults["meanwhile, but refused"] += 1

    async def keep_items(self, operation, words):
        """Keeps what a request is about to change, for the reads that are to be behind."""
        for _, table, key in await self.ledger.items_of(operation, words):
            await self.stale.keep(table, key)
        if operation == "TransactWriteItems":
            for one in words.get("TransactItems", []):
                part = next(iter(one.values()))
                await self.stale.keep(part["TableName"], await self.ledger.key_of(part))

    async def send(self, request, words):
        """Asks the server behind on behalf of the client."""
        answer = await self.upstream.send(request)
        if request.operation in ("CreateTable", "DeleteTable"):
            self.schemas.pop(words.get("TableName"), None)
        await self.ledger.note(request.operation, words, answer)
        if self.own_transactions and request.operation == "Scan" and words.get("ConsistentRead"):
            answer = with_true_cost(answer)
        return answer

    async def ask(self, operation, words):
        """Asks the server behind on the proxy's own account, with the client's credentials."""
        kept = {name: self.headers[name] for name in ("authorization", "x-amz-date",
                                                      "x-amz-security-token", "content-type")
                if name in self.headers}
        return await self.upstream.send(wire.Request(
            "POST", "/", {**kept, "x-amz-target": TARGET + operation}, json.dumps(words).encode()))

    async def keys(self, table):
        """The names of a table's key attributes; none if there is no such table."""
        if table not in self.schemas:
            answer = await self.ask("DescribeTable", {"TableName": table})
            if answer.status != 200:
                return []
            schema = json.loads(answer.body)["Table"]["KeySchema"]
            self.schemas[table] = [one["AttributeName"] for one in schema]
        return self.schemas[table]

    async def transact(self, operation, words):
        if operation == "TransactGetItems":
            answer = await self.transactions.read(words)
        else:
            answer, parts = await self.transactions.write(words)
            self.ledger.note_transaction(parts, answer)
        if answer.status == 200:
            self.ledger.done[operation] += 1
        return answer

    async def with_old_item(self, request, words):
        """A single write whose failed condition is to show the item, which dynalite leaves out."""
        answer = await self.send(request, words)
        said = words_of(answer)
        if not said.get("__type", "").endswith("#ConditionalCheckFailedException") or \
                "Item" in said:
            return answer
        key = await self.ledger.key_of(words)
        found = await self.ask("GetItem", {"TableName": words["TableName"], "Key": key,
                                           "ConsistentRead": True})
        said.update(words_of(found))
        return dataclasses.replace(answer, body=json.dumps(said).encode())


def described(answer, table_words):
    """DescribeTable, or DescribeTimeToLive, as of a table of another size or state."""
    said = json.loads(answer.body)
    for member in ("Table", "TimeToLiveDescription"):
        said.get(member, {}).update(table_words)
    return dataclasses.replace(answer, body=json.dumps(said).encode())


def with_true_cost(answer):
    """A consistent Scan costs twice the other kind; dynalite says the same for both."""
    said = words_of(answer)
    cost = said.get("ConsumedCapacity")
    if not cost:
        return answer
    for part in (cost, cost.get("Table", {})):
        if "CapacityUnits" in part:
            part["CapacityUnits"] *= 2
    return dataclasses.replace(answer, body=json.dumps(said).encode())
