"""Pages that Azure's table service may give and azurite never does.

short_page      at most "limit" (else one) rows, then a token
empty_page      no rows and a token
half_token      the page ends with a partition, and the token names the next partition alone
repeated_token  the token that was sent comes back, with a page, of at most "limit" rows if it says
                so; a request without a token is answered as it would be

A token of the proxy's own stands for the token that the request had, and the last row that was
given: when it comes back, the server behind is asked from there, and what was given is left out.
"""

import dataclasses
import json
import urllib.parse

PARTITION = "NextPartitionKey"
ROW = "NextRowKey"
HEADER = "x-ms-continuation-"
FAULTS = {"short_page", "empty_page", "half_token", "repeated_token"}


class Pages:
    def __init__(self):
        self.given = {}   # by token of the proxy's own: (token behind, last key given or nothing)

    async def answer(self, rule, request, send):
        """The answer to a query; `send` asks the server behind with another path."""
        path, _, query = request.path.partition("?")
        asked = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))
        token = {name: asked.pop(name) for name in (PARTITION, ROW) if name in asked}
        fault = rule.fault if rule else None
        if fault not in FAULTS and token.get(PARTITION) not in self.given:
            return await send(request.path)
        behind, last = self.given.get(token.get(PARTITION), (token, None))
        if fault == "short_page" or (fault == "repeated_token" and rule.setting("limit")):
            asked["$top"] = str(rule.setting("limit", 1))
        answer = await send(with_query(path, {**asked, **behind}))
        if answer.status != 200:
            return answer
        page = json.loads(answer.body)
        rows = [row for row in page["value"] if last is None or place(row) > place_of(last)]
        if last is not None and not rows:
            answer = dataclasses.replace(answer, headers=self.carried(answer.headers, last))
        return self.spoilt(fault, answer, page, rows, token, behind, last)

    def spoilt(self, fault, answer, page, rows, token, behind, last):
        headers = dict(answer.headers)
        if fault == "empty_page":
            rows, headers = [], self.token_from(headers, behind, last)
        elif fault == "half_token":
            rows, headers = self.until_border(rows, headers, behind)
        elif fault == "repeated_token" and token:
            headers = without_token(headers)
            headers.update({HEADER + name: value for name, value in token.items()})
        body = json.dumps({**page, "value": rows}).encode()
        return dataclasses.replace(answer, body=body, headers=headers)

    def until_border(self, rows, headers, behind):
        """The rows until a partition ends, the last border of the page, and a token behind it."""
        borders = [number for number in range(1, len(rows))
                   if rows[number]["PartitionKey"] != rows[number - 1]["PartitionKey"]]
        if not borders:
            return rows, headers
        kept = rows[:borders[-1]]
        return kept, self.token_from(headers, behind, key_of(kept[-1]))

    def carried(self, headers, last):
        """Headers of a page that ends before `last`: its token, if any, remembers that."""
        behind = {name: value for name in (PARTITION, ROW) for key, value in headers.items()
                  if key.lower() == (HEADER + name).lower()}
        return self.token_from(headers, behind, last) if behind else headers

    def token_from(self, headers, behind, last):
        """Headers with a token that goes on after `last`, and names no row."""
        token = f"proxy!{len(self.given)}"
        self.given[token] = (behind, last)
        return {**without_token(headers), HEADER + PARTITION: token}


def without_token(headers):
    names = {(HEADER + name).lower() for name in (PARTITION, ROW)}
    return {name: value for name, value in headers.items() if name.lower() not in names}


def with_query(path, words):
    query = urllib.parse.urlencode(words, quote_via=urllib.parse.quote)
    return path + ("?" + query if query else "")


def key_of(row):
    return row["PartitionKey"], row["RowKey"]


def place_of(key):
    """Where a key stands in the service's order, which is by UTF-16 code unit."""
    return tuple(part.encode("utf-16-be", "surrogatepass") for part in key)


def place(row):
    return place_of(key_of(row))
