"""HTTP/1.1 as DynamoDB speaks it: bodies of known length, connections kept open.

Reads requests and answers byte by byte from asyncio's streams, and not by a library, because the
proxy must be able to break each part of an answer.
"""

import asyncio
import dataclasses
import time
import uuid
import zlib
from email.utils import formatdate

HEAD_BYTES_MAX = 1 << 16
BODY_BYTES_MAX = 1 << 25
# Node.js closes a connection that was idle for five seconds; one as old as that is not used again,
# so that no request meets a connection that is being closed and would have to be sent twice.
IDLE_SECONDS_MAX = 2

# What is of one connection, or said anew because the body may be another.
NOT_HANDED_ON = {"connection", "keep-alive", "transfer-encoding", "content-length", "date",
                 "server", "x-amz-crc32"}
REASONS = {200: "OK", 400: "Bad Request", 403: "Forbidden", 404: "Not Found",
           413: "Payload Too Large", 500: "Internal Server Error", 502: "Bad Gateway",
           503: "Service Unavailable"}


@dataclasses.dataclass
class Request:
    method: str
    path: str
    headers: dict  # names in lower case
    body: bytes

    @property
    def operation(self):
        """PutItem, Scan and so on; for what is not DynamoDB's, the method."""
        return self.headers.get("x-amz-target", self.method).rpartition(".")[2]


@dataclasses.dataclass
class Answer:
    status: int
    body: bytes
    headers: dict = dataclasses.field(default_factory=dict)

    def head(self):
        """The status line and the headers: the given ones, and those that they leave out. One
        that is given as nothing is left out."""
        headers = {"server": "Server", "date": formatdate(usegmt=True),
                   "content-type": "application/x-amz-json-1.0",
                   "content-length": str(len(self.body)),
                   "x-amzn-requestid": uuid.uuid4().hex.upper(),
                   "x-amz-crc32": str(zlib.crc32(self.body)), **self.headers}
        lines = [f"HTTP/1.1 {self.status} {REASONS.get(self.status, 'Status')}"]
        lines += [f"{name}: {value}" for name, value in headers.items() if value is not None]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


class Malformed(Exception):
    """What came is no HTTP that this file understands."""


async def read_head(reader):
    """The first line and the headers, or nothing if the connection ended before them."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError as error:
        if error.partial:
            raise Malformed("cut off in the headers") from error
        return None, {}
    except asyncio.LimitOverrunError as error:
        raise Malformed("headers too long") from error
    first, *lines = head[:-4].decode("latin-1").split("\r\n")
    headers = {}
    for line in lines:
        name, colon, value = line.partition(":")
        if not colon:
            raise Malformed(f"no header: {line!r}")
        headers[name.strip().lower()] = value.strip()
    return first, headers


async def read_body(reader, headers):
    if headers.get("transfer-encoding", "").lower() == "chunked":
        return await read_chunks(reader)
    size = int(headers.get("content-length", "0"))
    if size > BODY_BYTES_MAX:
        raise Malformed("body too long")
    return await reader.readexactly(size)


async def read_chunks(reader):
    body = b""
    while True:
        size = int((await reader.readline()).split(b";")[0], 16)
        if size + len(body) > BODY_BYTES_MAX:
            raise Malformed("body too long")
        chunk = await reader.readexactly(size + 2)
        if size == 0:
            return body
        body += chunk[:-2]


async def read_request(reader, writer):
    """The next request, or nothing at the end of the connection."""
    first, headers = await read_head(reader)
    if first is None:
        return None
    words = first.split(" ")
    if len(words) != 3:
        raise Malformed(f"no request: {first!r}")
    if headers.get("expect", "").lower() == "100-continue":
        writer.write(b"HTTP/1.1 100 Continue\r\n\r\n")
    return Request(words[0], words[1], headers, await read_body(reader, headers))


class Upstream:
    """Connections to the server behind the proxy, kept for the next request."""

    def __init__(self, port):
        self.port = port
        self.idle = []

    async def send(self, request):
        reader, writer = await self.connection()
        try:
            answer = await exchange(reader, writer, request, self.port)
        except BaseException:
            writer.close()
            raise
        self.idle.append((reader, writer, time.monotonic()))
        return answer

    async def connection(self):
        while self.idle:
            reader, writer, since = self.idle.pop()
            if time.monotonic() - since < IDLE_SECONDS_MAX and not reader.at_eof():
                return reader, writer
            writer.close()
        return await asyncio.open_connection("127.0.0.1", self.port, limit=HEAD_BYTES_MAX)

    def close(self):
        for _, writer, _ in self.idle:
            writer.close()


async def exchange(reader, writer, request, port):
    kept = {name: value for name, value in request.headers.items()
            if name not in ("connection", "expect", "transfer-encoding", "content-length",
                            "accept-encoding", "host")}
    headers = {"host": f"127.0.0.1:{port}", **kept, "content-length": str(len(request.body))}
    lines = [f"{request.method} {request.path} HTTP/1.1"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    writer.write(("\r\n".join(lines) + "\r\n\r\n").encode("latin-1") + request.body)
    first, answered = await read_head(reader)
    if first is None:
        raise Malformed("the server behind closed the connection")
    body = await read_body(reader, answered)
    handed_on = {name: value for name, value in answered.items() if name not in NOT_HANDED_ON}
    return Answer(int(first.split(" ")[1]), body, handed_on)
