"""A real server for a test in Python, and a small client that signs its requests.

    with real_server.Server("dynalite", "--proxy") as server:
        server.call("ListTables", {})

Server throws unittest.SkipTest where the server cannot be had, and an error where CI is set.
"""

import http.client
import json
import os
import subprocess
import sys
import unittest
import urllib.parse
import zlib

from fault_proxy import signature, wire

START = os.path.join(os.path.dirname(os.path.abspath(__file__)), "start.py")
CREDENTIALS = signature.Credentials("AKIDEXAMPLE", "test-secret")


class ServiceError(Exception):
    """An answer of the server's other than 200: status, type without its namespace, all it said."""

    def __init__(self, status, said):
        self.status, self.said = status, said
        self.kind = said.get("__type", "").rpartition("#")[2]
        self.message = said.get("message", said.get("Message", ""))
        super().__init__(f"{status} {self.kind}: {self.message}")


class Server:
    def __init__(self, *words):
        self.process = subprocess.Popen([sys.executable, START, *words], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)
        self.said = json.loads(self.process.stdout.readline() or '{"broken": "it ended"}')
        if "endpoint" not in self.said:
            self.process.communicate()
            if "missing" in self.said and not os.environ.get("CI"):
                print(f"SKIPPED: {self.said['missing']}", file=sys.stderr)
                raise unittest.SkipTest(f"SKIPPED: {self.said['missing']}")
            raise RuntimeError(f"no {words[0]}: {self.said}")
        self.endpoint = self.said["endpoint"]
        self.failed = False   # a test that used it: then its log stays

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        self.stop(passed=kind is None)

    def stop(self, passed=True):
        if passed and not self.failed:
            self.ask(passed=True)
        self.process.communicate()

    def ask(self, **order):
        """Gives an order, such as plan={...} or counts=True."""
        self.process.stdin.write(json.dumps(order) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def plan(self, *rules, seed=1):
        answer = self.ask(plan={"seed": seed, "faults": list(rules)})
        if "error" in answer:
            raise ValueError(answer["error"])

    def call(self, operation, words, endpoint=None):
        """One signed request on a connection of its own. Throws ServiceError."""
        status, headers, body = exchange(endpoint or self.endpoint, operation, words)
        if "x-amz-crc32" in headers and int(headers["x-amz-crc32"]) != zlib.crc32(body):
            raise ValueError("the checksum of the answer is wrong")
        if status != 200:
            raise ServiceError(status, json.loads(body) if body.startswith(b"{") else {})
        return json.loads(body)

    def make_table(self, name, **keys):
        """A table with these key attributes and their types: pk="S", sk="N". Waits for it."""
        self.call("CreateTable", {
            "TableName": name, "BillingMode": "PAY_PER_REQUEST",
            "KeySchema": [{"AttributeName": key, "KeyType": kind}
                          for key, kind in zip(keys, ("HASH", "RANGE"))],
            "AttributeDefinitions": [{"AttributeName": key, "AttributeType": kind}
                                     for key, kind in keys.items()]})
        while self.call("DescribeTable", {"TableName": name})["Table"]["TableStatus"] != "ACTIVE":
            pass


class ServerTest(unittest.TestCase):
    """Tests that share `server`, of their class or their own; its log stays if one fails."""
    server = None

    def run(self, result=None):
        before = len(result.failures) + len(result.errors)
        super().run(result)
        if self.server and len(result.failures) + len(result.errors) > before:
            self.server.failed = True
        return result


def exchange(endpoint, operation, words, timeout_seconds=60):
    """Status, headers by names in lower case, and the bytes of the body."""
    body = json.dumps(words).encode()
    place = urllib.parse.urlsplit(endpoint)
    connection = http.client.HTTPConnection(place.hostname, place.port, timeout=timeout_seconds)
    try:
        connection.request("POST", "/", body, signed(place.netloc, operation, body))
        answer = connection.getresponse()
        headers = {name.lower(): value for name, value in answer.getheaders()}
        return answer.status, headers, answer.read()
    finally:
        connection.close()


def signed(host, operation, body, now=None, credentials=CREDENTIALS):
    """The headers of a request, signed as AWS Signature Version 4 says."""
    now = now or signature.utc_now()
    headers = {"content-type": "application/x-amz-json-1.0", "host": host,
               "x-amz-date": now.strftime(signature.DATE_FORMAT),
               "x-amz-target": f"DynamoDB_20120810.{operation}"}
    if credentials.session_token:
        headers["x-amz-security-token"] = credentials.session_token
    names = sorted(headers)
    scope = f"{now:%Y%m%d}/{credentials.region}/dynamodb/aws4_request"
    digits = signature.signature_of(wire.Request("POST", "/", headers, body), names, scope,
                                    credentials.secret_key)
    headers["authorization"] = f"{signature.ALGORITHM} Credential={credentials.access_key}/" \
                               f"{scope}, SignedHeaders={';'.join(names)}, Signature={digits}"
    return headers
