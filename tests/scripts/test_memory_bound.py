"""--memory bounds the whole process, however much differs.

Method: a fifth of an index is missing; the peak of resident memory is that of the process as the
system counts it. On top of --memory come the program, its libraries and the store's caches.
"""

import json
import os
import sys

import program

MEGABYTE = 1 << 20
ROWS = 200_000
MISSING = 40_000
# What an audit of a table of one row takes, and room for malloc and one wave of suspects.
REST = 96 * MEGABYTE


class MemoryBound(program.ProgramTest):
    def peak(self, *words):
        """Exit status and peak resident bytes of one run."""
        pid = os.fork()
        if pid == 0:
            os.chdir(self.folder)
            quiet = os.open(os.devnull, os.O_WRONLY)
            os.dup2(quiet, 1)
            os.dup2(quiet, 2)
            os.execv(program.PROGRAM, [program.PROGRAM, *words])
        _, status, usage = os.wait4(pid, 0)
        unit = 1 if sys.platform == "darwin" else 1024
        return os.waitstatus_to_exitcode(status), usage.ru_maxrss * unit

    def audit(self, *words):
        code, peak = self.peak("audit", "world/spec.toml", "--out", "out", "--threads", "2", *words)
        result = json.loads(program.read_bytes(self.path("out/audit.json")))
        return code, peak, result

    def setUp(self):
        super().setUp()
        self.run_program("seed", "world", "--rows", ROWS, "--indexes", "unique",
                         "--drift", f"orphaned_write={MISSING}", code=0)

    def test_large_drift(self):
        for words in (["--memory", "32M"], ["--memory", "32M", "--one-pass"],
                      ["--memory", "32M", "--engine", "exact"]):
            with self.subTest(words=words):
                code, peak, result = self.audit(*words)
                index = result["coverage"]["indexes"][0]
                self.assertEqual(12, code)
                self.assertEqual("could_not_tell", result["verdict"])
                self.assertEqual(MISSING, index["suspects"])
                self.assertEqual(MISSING, index["findings"] + index["unverifiable"])
                self.assertGreaterEqual(index["findings"], 1000)
                self.assertIn("--memory", result["coverage"]["doubts"][0]["hint"])
                self.check(peak, 32)
        code, peak, result = self.audit("--one-pass")
        self.assertEqual(4, code)
        self.assertEqual(MISSING, result["findings"]["count"])
        self.check(peak, 512)

    def check(self, peak, megabytes):
        if "san" in os.environ.get("IDXFSCK_PROGRAM", ""):
            return  # a sanitizer's own memory is not the audit's
        self.assertLess(peak, megabytes * MEGABYTE + REST, f"{peak / MEGABYTE:.0f} MB")


if __name__ == "__main__":
    program.main()
