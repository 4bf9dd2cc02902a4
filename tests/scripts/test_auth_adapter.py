"""What auth.js leaves in an Azure table by its ordinary calls is found, mended, and used again.

Method: the adapter itself (npm, 0.6.0) makes 1,000 users with accounts and sessions in azurite,
changes some by calls that do not look after its index rows, and is killed between two writes of
others. Plain loops over the rows, which know nothing of the program, say what is wrong; the program
must find just that, and mend what needs no decision. Then the adapter must find its users again.
"""

import collections
import json
import os
import shutil
import signal
import subprocess
import sys

import live_azure
import program
import real_oracle

SERVERS = os.path.join(program.TESTS, "servers")
sys.path.insert(0, SERVERS)
import azure_table  # noqa: E402
import parts  # noqa: E402
import real_server  # noqa: E402

USERS = 1000
HUNDREDS = USERS // 100
# Calls that are killed: the user, and which writes of the call reach the server, in their order.
# deleteUser writes: account, entry, user, session, entry of the session, entry of the account.
STOPPED = [("createUser", "stopped1@example.com", "1"), ("createUser", "stopped2@example.com", "2"),
           ("linkAccount", "user50@example.com", "1"), ("createSession", "user51@example.com", "1"),
           ("deleteUser", "user52@example.com", "2"), ("deleteUser", "user53@example.com", "3"),
           ("deleteUser", "user54@example.com", "1,4"), ("deleteUser", "user55@example.com", "6"),
           ("unlinkAccount", "user56@example.com", "1")]
# What is wrong then: by the calls of each hundred users, and by those that were killed.
FINDINGS = {("userByEmail", "orphaned_write"): HUNDREDS + 2,
            ("userByEmail", "stale_pointer"): 2 * HUNDREDS + 2,
            ("userByEmail", "divergent_copy"): HUNDREDS,
            ("userByEmail", "duplicate_claim"): HUNDREDS,
            ("accountByUserId", "orphaned_write"): HUNDREDS + 2,
            ("accountByUserId", "stale_pointer"): 2,
            ("sessionByUserId", "orphaned_write"): 4 * HUNDREDS,
            ("sessionByUserId", "stale_pointer"): 2 * HUNDREDS + 1}


def adapter_words(mode, endpoint, table, *words):
    return [parts.node(), os.path.join(SERVERS, "auth_writer.mjs"), mode,
            parts.installed("azurite"), endpoint, table, *map(str, words)]


def adapter(*words):
    """Runs the adapter's writer; its process."""
    return subprocess.Popen(adapter_words(*words), stderr=subprocess.PIPE, text=True)


def ended(process, code=0):
    """Waits for the writer, which must end so."""
    said = process.communicate(timeout=300)[1]
    if process.returncode != code:
        raise AssertionError(f"{process.args[3:]}: status {process.returncode}\n{said}")


def write(endpoint, table, users=USERS, stopped=()):
    """Users whom the adapter makes and changes, some of its calls killed."""
    ended(adapter("write", endpoint, table, users))
    for process in [adapter("stop", endpoint, table, *words) for words in stopped]:
        ended(process, -signal.SIGKILL)


def counted(lines):
    return collections.Counter((line["index"], line["kind"]) for line in map(json.loads, lines))


class AuthAdapter(program.ProgramTest):
    def load(self, rows):
        lines = "".join(json.dumps(row) + "\n" for row in rows)
        self.run_program("load", "auth.idxfsck", "auth", self.write("rows.ndjson", lines),
                         "--key", "PartitionKey,RowKey", code=0)

    def dumped(self):
        lines = self.run_program("dump", "auth.idxfsck", "auth", "--shape", "azure", code=0)
        return [json.loads(line) for line in lines.output.splitlines()]

    def test_what_the_adapter_leaves_is_found_and_mended_and_its_users_are_found_again(self):
        shutil.copy(os.path.join(program.ROOT, "fixtures", "specs", "auth-azure.toml"), self.folder)
        with real_server.Server("azurite") as server:
            write(server.endpoint, "auth", stopped=STOPPED)
            rows = azure_table.rows(server.endpoint, "auth")
            key = real_oracle.findings("auth-azure", rows)
            self.assertEqual(FINDINGS, counted(key))
            self.load(rows)
            self.run_program("audit", "auth-azure.toml", "--out", "out", code=4)
            self.run_program("audit", "auth-azure.toml", "--out", "out", "--expect",
                             self.write("key.ndjson", "\n".join(key) + "\n"), code=0)
            with self.assertRaises(AssertionError):
                ended(adapter("use", server.endpoint, "auth"))

            self.run_program("plan", "out", code=4)
            # Two users with one address are left for a person.
            self.run_program("repair", "out/plan.ndjson", "--apply", code=4)
            azure_table.make_table(server.endpoint, "mended", self.dumped())
            ended(adapter("use", server.endpoint, "mended"))
            left = real_oracle.findings("auth-azure",
                                        azure_table.rows(server.endpoint, "mended"))
            self.assertEqual({("userByEmail", "duplicate_claim"): HUNDREDS}, counted(left))

    def test_the_same_on_the_live_table(self):
        with real_server.Server("azurite") as server:
            write(server.endpoint, "auth", users=200)
            self.write("auth.toml", live_azure.live_spec("specs/auth-azure.toml", server.endpoint))
            key = real_oracle.findings("auth-azure", azure_table.rows(server.endpoint, "auth"))
            self.assertEqual(24, len(key))

            def run(*words, code):
                self.run_program(*words, code=code, environment=live_azure.NO_ACCOUNTS)

            run("audit", "auth.toml", "--out", "out", code=4)
            run("audit", "auth.toml", "--out", "out", "--expect",
                self.write("key.ndjson", "\n".join(key) + "\n"), code=0)
            run("plan", "out", code=4)
            run("repair", "out/plan.ndjson", "--apply", code=4)
            left = real_oracle.findings("auth-azure", azure_table.rows(server.endpoint, "auth"))
            self.assertEqual({("userByEmail", "duplicate_claim"): 2}, counted(left))
            ended(adapter("use", server.endpoint, "auth"))


if __name__ == "__main__":
    program.main()
