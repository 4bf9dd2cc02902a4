"""Signed requests to Azure's table service, as azurite takes them: SharedKeyLite.

Source   "Authorize with Shared Key", Azure storage services REST documentation. The account and its
         key are the ones that the emulator publishes.
"""

import base64
import email.utils
import hmac
import http.client
import json
import urllib.parse

ACCOUNT = "devstoreaccount1"
KEY = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
BATCH = 100
TOKENS = {"x-ms-continuation-nextpartitionkey": "NextPartitionKey",
          "x-ms-continuation-nextrowkey": "NextRowKey"}


def signed(path, key=KEY):
    """The headers of a request to a path below the account."""
    date = email.utils.formatdate(usegmt=True)
    text = f"{date}\n/{ACCOUNT}/{ACCOUNT}{path}"
    signature = base64.b64encode(hmac.digest(base64.b64decode(key), text.encode(), "sha256"))
    return {"x-ms-date": date, "x-ms-version": "2019-02-02",
            "authorization": f"SharedKeyLite {ACCOUNT}:{signature.decode()}",
            "accept": "application/json;odata=minimalmetadata", "content-type": "application/json"}


def exchange(endpoint, method, path, body=None, query="", headers=None, key=KEY,
             timeout_seconds=60):
    """Status, headers by names in lower case, and the bytes of the body."""
    place = urllib.parse.urlsplit(endpoint)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=timeout_seconds)
    try:
        connection.request(method, f"/{ACCOUNT}{path}{'?' if query else ''}{query}", body,
                           {**signed(path, key), **(headers or {})})
        answer = connection.getresponse()
        body = answer.read()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, body
    finally:
        connection.close()


def request(endpoint, method, path, words=None, query="", headers=None, key=KEY):
    """Status, headers by names in lower case, and the JSON (or nothing) that came."""
    status, answered, body = exchange(endpoint, method, path,
                                      None if words is None else json.dumps(words), query, headers,
                                      key)
    return status, answered, json.loads(body) if body.startswith(b"{") else None


def pages(endpoint, table, top=None, pages_max=1000):
    """The pages of a whole table: (rows, the words of the token that follows)."""
    token = {}
    for _ in range(pages_max):
        query = urllib.parse.urlencode({**({"$top": top} if top else {}), **token},
                                       quote_via=urllib.parse.quote)
        status, headers, said = request(endpoint, "GET", f"/{table}()", query=query)
        if status != 200:
            raise ValueError(f"{table}: {status} {said}")
        token = {TOKENS[name]: headers[name] for name in TOKENS if name in headers}
        yield said["value"], token
        if not token:
            return


def rows(endpoint, table):
    """Every row of a table."""
    return [row for page, _ in pages(endpoint, table) for row in page]


def make_table(endpoint, table, rows_of_it=()):
    """A table with these rows: those of a partition in batches."""
    status, _, said = request(endpoint, "POST", "/Tables", {"TableName": table})
    if status != 201:
        raise ValueError(f"{table}: {status} {said}")
    partitions = {}
    for row in rows_of_it:
        partitions.setdefault(row["PartitionKey"], []).append(row)
    for members in partitions.values():
        for begin in range(0, len(members), BATCH):
            inserted = [("POST", f"/{table}", row) for row in members[begin:begin + BATCH]]
            statuses = batch(endpoint, inserted)
            if set(statuses) != {204}:
                raise ValueError(f"{table}: {statuses}")


def batch_body(operations):
    """The body of a batch: (method, path, words) of each; a write is guarded by any version."""
    lines = ["--batch_1", "Content-Type: multipart/mixed; boundary=changeset_1", ""]
    for method, path, words in operations:
        lines += ["--changeset_1", "Content-Type: application/http",
                  "Content-Transfer-Encoding: binary", "",
                  f"{method} http://127.0.0.1/{ACCOUNT}{path} HTTP/1.1",
                  "Content-Type: application/json", "Accept: application/json;odata=nometadata",
                  *(["If-Match: *"] if method != "POST" else ["Prefer: return-no-content"]), "",
                  json.dumps(words) if words is not None else ""]
    return "\r\n".join([*lines, "--changeset_1--", "--batch_1--", ""]).encode()


def batch(endpoint, operations):
    """The statuses that the answer to a batch holds; those of its head where it is refused."""
    status, _, body = exchange(endpoint, "POST", "/$batch", batch_body(operations),
                               headers={"content-type": "multipart/mixed; boundary=batch_1"})
    inner = [int(line.split()[1]) for line in body.splitlines() if line.startswith(b"HTTP/1.1 ")]
    return inner if status == 202 else [status]
