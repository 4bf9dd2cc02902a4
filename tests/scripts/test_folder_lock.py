"""One program at a time writes in an audit's folder, and says who holds it.

Method: a program is stopped (SIGSTOP) as soon as its lock is there, others are started meanwhile;
then it goes on, or is killed and the next one takes the lock over. No waiting by the clock.
"""

import json
import os
import signal
import subprocess
import time

import program

WORLD = ["--rows", 300, "--indexes", "unique", "--drift", "orphaned_write=3,base_missing=3"]
LOCK = "out/idxfsck.lock"


class FolderLock(program.ProgramTest):
    def setUp(self):
        super().setUp()
        self.run_program("seed", "world", *WORLD, code=0)
        self.run_program("audit", "world/spec.toml", "--out", "out", code=4)
        self.run_program("plan", "out", code=4)

    def stopped(self, *words):
        """Starts the program and stops it while it holds the lock; tries again if it was faster."""
        while True:
            process = subprocess.Popen([program.PROGRAM, *words], cwd=self.folder,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE)
            while process.poll() is None and not os.path.exists(self.path(LOCK)):
                time.sleep(0.0001)
            process.send_signal(signal.SIGSTOP)
            if process.poll() is None and self.owner() == process.pid:
                self.addCleanup(process.communicate)
                self.addCleanup(process.kill)
                return process
            process.send_signal(signal.SIGCONT)
            process.communicate(timeout=300)

    def owner(self):
        try:
            return json.loads(program.read_bytes(self.path(LOCK)))["process"]
        except (FileNotFoundError, ValueError):
            return None

    def assert_refused(self, holder, *words):
        result = self.run_program(*words, code=4)
        for word in ("another idxfsck is at work", f"process={holder.pid}", "host=", "since=20"):
            self.assertIn(word, result.error)

    def test_an_audit_keeps_all_others_out_and_ends_as_if_alone(self):
        holder = self.stopped("audit", "world/spec.toml", "--out", "out")
        for words in (["audit", "world/spec.toml", "--out", "out"], ["plan", "out"],
                      ["repair", "out", "--apply"]):
            with self.subTest(words):
                self.assert_refused(holder, *words)
        # Another folder is another matter, and so is whoever only looks.
        self.run_program("audit", "world/spec.toml", "--out", "other", code=4)
        self.run_program("repair", "out", code=4)
        holder.send_signal(signal.SIGCONT)
        holder.communicate(timeout=300)
        self.assertEqual(4, holder.returncode)
        self.assertFalse(os.path.exists(self.path(LOCK)))
        self.assertEqual(program.read_bytes(self.path("other/findings.ndjson")),
                         program.read_bytes(self.path("out/findings.ndjson")))

    def test_a_repair_keeps_audits_and_an_undo_out(self):
        holder = self.stopped("repair", "out", "--apply")
        for words in (["audit", "world/spec.toml", "--out", "out"], ["plan", "out"],
                      ["repair", "out", "--apply"]):
            with self.subTest(words):
                self.assert_refused(holder, *words)
        holder.send_signal(signal.SIGCONT)
        holder.communicate(timeout=300)
        self.assertEqual(0, holder.returncode)

    def test_an_undo_takes_the_lock_before_it_reads_the_journal(self):
        holder = self.stopped("audit", "world/spec.toml", "--out", "out")
        # As a repair leaves it in the middle of a record, and as no journal can be.
        for text in ('{"idxfsck":"journal","for', "no journal\n"):
            with self.subTest(text):
                self.write("out/journal.ndjson", text)
                self.assert_refused(holder, "undo", "out/journal.ndjson", "--apply")

    def test_the_lock_of_one_that_was_killed_is_taken_over_with_a_note(self):
        for words, code in ((["audit", "world/spec.toml", "--out", "out"], 4), (["plan", "out"], 4),
                            (["repair", "out", "--apply"], 0), (["undo", "out", "--apply"], 0)):
            with self.subTest(words):
                holder = self.stopped("audit", "world/spec.toml", "--out", "out")
                holder.kill()
                holder.wait(300)
                result = self.run_program(*words, code=code)
                self.assertIn(f"the lock was taken over from process {holder.pid}, which began at "
                              "20", result.error)
                self.assertIn("is gone", result.error)
                self.assertFalse(os.path.exists(self.path(LOCK)))

    def test_the_lock_of_another_host_is_left_alone(self):
        lock = self.write(LOCK, '{"process":1,"host":"elsewhere.invalid","since":"then"}\n')
        result = self.run_program("audit", "world/spec.toml", "--out", "out", code=4)
        self.assertIn("host=elsewhere.invalid", result.error)
        self.assertIn("remove the lock file", result.error)
        os.remove(lock)
        self.run_program("audit", "world/spec.toml", "--out", "out", code=4)


if __name__ == "__main__":
    program.main()
