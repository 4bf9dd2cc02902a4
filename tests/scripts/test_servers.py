"""Servers of the tests start, answer and end as tests/servers/README.md says.

Nothing is left running whoever dies; a server that cannot be had is said to be missing, and with
CI set is a failure; a second installation does nothing.
"""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import unittest
from unittest import mock

import program

SERVERS = os.path.join(program.TESTS, "servers")
sys.path.insert(0, SERVERS)
import real_server  # noqa: E402

STEP_SECONDS_MAX = 30


def child_of(process_id):
    with open(f"/proc/{process_id}/task/{process_id}/children", encoding="ascii") as file:
        return int(file.read().split()[0])


def watch(process_id):
    """A file that can be read once the process has ended, whoever's child it is."""
    return os.pidfd_open(process_id)


def has_ended(watched):
    ready, _, _ = select.select([watched], [], [], STEP_SECONDS_MAX)
    os.close(watched)
    return bool(ready)


def listens(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


class Servers(program.ProgramTest):
    def bash(self, words, **environment):
        script = f"set -eu; root={program.ROOT}; source $root/fixtures/prepare.bash; " \
                 f"source $root/tests/servers/prepare.bash; {words}"
        kept = {name: value for name, value in os.environ.items() if name != "CI"}
        return subprocess.run(["bash", "-c", script], capture_output=True, text=True, check=False,
                              env={**kept, **environment})

    def test_each_server_answers_and_is_gone_when_it_is_stopped(self):
        for words in (("dynalite",), ("dynalite", "--proxy"), ("moto",), ("moto", "--proxy")):
            with self.subTest(words):
                server = real_server.Server(*words)
                watched = watch(child_of(server.process.pid))
                self.assertEqual([], server.call("ListTables", {})["TableNames"])
                self.assertEqual([], server.call("ListTables", {},
                                                 server.said["direct"])["TableNames"])
                server.stop()
                self.assertTrue(has_ended(watched))
                self.assertFalse(listens(server.said["port"]))
                self.assertFalse(os.path.exists(server.said["log"]))

    def test_tables_on_disk_are_there_after_a_new_start(self):
        path = self.path("tables")
        with real_server.Server("dynalite", "--path", path) as server:
            server.make_table("kept", pk="S")
        with real_server.Server("dynalite", "--path", path) as server:
            self.assertEqual(["kept"], server.call("ListTables", {})["TableNames"])

    def test_nothing_is_left_when_the_starter_is_killed(self):
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            with self.subTest(number):
                server = real_server.Server("dynalite", "--proxy")
                watched = watch(child_of(server.process.pid))
                server.process.send_signal(number)
                server.process.communicate()
                self.assertEqual(-number if number == signal.SIGKILL else 0,
                                 server.process.returncode)
                self.assertTrue(has_ended(watched))
                os.remove(server.said["log"])

    def test_nothing_is_left_when_the_test_dies(self):
        words = "import real_server, sys; server = real_server.Server('dynalite'); " \
                "print(server.process.pid, server.said['log'], flush=True); sys.stdin.read()"
        with real_server.Server("dynalite"):
            pass   # skips this test where there is none
        with subprocess.Popen([sys.executable, "-c", words], cwd=SERVERS, stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True) as test:
            starter, log = test.stdout.readline().split()
            watched = [watch(int(starter)), watch(child_of(int(starter)))]
            test.kill()
        self.assertEqual([True, True], [has_ended(one) for one in watched])
        self.assertTrue(os.path.exists(log), "the log of a test that failed stays")
        os.remove(log)

    def test_what_is_missing_is_said_and_fails_where_it_must_be_there(self):
        missing = {"IDXFSCK_SERVERS": self.folder}
        for name in ("azurite", "dynalite", "moto"):
            with mock.patch.dict(os.environ, {**missing, "CI": "true"}), \
                    self.assertRaisesRegex(RuntimeError, name):
                real_server.Server(name)
            with mock.patch.dict(os.environ, {**missing, "CI": ""}), \
                    mock.patch("sys.stderr"), self.assertRaisesRegex(unittest.SkipTest, "SKIPPED"):
                real_server.Server(name)

    def test_a_server_that_does_not_start_is_a_failure_and_its_log_stays(self):
        with real_server.Server("dynalite"):
            pass   # skips this test where there is no Node.js
        os.makedirs(self.path("dynamodb"))
        self.write("dynamodb/installed.lock", program.read_bytes(
            os.path.join(SERVERS, "dynamodb", "package-lock.json")).decode())
        with mock.patch.dict(os.environ, {"IDXFSCK_SERVERS": self.folder, "CI": ""}), \
                self.assertRaisesRegex(RuntimeError, "did not start"):
            real_server.Server("dynalite")
        logs = os.listdir(self.path("logs"))
        self.assertEqual(1, len(logs))
        self.assertIn(b"Cannot find module", program.read_bytes(self.path("logs", logs[0])))

    def test_what_is_installed_is_not_installed_again(self):
        for name, pins in (("azurite", "package-lock.json"), ("dynamodb", "package-lock.json"),
                           ("moto", "requirements.txt"), ("node", "package-lock.json")):
            os.makedirs(self.path(name))
            self.write(f"{name}/installed.lock", program.read_bytes(
                os.path.join(SERVERS, name, pins)).decode())
        done = self.bash("node_is_new_enough() { [[ $1 != node ]]; }; "
                         "npm() { echo asked; return 1; }; "
                         "python3() { echo asked; return 1; }; prepare_servers",
                         IDXFSCK_SERVERS=self.folder, CI="true")
        self.assertEqual((0, "", ""), (done.returncode, done.stdout, done.stderr))

    def test_what_cannot_be_installed_is_said_and_fails_where_it_must_be_there(self):
        words = "npm() { return 1; }; python3() { [[ $1 = -c ]]; }; prepare_servers"
        done = self.bash(words, IDXFSCK_SERVERS=self.folder)
        self.assertEqual(0, done.returncode, done.stderr)
        self.assertIn("SKIPPED: moto", done.stderr)
        self.assertIn("SKIPPED: dynalite", done.stderr)
        done = self.bash(words, IDXFSCK_SERVERS=self.folder, CI="true")
        self.assertEqual(1, done.returncode)
        self.assertIn("error: moto could not be installed", done.stderr)
        self.assertEqual(0, self.bash("npm() { return 1; }; prepare_servers", CI="true",
                                      IDXFSCK_SERVERS=self.folder,
                                      IDXFSCK_SKIP_INSTALL="1").returncode)

    def test_pins_are_exact_and_name_no_host(self):
        for folder in ("azurite", "dynamodb", "node"):
            with open(os.path.join(SERVERS, folder, "package.json"), encoding="utf-8") as file:
                package = json.load(file)
            for version in {**package.get("dependencies", {}),
                            **package.get("optionalDependencies", {})}.values():
                self.assertRegex(version, r"^\d+\.\d+\.\d+$")
            lock = program.read_bytes(os.path.join(SERVERS, folder, "package-lock.json")).decode()
            self.assertNotIn('"resolved"', lock)
            packages = json.loads(lock)["packages"]
            self.assertEqual([], [name for name, one in packages.items()
                                  if name and "integrity" not in one])
        pins = program.read_bytes(os.path.join(SERVERS, "moto", "requirements.txt")).decode()
        for line in pins.splitlines():
            self.assertRegex(line, r"^[A-Za-z0-9._-]+==[0-9][0-9a-z.]*$")


if __name__ == "__main__":
    program.main()
