"""What a request to Azure's table service is about: operation, table, key, and the writes in it.

Operations are named QueryEntities, GetEntity, InsertEntity, UpdateEntity (PUT), MergeEntity,
DeleteEntity, Batch, QueryTables, CreateTable and DeleteTable.

Source   "Table service REST API", Azure storage services REST documentation. Paths begin with the
         account, as the emulator's do.
"""

import email
import json
import re
import urllib.parse

KEY = re.compile(r"\(PartitionKey='((?:[^']|'')*)',\s*RowKey='((?:[^']|'')*)'\)$")
PLACE = re.compile(r"(?:https?://[^/]+)?/[^/]+/([^/(]*)(\(.*\))?$", re.DOTALL)
BY_METHOD = {"PUT": "UpdateEntity", "MERGE": "MergeEntity", "PATCH": "MergeEntity",
             "DELETE": "DeleteEntity", "POST": "InsertEntity"}
TABLES = {"GET": "QueryTables", "POST": "CreateTable", "DELETE": "DeleteTable"}
WRITES = set(BY_METHOD.values())


class About:
    """One request, or one operation of a batch: `key` is (PartitionKey, RowKey) or nothing."""

    def __init__(self, method, path, headers, body):
        self.path, _, self.query = path.partition("?")
        self.body = body
        self.table, self.key = None, None
        if urllib.parse.unquote(self.path).endswith("/$batch"):
            self.operation = "Batch"
            return
        match = PLACE.match(urllib.parse.unquote(self.path))
        self.table = match[1] if match else None
        method = headers.get("x-http-method", method)
        if self.table == "Tables":
            self.operation, self.table = TABLES.get(method, method), None
            return
        key = KEY.match(match[2]) if match and match[2] else None
        if key:
            self.key = tuple(part.replace("''", "'") for part in key.groups())
        if method == "GET":
            self.operation = "GetEntity" if key else "QueryEntities"
        else:
            self.operation = BY_METHOD.get(method, method)
        if self.operation == "InsertEntity":
            row = object_of(body)
            self.key = (row.get("PartitionKey"), row.get("RowKey"))


def about(request):
    return About(request.method, request.path, request.headers, request.body)


def object_of(body):
    """A JSON object; an empty one if it is none: the server behind will say so."""
    try:
        words = json.loads(body)
    except ValueError:
        return {}
    return words if isinstance(words, dict) else {}


def operations_of(content_type, body):
    """The operations of a batch, each as what it would be by itself."""
    found = []
    for text in http_parts(content_type, body):
        head, _, inner = text.partition(b"\r\n\r\n")
        first, *lines = head.decode("utf-8", "replace").split("\r\n")
        words = first.split(" ")
        headers = {name.strip().lower(): value.strip()
                   for name, _, value in (line.partition(":") for line in lines)}
        if len(words) == 3:
            found.append(About(words[0], words[1], headers, inner.strip()))
    return found


def http_parts(content_type, body):
    """The requests or answers in a multipart body, in order, however deep they are nested."""
    whole = b"content-type: " + content_type.encode() + b"\r\n\r\n" + body
    return [part.get_payload(decode=True).lstrip() for part in
            email.message_from_bytes(whole).walk() if part.get_content_type() == "application/http"]
