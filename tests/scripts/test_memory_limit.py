"""Where memory or threads run out, a program says so and ends with 8, and never without words.

Method: limits on the address space (ulimit -v) from what the program needs to start upwards, in
steps, so that memory runs out now here, now there. What was done under a limit must be whole, and
running it again without one comes to the end of an undisturbed run.
"""

import resource
import subprocess

import program

MEGABYTE = 1 << 20
STEP = 8 * MEGABYTE
STEPS = 16
WORLD = ["--rows", 2000, "--indexes", "unique,pointer_less", "--drift",
         "orphaned_write=90,base_missing=30"]
WORDS = ("out of memory", "no more threads", "no memory for one more thread",
         "Cannot allocate memory", "cannot start")


class MemoryLimit(program.ProgramTest):
    def limited(self, bytes_max, *words):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (bytes_max, bytes_max))
            resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        done = subprocess.run([program.PROGRAM, *words], cwd=self.folder, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=300,
                              preexec_fn=limit)
        return program.Result(words, done.returncode, done.stdout.decode(), done.stderr.decode())

    def least(self):
        """What it takes to start at all: less is the loader's concern, not ours."""
        for size in range(32 * MEGABYTE, 1024 * MEGABYTE, 4 * MEGABYTE):
            if self.limited(size, "--version").code == 0:
                return size
        self.skipTest("SKIPPED: does not start in 1 GiB; a sanitizer needs the whole address space")
        return None

    def setUp(self):
        super().setUp()
        self.start = self.least()
        self.run_program("seed", "world", *WORLD, code=0)

    def dumps(self, store):
        return [self.run_program("dump", store, table, code=0).output
                for table in ("Users", "UsersByEmail", "HandleClaims")]

    def each_limit(self, *words, codes):
        """How often the command ended well, and how often for want of memory."""
        well = ill = 0
        for step in range(STEPS):
            size = self.start + step * STEP
            result = self.limited(size, *words)
            with self.subTest(words=words, megabytes=size // MEGABYTE):
                if result.code in codes:
                    well += 1
                    continue
                ill += 1
                self.assertEqual(8, result.code, str(result))
                self.assertTrue(any(word in result.error for word in WORDS), str(result))
                self.assertIn("hint: ", result.error)
        self.assertGreater(ill, 0, "no limit was too low")
        return well

    def test_audit_plan_repair_undo(self):
        before = self.dumps("world/store")
        for threads in (1, 4):
            self.each_limit("audit", "world/spec.toml", "--out", "out", "--threads", str(threads),
                            codes=[4])
        self.run_program("audit", "world/spec.toml", "--out", "whole", code=4)
        self.run_program("audit", "world/spec.toml", "--out", "out", code=4)
        self.assertEqual(program.read_bytes(self.path("whole/findings.ndjson")),
                         program.read_bytes(self.path("out/findings.ndjson")))
        self.assertEqual(before, self.dumps("world/store"))
        self.run_program("plan", "out", code=4)
        self.each_limit("repair", "out", "--apply", codes=[0])
        self.run_program("repair", "out", "--apply", code=0)
        self.run_program("audit", "world/spec.toml", "--out", "clean", code=0)
        self.each_limit("undo", "out", "--apply", codes=[0])
        self.run_program("undo", "out", "--apply", code=0)
        self.assertEqual(before, self.dumps("world/store"))

    def test_load_and_dump(self):
        rows = self.run_program("dump", "world/store", "Users", code=0).output
        self.write("rows.ndjson", rows)
        self.each_limit("load", "world/store", "New", "rows.ndjson", "--key", "UserId",
                        "--replace", codes=[0])
        self.run_program("load", "world/store", "New", "rows.ndjson", "--key", "UserId",
                         "--replace", code=0)
        self.assertEqual(rows, self.run_program("dump", "world/store", "New", code=0).output)
        self.each_limit("dump", "world/store", "New", "--out", "copy.ndjson", codes=[0])
        self.run_program("dump", "world/store", "New", "--out", "copy.ndjson", code=0)
        self.assertEqual(rows.encode(), program.read_bytes(self.path("copy.ndjson")))


if __name__ == "__main__":
    program.main()
