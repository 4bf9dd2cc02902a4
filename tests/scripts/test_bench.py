"""The benchmarks run from one end to the other on few rows: no peers, and no time is judged.

What is judged: that every goal that this version can be asked for gives its figures, that the
audits among them found what was seeded, and that the table and figures.json say the same.
"""

import json
import os
import subprocess
import sys
import tempfile
import unittest

import program

PROGRAMS = os.environ.get("IDXFSCK_BENCH_PROGRAMS",
                          os.path.join(program.ROOT, "build", "release", "tests"))
BENCH = os.path.join(program.TESTS, "bench")
sys.path.insert(0, BENCH)


class Bench(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="idxfsck-test-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = folder.name
        cls.done = cls.run_bench()
        cls.told = cls.figures()

    @classmethod
    def run_bench(cls, *words):
        return subprocess.run(
            [sys.executable, os.path.join(BENCH, "bench.py"), "--idxfsck", program.PROGRAM,
             "--programs", PROGRAMS, "--folder", cls.folder, "--no-peers", "--rows", "2000",
             "--runs", "1", *words],
            check=False, capture_output=True, text=True, timeout=300)

    @classmethod
    def figures(cls):
        path = os.path.join(cls.folder, "figures.json")
        if not os.path.exists(path):
            return None
        with open(path, encoding="utf-8") as file:
            return json.load(file)

    def test_every_goal_gives_its_measures(self):
        done, told = self.done, self.told
        self.assertEqual(0, done.returncode, done.stdout + done.stderr)
        self.assertEqual(list(range(1, 8)), [goal["goal"] for goal in told["goals"]])
        for goal in told["goals"]:
            for measure in goal["measures"]:
                self.assertGreater(measure["measured"], 0, measure)
                self.assertIn(measure["what"], done.stdout)
        measured = {goal["goal"] for goal in told["goals"] if goal["measures"]}
        self.assertLessEqual({1, 4, 5, 6, 7}, measured)
        if not any(note.startswith("SKIPPED") for note in told["notes"]):
            self.assertLessEqual({2}, measured)

    def test_a_goal_that_does_not_exist_is_refused(self):
        self.assertEqual(2, self.run_bench("--only", "8").returncode)

    def test_an_audit_that_finds_other_things_gives_no_figure(self):
        path = os.path.join(self.folder, "data/2000-100-100/expected.ndjson")
        with open(path, "a", encoding="utf-8") as key:
            key.write('{"index":"users-by-email","kind":"orphaned_write","key":["x@y"],'
                      '"pointer":["u0"]}\n')
        done = self.run_bench("--only", "7")
        self.assertEqual(1, done.returncode, done.stdout + done.stderr)
        self.assertIn("ended with 4", done.stderr)
        self.assertEqual([], self.figures()["goals"][0]["measures"])


class Measures(unittest.TestCase):
    def test_a_limit_holds_from_one_side(self):
        import goals
        self.assertTrue(goals.Measure("", 1.10, 1.10).holds())
        self.assertFalse(goals.Measure("", 1.11, 1.10).holds())
        self.assertTrue(goals.Measure("", 6.0, 6, at_most=False).holds())
        self.assertFalse(goals.Measure("", 5.9, 6, at_most=False).holds())

    def test_a_busy_machine_judges_nothing(self):
        import bench
        import goals
        self.assertEqual("not judged", bench.verdict(goals.Measure("", 1, 2), busy=True))
        self.assertEqual("holds", bench.verdict(goals.Measure("", 1, 2), busy=False))
        self.assertEqual("DOES NOT HOLD", bench.verdict(goals.Measure("", 3, 2), busy=False))

    def test_the_better_peer_is_the_faster_one(self):
        import goals

        class Peer:
            def __init__(self, name):
                self.name = name

        class Few:
            peers = [Peer("a"), Peer("b")]

            @staticmethod
            def idle_memory():
                return 1_000_000

        taken = {"audit": {"seconds": [2, 1, 3], "memory": [2_000_000, 3_000_000]},
                 "suspects": {"seconds": [1], "memory": [2_000_000]},
                 "bare": {"seconds": [1.0]},
                 "a": {"seconds": [20], "memory": [9_000_000], "idle": [1_000_000]},
                 "b": {"seconds": [12], "memory": [401_000_000], "idle": [1_000_000]}}
        measures = goals.peer_measures(Few, taken, 6, 150)
        self.assertEqual([6, 200, 2, 12, 400, 1], [one.value for one in measures])
        self.assertEqual([True, True, False, True, True, True],
                         [one.holds() for one in measures])


if __name__ == "__main__":
    program.main()
