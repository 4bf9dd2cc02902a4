"""Pages and batches that DynamoDB may give and dynalite never does.

unprocessed     a batch of which only the first "keep" (else half) are done
short_page      at most "limit" (else one) rows, then a token
empty_page      no rows and a token; the row that was left out comes with the next page
repeated_token  the token that was sent comes back, with a page
empty_token     the last page ends with an empty map in place of no token
"""

import dataclasses
import json


class Pages:
    """Applies such faults. Keeps what an empty page left out until its token comes back."""

    def __init__(self):
        self.held = {}

    async def answer(self, rule, words, send):
        """The answer to a request; `send` asks the server behind with the words given."""
        if rule is not None and rule.fault == "unprocessed":
            return await unprocessed(rule, words, send)
        asked = dict(words)
        if rule is not None and rule.fault in ("short_page", "empty_page"):
            asked["Limit"] = rule.setting("limit", 1)
        answer = await send(asked)
        if answer.status != 200:
            return answer
        page = self.with_held(words, json.loads(answer.body))
        if rule is not None:
            self.spoil(rule.fault, words, page)
        return dataclasses.replace(answer, body=json.dumps(page).encode())

    def concerns(self, words):
        """Whether a request without a fault must pass here too, for what is held."""
        return bool(self.held) and ("ExclusiveStartKey" in words or "TableName" in words)

    def with_held(self, words, page):
        held = self.held.get(place(words, words.get("ExclusiveStartKey")))
        if held is not None:
            rows, count = held
            page["Count"] = page.get("Count", 0) + count
            if "Items" in page:
                page["Items"] = rows + page["Items"]
        # A token that a page with its rows has given asks for nothing that was held.
        self.held.pop(place(words, page.get("LastEvaluatedKey")), None)
        return page

    def spoil(self, fault, words, page):
        if fault == "empty_page" and "LastEvaluatedKey" in page:
            self.held[place(words, page["LastEvaluatedKey"])] = \
                (page.get("Items", []), page.get("Count", 0))
            page["Count"] = 0
            if "Items" in page:
                page["Items"] = []
        elif fault == "repeated_token" and "ExclusiveStartKey" in words:
            page["LastEvaluatedKey"] = words["ExclusiveStartKey"]
        elif fault == "empty_token":
            page.setdefault("LastEvaluatedKey", {})


def place(words, token):
    """Where in a walk a token stands."""
    return json.dumps([words.get(name) for name in ("TableName", "IndexName", "Segment")] +
                      [token], sort_keys=True)


async def unprocessed(rule, words, send):
    """Does the beginning of a batch and hands the rest back."""
    left = "UnprocessedKeys" if any("Keys" in part for part in words["RequestItems"].values()
                                    if isinstance(part, dict)) else "UnprocessedItems"
    total = sum(len(members(part)) for part in words["RequestItems"].values())
    keep = rule.setting("keep", (total + 1) // 2)
    kept, rest = {}, {}
    for table, part in words["RequestItems"].items():
        ones = members(part)
        take = min(keep, len(ones))
        keep -= take
        if take:
            kept[table] = with_members(part, ones[:take])
        if take < len(ones):
            rest[table] = with_members(part, ones[take:])
    answer = await send({**words, "RequestItems": kept})
    if answer.status != 200:
        return answer
    done = json.loads(answer.body)
    done[left] = {**done.get(left, {}), **rest}
    return dataclasses.replace(answer, body=json.dumps(done).encode())


def members(part):
    """The keys of a BatchGetItem, the requests of a BatchWriteItem."""
    return part["Keys"] if isinstance(part, dict) else part


def with_members(part, ones):
    return {**part, "Keys": ones} if isinstance(part, dict) else ones
