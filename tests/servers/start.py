"""Starts a server for a test and stops it: start.py dynalite [--proxy].

The server listens on a free port of loopback. The first line on standard output is JSON, written
once the server answers: {"endpoint": "http://127.0.0.1:41234", "port": 41234, ...}, or
{"missing": "why"} where it cannot be had. From then on each line on standard input is a JSON
object with an order, and is answered by one line of JSON; README.md lists the orders. When
standard input ends, or on SIGTERM, the server is stopped and its log removed, unless the last
order was not {"passed": true}: then the log stays for whoever looks into the failure.
"""

import argparse
import asyncio
import contextlib
import json
import os
import signal
import sys
import tempfile
import threading

import parts
from fault_proxy.azure_service import AzureProxy
from fault_proxy.service import FaultProxy

READY_SECONDS_MAX = 60
STOP_SECONDS_MAX = 5


class Running:
    """A server's process, which ends with its standard input; `port` is where it listens."""

    def __init__(self, process, port):
        self.process, self.port = process, port

    async def stop(self):
        self.process.stdin.close()
        try:
            await asyncio.wait_for(self.process.wait(), STOP_SECONDS_MAX)
        except asyncio.TimeoutError:
            await kill(self.process)


async def kill(process):
    """Ends a process that may have ended by itself meanwhile."""
    with contextlib.suppress(ProcessLookupError):
        process.kill()
    await process.wait()


async def run(part, log):
    """Starts a part and waits until it has said its port and takes connections there."""
    process = await asyncio.create_subprocess_exec(
        *part.words, stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, stderr=log,
        env={**os.environ, **part.environment})
    try:
        port = await asyncio.wait_for(first_port(process, part), READY_SECONDS_MAX)
        _, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.close()
    except (asyncio.TimeoutError, OSError, ValueError) as error:
        await kill(process)
        raise parts.Broken(f"{part.words[0]} did not start: {error!r}") from error
    return Running(process, port)


async def first_port(process, part):
    while line := await process.stdout.readline():
        if match := part.port_line.search(line.decode("utf-8", "replace")):
            return int(match[1])
    raise ValueError("it ended without naming its port")


def answer(order, proxy):
    """Does what the order says. A plain server takes none but the end."""
    if order.get("passed"):
        return {"passed": True}
    try:
        return proxy.order(order) if proxy else {"error": "no such order"}
    except (ValueError, TypeError, AttributeError) as error:
        return {"error": str(error)}


class Orders:
    """The lines of standard input, whatever it is, until its end or a signal."""

    def __init__(self):
        self.loop, self.lines = asyncio.get_running_loop(), asyncio.Queue()
        for number in (signal.SIGTERM, signal.SIGINT):
            self.loop.add_signal_handler(number, self.lines.put_nowait, None)
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        # Not by sys.stdin: a thread that waits in there stands in the way of the program's end.
        rest = b""
        while got := os.read(0, 1 << 16):
            *whole, rest = (rest + got).split(b"\n")
            for line in whole:
                self.give(line)
        self.give(None)

    def give(self, line):
        with contextlib.suppress(RuntimeError):   # the loop has ended: so has the need for lines
            self.loop.call_soon_threadsafe(self.lines.put_nowait, line)

    async def each(self):
        while (line := await self.lines.get()) is not None:
            yield line


def say(words):
    sys.stdout.write(json.dumps(words) + "\n")
    sys.stdout.flush()


def proxy_before(part, port, log):
    if part.speaks_azure:
        return AzureProxy(port, log)
    return FaultProxy(port, not part.has_transactions, log)


async def serve(part, with_proxy, log):
    """Runs the server until standard input ends; true if the test said that it passed."""
    orders = Orders()   # before anything is said: a signal may come at once
    running = await run(part, log)
    proxy = proxy_before(part, running.port, log) if with_proxy else None
    passed = False
    try:
        port = await proxy.start() if proxy else running.port
        say({"endpoint": f"http://127.0.0.1:{port}", "port": port,
             "direct": f"http://127.0.0.1:{running.port}", "log": log.name})
        async for line in orders.each():
            order = json.loads(line)
            passed = bool(order.get("passed"))
            say(answer(order, proxy))
    finally:
        if proxy:
            proxy.stop()
        await running.stop()
    return passed


def open_log(name):
    folder = os.path.join(parts.built_folder(), "logs")
    os.makedirs(folder, exist_ok=True)
    return tempfile.NamedTemporaryFile("w", prefix=f"{name}-", suffix=".log", dir=folder,
                                       delete=False)


def parsed(words):
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("part", choices=parts.NAMES)
    parser.add_argument("--proxy", action="store_true", help="the fault proxy before it")
    parser.add_argument("--path", help="folder for the data; in memory without it")
    return parser.parse_args(words)


def main(words):
    options = parsed(words)
    try:
        part = parts.find(options)
    except parts.Missing as missing:
        say({"missing": str(missing)})
        return 0
    with open_log(options.part) as log:
        passed = False
        try:
            passed = asyncio.run(serve(part, options.proxy, log))
        except parts.Broken as broken:
            say({"broken": str(broken), "log": log.name})
            return 1
        except BrokenPipeError:
            pass
    if passed:
        os.remove(log.name)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
