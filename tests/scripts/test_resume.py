"""An audit that is stopped or killed, again and again, goes on with --resume to the same findings.

Method: SIGTERM, SIGINT and SIGKILL at random moments once the program can catch signals; after each
it goes on from the checkpoint. Findings and the counts of rows must be those of an audit that
nobody disturbed: a row that was counted twice would show in both. The seed is printed.
"""

import json
import os
import random
import signal
import subprocess
import sys
import time

import program

WORLD = ["--rows", 12000, "--indexes", "unique,pointer_less,multi_valued", "--drift",
         "orphaned_write=30,base_missing=20,value_changed=10"]
STOPS = 6


class Resume(program.ProgramTest):
    def setUp(self):
        super().setUp()
        seed = random.randrange(1 << 32)
        print(f"seed {seed}", file=sys.stderr)
        self.random = random.Random(seed)
        self.run_program("seed", "world", *WORLD, code=0)

    def audit(self, folder, *options, code=4):
        return self.run_program("audit", "world/spec.toml", "--out", folder, *options, code=code)

    def undisturbed(self, *options):
        begin = time.monotonic()
        self.audit("whole", *options)
        self.seconds = time.monotonic() - begin
        return self.answer("whole")

    def answer(self, folder):
        """Findings as they lie there; rows and entries as they were counted."""
        coverage = json.loads(program.read_bytes(self.path(folder, "audit.json")))["coverage"]
        rows = [[table[name] for name in ("table", "rows", "rows_other", "rows_damaged")]
                for table in coverage["tables"]]
        counted = [{name: value for name, value in index.items()
                    if name in ("index", "expected", "held", "exempt")}
                   for index in coverage["indexes"]]
        return program.read_bytes(self.path(folder, "findings.ndjson")), rows, counted

    def disturbed(self, number, folder, *options, wait=True):
        """The exit status of an audit that got this signal at a random moment."""
        process = subprocess.Popen(
            [program.PROGRAM, "audit", "world/spec.toml", "--out", folder, *options],
            cwd=self.folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE)
        while process.poll() is None and not program.can_catch(process, signal.SIGTERM):
            time.sleep(0.0002)
        try:
            process.wait(self.random.random() * self.seconds if wait else 0)
        except subprocess.TimeoutExpired:
            pass
        process.send_signal(number)
        output, error = process.communicate(timeout=300)
        if process.returncode & 32 and process.returncode > 0:
            self.assertEqual(32 + 8, process.returncode, (output + error).decode())
            self.assertIn("--resume", output.decode())
            self.assertTrue(os.path.exists(self.path(folder, "checkpoint")))
        else:
            self.assertIn(process.returncode, (4, -number), (output + error).decode())
        return process.returncode

    def check(self, *options):
        whole = self.undisturbed(*options)
        for round_number in range(3):
            folder = f"stopped-{round_number}"
            codes = []
            for _ in range(STOPS):
                there = os.path.exists(self.path(folder, "checkpoint"))
                number = self.random.choice([signal.SIGTERM, signal.SIGINT, signal.SIGKILL])
                resume = ["--resume"] if there else []
                codes.append(self.disturbed(number, folder, *options, *resume))
                if codes[-1] == 4:
                    break
            if codes[-1] != 4:
                there = os.path.exists(self.path(folder, "checkpoint"))
                self.audit(folder, *options, *(["--resume"] if there else []))
            with self.subTest(codes=codes):
                self.assertEqual(whole, self.answer(folder))
                self.assertFalse(os.path.exists(self.path(folder, "checkpoint")))

    def test_the_sketch_goes_on_to_the_same_findings(self):
        self.check()

    def test_the_exact_engine_goes_on_to_the_same_findings(self):
        self.check("--engine", "exact", "--threads", "3")

    def test_a_stop_before_the_first_row_is_a_checkpoint_too(self):
        whole = self.undisturbed()
        # As soon as it can catch a signal; again, should it have been done by then.
        while self.disturbed(signal.SIGTERM, "early", wait=False) != 32 + 8:
            pass
        # A checkpoint is of one audit: not of another choice of indexes.
        other = self.run_program("audit", "world/spec.toml", "--out", "early", "--resume",
                                 "--index", "users-by-email", code=4)
        self.assertIn("the checkpoint is of another audit", other.error)
        self.audit("early", "--resume")
        self.assertEqual(whole, self.answer("early"))

    def test_a_checkpoint_that_was_cut_is_refused(self):
        self.undisturbed()
        code = 0
        while code != 40:
            code = self.disturbed(signal.SIGTERM, "cut")
        whole = program.read_bytes(self.path("cut/checkpoint"))
        for size in (0, 31, 100, len(whole) // 2, len(whole) - 1):
            with self.subTest(size):
                with open(self.path("cut/checkpoint"), "wb") as file:
                    file.write(whole[:size])
                result = self.audit("cut", "--resume", code=8)
                self.assertIn("damaged or was cut", result.error)
                self.assertIn("checkpoint", result.error)


if __name__ == "__main__":
    program.main()
