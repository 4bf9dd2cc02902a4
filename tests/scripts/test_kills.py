"""Killed at any moment and run again, every command comes to the end of an undisturbed run.

Method: a hundred copies of one small world; in each a command is ended by SIGKILL, SIGTERM or
SIGINT, after a random time or when a file of it has grown to a random size. Then the files that it
left are looked at, it is run again, and its tables and files are compared byte by byte with those
of a run that nobody disturbed. The moments are random, the verdict is not: where a moment comes too
late, the run was an undisturbed one. The seed is printed.

A longer run by hand: python3 tests/scripts/test_kills.py --kills 1000 [--seed N]
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

import program

KILLS = 100
SEED = None
WORLD = ["--rows", "1200", "--indexes", "unique,pointer_less", "--drift",
         "orphaned_write=90,base_missing=20,value_changed=12"]
TABLES = ["Users", "UsersByEmail", "HandleClaims"]
# Of a hundred kills, how many hit which command.
SHARES = {"repair": 40, "undo": 25, "audit": 18, "plan": 5, "load": 12}
SIGNALS = [signal.SIGKILL] * 3 + [signal.SIGTERM, signal.SIGINT]


class Kills(program.ProgramTest):
    @classmethod
    def setUpClass(cls):
        cls.seed = random.randrange(1 << 32) if SEED is None else SEED
        print(f"seed {cls.seed}", file=sys.stderr)
        cls.random = random.Random(cls.seed)
        cls.hit = cls.late = 0
        cls.keep = tempfile.TemporaryDirectory(prefix="idxfsck-kills-")
        cls.addClassCleanup(cls.keep.cleanup)
        world = cls("setUp")
        world.folder = cls.keep.name
        world.make_reference()

    @classmethod
    def tearDownClass(cls):
        print(f"{cls.hit} kills survived, {cls.late} came after the end", file=sys.stderr)

    # The undisturbed runs.

    def make_reference(self):
        cls = type(self)
        cls.seconds = {}
        self.timed("seed", "seed", "world", *WORLD, code=0)
        self.rows = self.run_program("dump", "world/store", "Users", code=0).output
        self.write("rows.ndjson", self.rows)
        cls.before = self.dumps("world")
        self.timed("audit", "audit", "world/spec.toml", "--out", "world/out", code=4)
        cls.findings = program.read_bytes(self.path("world/out/findings.ndjson"))
        shutil.copytree(self.path("world"), self.path("audited"))
        self.timed("plan", "plan", "world/out", code=4)
        cls.planned = self.operations("world")
        shutil.copytree(self.path("world"), self.path("planned"))
        self.timed("repair", "repair", "world/out", "--apply", code=0)
        cls.after = self.dumps("world")
        cls.journal_size = os.path.getsize(self.path("world/out/journal.ndjson"))
        shutil.copytree(self.path("world"), self.path("repaired"))
        self.timed("undo", "undo", "world/out", "--apply", code=0)
        self.assertEqual(cls.before, self.dumps("world"))
        self.timed("load", "load", "loaded", "Users", "rows.ndjson", "--key", "UserId", code=0)

    def timed(self, name, *words, code):
        begin = time.monotonic()
        self.run_program(*words, code=code)
        type(self).seconds[name] = time.monotonic() - begin

    # Looking at what is there.

    def dumps(self, world):
        return [self.run_program("dump", f"{world}/store", table, code=0).output
                for table in TABLES]

    def operations(self, world):
        """The plan without its first and last line: those hold the time."""
        return program.read_bytes(self.path(world, "out/plan.ndjson")).splitlines()[1:-1]

    def fresh(self, master):
        shutil.rmtree(self.path("try"), ignore_errors=True)
        shutil.copytree(os.path.join(self.keep.name, master), self.path("try"))

    # Killing.

    def killed(self, name, *words, grows=None, size=0):
        """Runs the command and ends it at a random moment; the exit status and the signal."""
        number = self.random.choice(SIGNALS)
        process = subprocess.Popen([program.PROGRAM, *words], cwd=self.folder,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        if grows is not None and self.random.random() < 0.6:
            wanted = self.random.randrange(size)
            while process.poll() is None and self.size_of(grows) <= wanted:
                time.sleep(0.0002)
        else:
            try:
                process.wait(self.random.random() * 1.1 * self.seconds[name])
            except subprocess.TimeoutExpired:
                pass
        process.send_signal(number)
        output, error = process.communicate(timeout=300)
        code = process.returncode
        cut_short = code == -number or (code > 0 and code & 32 != 0)
        type(self).hit += cut_short
        type(self).late += not cut_short
        # So that most moments lie within a run, however busy the machine is.
        self.seconds[name] *= 1.05 if cut_short else 0.85
        words = (output + error).decode("utf-8", "replace")
        self.assertNotIn("bug", words)
        # A signal that can be caught may come before it is, or be too late to stop anything.
        self.assertIn(code & ~32 if code >= 0 else code, (0, 4, 8, 12, -number), words)
        return code

    def size_of(self, name):
        try:
            return os.path.getsize(self.path(name))
        except FileNotFoundError:
            return -1

    def each(self, name, kill):
        for number in range(SHARES[name] * KILLS // 100):
            with self.subTest(command=name, kill=number, seed=self.seed):
                kill(number)

    # The commands.

    def test_repair(self):
        self.each("repair", self.kill_repair)

    def kill_repair(self, number):
        self.fresh("planned")
        self.killed("repair", "repair", "try/out", "--apply", grows="try/out/journal.ndjson",
                    size=self.journal_size)
        self.assert_journalled(self.before)
        self.run_program("repair", "try/out", "--apply", code=0)
        self.assertEqual(self.after, self.dumps("try"))
        if number % 4 == 0:
            again = self.run_program("repair", "try/out", "--apply", code=0)
            self.assertNotIn(" applied", again.output)

    def assert_journalled(self, before):
        """Every row that is not as before is in the journal, as it was before."""
        records = []
        if self.size_of("try/out/journal.ndjson") > 0:
            whole = program.read_bytes(self.path("try/out/journal.ndjson")).rpartition(b"\n")[0]
            records = [json.loads(line) for line in whole.splitlines()]
        written = {(record["table"], record["key"][0]) for record in records
                   if record.get("record") == "intent"}
        for table, old, new in zip(TABLES, before, self.dumps("try")):
            for line in set(old.splitlines()) ^ set(new.splitlines()):
                row = json.loads(line)
                self.assertNotEqual("Users", table)
                key = row["Email"] if table == "UsersByEmail" else row["Handle"]
                self.assertIn((table, key), written)

    def test_undo(self):
        self.each("undo", self.kill_undo)

    def kill_undo(self, _):
        self.fresh("repaired")
        self.killed("undo", "undo", "try/out", "--apply", grows="try/out/journal.undo.ndjson",
                    size=self.journal_size)
        self.run_program("undo", "try/out", "--apply", code=0)
        self.assertEqual(self.before, self.dumps("try"))

    def test_audit(self):
        self.each("audit", self.kill_audit)

    def kill_audit(self, number):
        self.fresh("audited")
        if number % 2 == 0:
            shutil.rmtree(self.path("try/out"))
        code = self.killed("audit", "audit", "try/spec.toml", "--out", "try/out")
        self.assert_no_half_plan()
        resume = ["--resume"] if self.size_of("try/out/checkpoint") >= 0 else []
        if code >= 0 and code & 32 != 0:
            self.assertEqual(["--resume"], resume)
        self.run_program("audit", "try/spec.toml", "--out", "try/out", *resume, code=4)
        self.assertEqual(self.findings, program.read_bytes(self.path("try/out/findings.ndjson")))
        self.assertEqual(self.before, self.dumps("try"))

    def assert_no_half_plan(self):
        """A plan from what a killed audit left is refused, or says that it is not whole, or is the
        whole one."""
        result = self.run_program("plan", "try/out")
        self.assertIn(result.code, (4, 8, 12, 16), str(result))
        if result.code == 4:
            self.assertEqual(self.planned, self.operations("try"))

    def test_plan(self):
        self.each("plan", self.kill_plan)

    def kill_plan(self, _):
        self.fresh("audited")
        self.killed("plan", "plan", "try/out")
        if self.size_of("try/out/plan.ndjson") >= 0:
            self.assertEqual(self.planned, self.operations("try"))
        self.run_program("plan", "try/out", code=4)
        self.run_program("repair", "try/out", "--apply", code=0)
        self.assertEqual(self.after, self.dumps("try"))

    def test_load(self):
        self.each("load", self.kill_load)

    def kill_load(self, number):
        rows = os.path.join(self.keep.name, "rows.ndjson")
        words = ["load", "try/store", "Users", rows, "--key", "UserId"]
        shutil.rmtree(self.path("try"), ignore_errors=True)
        os.mkdir(self.path("try"))
        if number % 2 == 0:
            self.load_into_nothing(words)
        else:
            self.load_over_another(words)

    def load_into_nothing(self, words):
        self.killed("load", *words)
        there = self.run_program("dump", "try/store", "Users")
        self.assertIn(there.code, (0, 16), str(there))
        if there.code == 0:
            self.assertEqual(self.before[0], there.output)
        else:
            self.run_program(*words, code=0)
        self.assertEqual(self.before[0],
                         self.run_program("dump", "try/store", "Users", code=0).output)

    def load_over_another(self, words):
        old = '{"UserId":"old"}\n'
        self.write("old.ndjson", old)
        self.run_program("load", "try/store", "Users", "old.ndjson", "--key", "UserId", code=0)
        self.killed("load", *words, "--replace")
        there = self.run_program("dump", "try/store", "Users", code=0).output
        self.assertIn(there, (old, self.before[0]))
        self.run_program(*words, "--replace", code=0)
        self.assertEqual(self.before[0],
                         self.run_program("dump", "try/store", "Users", code=0).output)


if __name__ == "__main__":
    options = argparse.ArgumentParser(description="kills at random moments")
    options.add_argument("--kills", type=int, default=KILLS, help="how many (default 100)")
    options.add_argument("--seed", type=int, help="of the moments (default: random)")
    chosen, rest = options.parse_known_args()
    KILLS, SEED = chosen.kills, chosen.seed
    sys.argv[1:] = rest
    program.main()
