"""How an answer reaches the client: whole, or spoilt as a rule says."""

import asyncio
import dataclasses
import socket
import struct
import time
import zlib
from email.utils import formatdate

from .wire import Answer

SLOW_CHUNK_BYTES = 64
SLOW_PAUSE_MS = 2


async def deliver(rule, answer, reader, writer):
    """Sends the answer. True if the connection may be used again."""
    fault = rule.fault if rule else None
    if rule and rule.setting("date_offset_seconds"):
        answer = dated(answer, rule.setting("date_offset_seconds"))
    if fault in WHOLE:
        answer = WHOLE[fault](answer, rule)
    elif fault in BROKEN:
        await BROKEN[fault](answer, rule, reader, writer)
        return False
    if fault == "slow":
        await send_slowly(answer, rule, writer)
    else:
        writer.write(answer.head() + answer.body)
    await writer.drain()
    return True


def with_headers(answer, **headers):
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return dataclasses.replace(answer, headers={**answer.headers, **named})


def dated(answer, offset_seconds):
    return with_headers(answer, date=formatdate(time.time() + offset_seconds, usegmt=True))


def beginning(answer, rule):
    """The part of the body that is sent: as many bytes as the rule says, or half of them."""
    return answer.body[:rule.setting("bytes", len(answer.body) // 2)]


def truncated(answer, rule):
    """Half of the body as if it were all of it; the checksum is of the whole unless told."""
    half = Answer(answer.status, beginning(answer, rule), answer.headers)
    has_none = answer.headers.get("x-amz-crc32", "") is None   # of another service
    if has_none or rule.setting("right_checksum"):
        return half
    return with_headers(half, x_amz_crc32=str(zlib.crc32(answer.body)))


# Answers that come whole, and are wrong.
WHOLE = {
    "truncated": truncated,
    "not_json": lambda answer, rule: Answer(answer.status, b"<html>Gateway</html>",
                                            {"content-type": "text/html", "x-amz-crc32": None}),
    "bad_checksum": lambda answer, rule: with_headers(
        answer, x_amz_crc32=str(zlib.crc32(answer.body) ^ 1)),
}


async def drop(_answer, _rule, _reader, writer):
    writer.close()


async def hang(_answer, _rule, reader, _writer):
    while await reader.read(1 << 16):
        pass


async def cut(answer, rule, _reader, writer):
    writer.write(answer.head() + beginning(answer, rule))
    await writer.drain()


async def reset(answer, rule, reader, writer):
    await cut(answer, rule, reader, writer)
    # A connection that is closed with a linger of nothing is reset.
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER,
                                               struct.pack("ii", 1, 0))
    writer.transport.abort()


async def too_long(answer, _rule, _reader, writer):
    """Says ten bytes more than come."""
    writer.write(with_headers(answer, content_length=str(len(answer.body) + 10)).head())
    writer.write(answer.body)
    await writer.drain()


async def too_short(answer, _rule, _reader, writer):
    """Says half of the bytes that come."""
    writer.write(with_headers(answer, content_length=str(len(answer.body) // 2)).head())
    writer.write(answer.body)
    await writer.drain()


# Answers after which the connection ends.
BROKEN = {"drop": drop, "hang": hang, "cut": cut, "reset": reset, "too_long": too_long,
          "too_short": too_short}


async def send_slowly(answer, rule, writer):
    size = rule.setting("chunk_bytes", SLOW_CHUNK_BYTES)
    data = answer.head() + answer.body
    for begin in range(0, len(data), size):
        writer.write(data[begin:begin + size])
        await writer.drain()
        await asyncio.sleep(rule.setting("pause_ms", SLOW_PAUSE_MS) / 1000)
