"""A disk that is full or read-only: a clear message, exit 8, and no write that is not journalled.

Method: small file systems in memory (tmpfs) for the folder of the audit or for the store, filled up
to a few kilobytes, or mounted again as read-only. Afterwards there is room again, and the command
is run once more: its end must be that of a run on a disk without end. Without the right to mount,
all of it is skipped aloud; test_bad_input.py then still has a limit on the size of files.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess

import program

PAGE = 4096
WORLD = ["--rows", 1500, "--indexes", "unique,pointer_less", "--drift",
         "orphaned_write=60,base_missing=20,value_changed=10"]
TABLES = ["Users", "UsersByEmail", "HandleClaims"]
FULL = r"(?i)no space left"
READ_ONLY = r"(?i)read-only"


class Disk(program.ProgramTest):
    def setUp(self):
        super().setUp()
        self.run_program("seed", "world", *WORLD, code=0)
        self.before = self.dumps()
        os.mkdir(self.path("disk"))
        self.mount("-t", "tmpfs", "-o", "size=64m,mode=0700", "tmpfs", self.path("disk"))
        self.addCleanup(subprocess.run, ["umount", "-l", self.path("disk")], check=False)

    def mount(self, *words):
        try:
            done = subprocess.run(["mount", *words], capture_output=True, check=False)
            refused = done.returncode != 0 and done.stderr.decode()
        except FileNotFoundError as error:
            refused = str(error)
        if refused:
            self.skipTest(f"SKIPPED: no file system can be mounted here: {refused}")

    def remount(self, options):
        self.mount("-o", f"remount,{options}", self.path("disk"))

    @contextlib.contextmanager
    def filled(self, left):
        """Leaves so many bytes, in whole pages, on the disk, and then makes room again."""
        room = os.statvfs(self.path("disk"))
        size = room.f_bavail * room.f_bsize - left
        with open(self.path("disk/filler"), "xb") as file:
            file.write(b"\0" * size)
        try:
            yield
        finally:
            os.remove(self.path("disk/filler"))

    def dumps(self, store="world/store"):
        return [self.run_program("dump", store, table, code=0).output for table in TABLES]

    def assert_fails(self, result, words):
        self.assertEqual(8, result.code & 8, str(result))
        self.assertLess(result.code, 64, str(result))
        self.assertRegex(result.error + result.output, words)
        self.assertNotIn("bug", result.error)

    def plan_on_disk(self):
        self.run_program("audit", "world/spec.toml", "--out", "disk/out", code=4)
        self.run_program("plan", "disk/out", code=4)

    def test_an_audit_leaves_the_result_before_it(self):
        self.run_program("audit", "world/spec.toml", "--out", "disk/out", code=4)
        kept = program.contents(self.path("disk/out"))
        for left in (0, PAGE, 2 * PAGE, 8 * PAGE):
            with self.subTest(left), self.filled(left):
                result = self.run_program("audit", "world/spec.toml", "--out", "disk/out")
                self.assert_fails(result, FULL)
                self.assertEqual(kept, program.contents(self.path("disk/out")))
        self.run_program("plan", "disk/out", code=4)
        self.assertEqual(self.before, self.dumps())

    def test_a_new_audit_leaves_nothing_that_looks_whole(self):
        for left in (PAGE, 2 * PAGE, 8 * PAGE):
            with self.subTest(left):
                with self.filled(left):
                    result = self.run_program("audit", "world/spec.toml", "--out", "disk/out")
                    self.assert_fails(result, FULL)
                self.assertIn(self.run_program("plan", "disk/out").code, (8, 16))
                self.assertFalse(os.path.exists(self.path("disk/out/plan.ndjson")))
                shutil.rmtree(self.path("disk/out"))

    def test_a_checkpoint_that_cannot_be_written(self):
        os.mkdir(self.path("disk/out"), 0o700)
        with self.filled(8 * PAGE):
            result = self.stopped_audit()
        # Full either way: at the checkpoint, or, had the signal come too late, at the findings.
        self.assert_fails(result, FULL)
        self.assertFalse(os.path.exists(self.path("disk/out/checkpoint")))

    def stopped_audit(self):
        """An audit that gets a signal as soon as it has its lock."""
        process = subprocess.Popen([program.PROGRAM, "audit", "world/spec.toml", "--out",
                                    "disk/out"], cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while process.poll() is None and not os.path.exists(self.path("disk/out/idxfsck.lock")):
            pass
        process.send_signal(signal.SIGTERM)
        output, error = process.communicate(timeout=300)
        return program.Result(["audit"], process.returncode, output.decode(), error.decode())

    def test_a_plan_is_there_whole_or_not_at_all(self):
        self.run_program("audit", "world/spec.toml", "--out", "disk/out", code=4)
        for left in (0, PAGE, 4 * PAGE):
            with self.subTest(left), self.filled(left):
                self.assert_fails(self.run_program("plan", "disk/out"), FULL)
                self.assertFalse(os.path.exists(self.path("disk/out/plan.ndjson")))

    def test_a_repair_writes_nothing_without_its_journal_record(self):
        self.plan_on_disk()
        shutil.copytree(self.path("world"), self.path("whole"))
        shutil.copytree(self.path("disk/out"), self.path("out"))
        self.run_program("repair", "out", "--spec", "whole/spec.toml", "--apply", code=0)
        after = self.dumps("whole/store")
        for left in (0, PAGE, 2 * PAGE, 5 * PAGE, 11 * PAGE):
            with self.subTest(left), self.filled(left):
                result = self.run_program("repair", "disk/out", "--apply")
                self.assert_fails(result, FULL)
                self.assert_journalled("disk/out/journal.ndjson", self.before, self.dumps())
        self.run_program("repair", "disk/out", "--apply", code=0)
        self.assertEqual(after, self.dumps())
        with self.filled(PAGE):
            self.assert_fails(self.run_program("undo", "disk/out", "--apply"), FULL)
        self.run_program("undo", "disk/out/journal.ndjson", "--apply", code=0)
        self.assertEqual(self.before, self.dumps())

    def assert_journalled(self, journal, before, now):
        written = set()
        if os.path.exists(self.path(journal)):
            whole = program.read_bytes(self.path(journal)).rpartition(b"\n")[0]
            records = [json.loads(line) for line in whole.splitlines()]
            written = {(record["table"], record["key"][0]) for record in records
                       if record.get("record") == "intent"}
        for table, old, new in zip(TABLES, before, now):
            for line in set(old.splitlines()) ^ set(new.splitlines()):
                row = json.loads(line)
                self.assertNotEqual("Users", table)
                key = row["Email"] if table == "UsersByEmail" else row["Handle"]
                self.assertIn((table, key), written)

    def test_a_store_that_is_full(self):
        shutil.copytree(self.path("world"), self.path("disk/world"))
        self.run_program("audit", "disk/world/spec.toml", "--out", "out", code=4)
        self.run_program("plan", "out", code=4)
        for left in (0, 2 * PAGE, 4 * PAGE):
            with self.subTest(left):
                with self.filled(left):
                    self.assert_fails(self.run_program("repair", "out", "--apply"), FULL)
                self.assert_journalled("out/journal.ndjson", self.before,
                                       self.dumps("disk/world/store"))
        self.run_program("repair", "out", "--apply", code=0)
        self.run_program("audit", "disk/world/spec.toml", "--out", "clean", code=0)

    def test_a_load_into_a_full_store_leaves_nothing(self):
        self.write("rows.ndjson", self.before[0])
        words = ["load", "disk/new", "Users", "rows.ndjson", "--key", "UserId"]
        for left in (0, PAGE, 8 * PAGE, 24 * PAGE):
            with self.subTest(left), self.filled(left):
                self.assert_fails(self.run_program(*words), FULL)
                self.assertEqual(16, self.run_program("dump", "disk/new", "Users").code)
                self.assertEqual(["filler"], os.listdir(self.path("disk")))
        self.run_program(*words, code=0)
        self.assertEqual(self.before[0],
                         self.run_program("dump", "disk/new", "Users", code=0).output)

    def test_a_dump_is_there_whole_or_not_at_all(self):
        for left in (0, 4 * PAGE):
            with self.subTest(left), self.filled(left):
                result = self.run_program("dump", "world/store", "Users", "--out",
                                          "disk/rows.ndjson")
                self.assert_fails(result, FULL)
                self.assertEqual(["filler"], os.listdir(self.path("disk")))

    def test_a_disk_that_is_read_only(self):
        self.plan_on_disk()
        shutil.copytree(self.path("world"), self.path("disk/world"))
        self.run_program("audit", "disk/world/spec.toml", "--out", "out", code=4)
        self.run_program("plan", "out", code=4)
        self.remount("ro")
        self.addCleanup(self.remount, "rw")
        kept = program.contents(self.path("disk"))
        for words in (["audit", "world/spec.toml", "--out", "disk/out"], ["plan", "disk/out"],
                      ["repair", "disk/out", "--apply"], ["repair", "out", "--apply"],
                      ["seed", "disk/more", "--rows", "10"],
                      ["load", "disk/world/store", "New", "world/expected.ndjson", "--key", "key"],
                      ["dump", "world/store", "Users", "--out", "disk/rows.ndjson"]):
            with self.subTest(words):
                result = self.run_program(*words)
                self.assert_fails(result, READ_ONLY)
                self.assertIn("hint: ", result.error)
        # Looking needs no place to write.
        self.run_program("repair", "disk/out", code=4)
        self.run_program("report", "disk/out", code=4)
        self.run_program("audit", "disk/world/spec.toml", "--out", "elsewhere", code=4)
        self.assertEqual(kept, program.contents(self.path("disk")))
        self.assertEqual(self.before, self.dumps())

    def test_a_pause_at_any_moment_changes_nothing(self):
        """As a disk that does not answer for a while: the program stands still, and goes on."""
        self.plan_on_disk()
        process = subprocess.Popen([program.PROGRAM, "repair", "disk/out", "--apply"],
                                   cwd=self.folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        pauses = 0
        while process.poll() is None:
            process.send_signal(signal.SIGSTOP)
            pauses += 1
            process.send_signal(signal.SIGCONT)
        output, error = process.communicate(timeout=300)
        self.assertEqual(0, process.returncode, (output + error).decode())
        self.assertGreater(pauses, 0)
        self.run_program("audit", "world/spec.toml", "--out", "clean", code=0)


if __name__ == "__main__":
    program.main()
