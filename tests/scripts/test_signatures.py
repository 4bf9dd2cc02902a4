"""The fault proxy checks signatures as DynamoDB does, once a test has set the credentials.

Method: requests signed by curl, by AWS's own library (test_onetable.py), and by this project's own
few lines must pass; each thing that may be wrong with one is refused in the service's words.
"""

import datetime
import email.utils
import http.client
import json
import os
import shutil
import subprocess
import sys
import unittest

import program

sys.path.insert(0, os.path.join(program.TESTS, "servers"))
import real_server  # noqa: E402
from fault_proxy.signature import Credentials, utc_now  # noqa: E402

RIGHT = Credentials("AKIDRIGHT", "a secret/with+signs", "eu-west-1")
TEMPORARY = Credentials("ASIARIGHT", "another", "eu-west-1", "session/token==")
# What is wrong, and how the answer begins.
WRONG = {
    "another secret": ({"secret_key": "other"}, "InvalidSignatureException: The request signature"),
    "another key": ({"access_key": "AKIDOTHER"}, "UnrecognizedClientException: The security token"),
    "another region": ({"region": "us-west-9"},
                       "InvalidSignatureException: Credential should be scoped to a valid region"),
    "a token too many": ({"session_token": "x"}, "UnrecognizedClientException"),
}


class Signatures(real_server.ServerTest):
    @classmethod
    def setUpClass(cls):
        cls.server = real_server.Server("dynalite", "--proxy")
        cls.addClassCleanup(cls.server.stop)

    def setUp(self):
        self.order(RIGHT)
        self.server.ask(clock_offset_seconds=0)

    def order(self, credentials):
        self.assertEqual({"done": True}, self.server.ask(credentials=vars(credentials)))

    def send(self, credentials, now=None, sent=None, left_out=()):
        """Signs a request, sends another body if told, and gives what came: type, words, Date."""
        host = f"127.0.0.1:{self.server.said['port']}"
        headers = real_server.signed(host, "ListTables", b"{}", now, credentials)
        connection = http.client.HTTPConnection(host, timeout=20)
        connection.request("POST", "/", sent or b"{}", {
            name: value for name, value in headers.items() if name not in left_out})
        answer = connection.getresponse()
        said = json.loads(answer.read())
        connection.close()
        return (said.get("__type", "").rpartition("#")[2] + ": " + said.get("message", ""),
                answer.getheader("date"))

    def test_what_is_signed_rightly_passes(self):
        self.assertEqual(": ", self.send(RIGHT)[0])
        self.order(TEMPORARY)
        self.assertEqual(": ", self.send(TEMPORARY)[0])

    def test_what_is_wrong_is_refused(self):
        for name, (change, begins) in WRONG.items():
            with self.subTest(name):
                said, _ = self.send(Credentials(**{**vars(RIGHT), **change}))
                self.assertEqual(begins, said[:len(begins)])
        self.assertIn("InvalidSignatureException", self.send(RIGHT, sent=b'{"Limit": 1}')[0])
        said, _ = self.send(RIGHT, left_out=("authorization",))
        self.assertIn("UnrecognizedClientException", said)
        self.order(TEMPORARY)
        said, _ = self.send(Credentials(**{**vars(TEMPORARY), "session_token": "old"}))
        self.assertIn("UnrecognizedClientException", said)

    def test_a_clock_that_is_off_is_refused_and_the_date_of_the_answer_mends_it(self):
        for seconds, words in ((1200, "Signature expired"), (-1200, "Signature not yet current")):
            self.server.ask(clock_offset_seconds=seconds)
            said, date = self.send(RIGHT)
            self.assertIn(f"InvalidSignatureException: {words}", said)
            then = email.utils.parsedate_to_datetime(date).replace(tzinfo=None)
            self.assertEqual(": ", self.send(RIGHT, now=then)[0])
        self.server.ask(clock_offset_seconds=0)
        now = utc_now()
        for minutes, passes in ((-6, False), (-4, True), (4, True), (6, False)):
            said, _ = self.send(RIGHT, now=now + datetime.timedelta(minutes=minutes))
            self.assertEqual(passes, said == ": ", f"{minutes} minutes: {said}")

    @unittest.skipUnless(shutil.which("curl") or os.environ.get("CI"), "SKIPPED: no curl")
    def test_what_curl_signs_passes(self):
        for credentials, change in ((RIGHT, {}), (TEMPORARY, {}), (RIGHT, {"secret_key": "no"})):
            self.order(credentials)
            used = Credentials(**{**vars(credentials), **change})
            token = ["-H", f"X-Amz-Security-Token: {used.session_token}"] \
                if used.session_token else []
            done = subprocess.run(
                ["curl", "--silent", "--noproxy", "*", "-X", "POST", self.server.endpoint + "/",
                 "--aws-sigv4", f"aws:amz:{used.region}:dynamodb",
                 "--user", f"{used.access_key}:{used.secret_key}",
                 "-H", "Content-Type: application/x-amz-json-1.0",
                 "-H", "X-Amz-Target: DynamoDB_20120810.ListTables", *token, "-d", "{}"],
                capture_output=True, text=True, check=True)
            self.assertEqual(not change, "TableNames" in json.loads(done.stdout), done.stdout)


if __name__ == "__main__":
    program.main()
