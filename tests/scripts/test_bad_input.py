"""Bad input gets a message with place, cause and what to do, the right status, and writes nothing.

Method: one sound folder, one thing broken at a time, the built program run on it. The store's files
must be the same bytes afterwards.
"""

import json
import os
import re
import resource
import signal
import subprocess

import program

SOUND = ["--rows", 200, "--indexes", "unique,pointer_less", "--drift",
         "orphaned_write=4,base_missing=3,value_changed=2"]

# What is broken, text in the spec and what stands there instead, exit status of an audit, and what
# the message must hold: where, what, and what to do.
BROKEN_SPECS = [
    ("an attribute that is nowhere", "{Email|lower}", "{Emial|lower}", 8 + 4,
     ["index users-by-email", "`Emial`", "check the spelling"]),
    ("an unknown transform", "|lower", "|lowr", 16,
     ["spec.toml:18:29", "unknown transform", "did you mean `lower`?"]),
    ("a key that leaves out a component", "{ Email = ", "{ Emall = ", 16,
     ["spec.toml:13:1", "leaves out a component", "Email"]),
    ("a table that is not there", '"UsersByEmail"', '"UsersByMail"', 16,
     ["spec.toml:13:1", "no such table", "did you mean `UsersByEmail`?"]),
    ("two indexes of one name", "handle-claims", "users-by-email", 16,
     ["spec.toml:22:1", "two indexes of one name", "line 13"]),
    ("a selector that matches nothing", "real_if = [\"CreatedAt\"]", "rows = 'Plan == \"none\"'", 8,
     ["base user", "matches the selector", "may_be_empty"]),
    ("a store that is not there", 'path = "store"', 'path = "stroe"', 8 + 16,
     ["no store at this path", "stroe", "path"]),
    ("a word that no spec knows", "unique  = true", "unnique = true", 16,
     ["spec.toml:20:1", "unknown key", "unique"]),
    ("text that is no TOML", "[base.user]", "[base.user", 16, ["spec.toml:"]),
]


class BadInput(program.ProgramTest):
    def setUp(self):
        super().setUp()
        self.run_program("seed", "world", *SOUND, code=0)
        self.spec = program.read_bytes(self.path("world/spec.toml")).decode()
        self.store = program.contents(self.path("world/store"))
        self.rows = self.dumps()

    def dumps(self):
        return [self.run_program("dump", "world/store", table, code=0).output
                for table in ("Users", "UsersByEmail", "HandleClaims")]

    def assert_untouched(self):
        """Not a byte of the store's files."""
        self.assertEqual(self.store, program.contents(self.path("world/store")))

    def assert_same_rows(self):
        """Not a row: a store that was opened for writing has new files of its own."""
        self.assertEqual(self.rows, self.dumps())

    def assert_says(self, result, words):
        for word in words:
            self.assertIn(word, result.output + result.error)

    def plan(self):
        self.run_program("audit", "world/spec.toml", "--out", "out", code=4)
        self.run_program("plan", "out", code=4)
        return self.path("out/plan.ndjson")

    def test_broken_specs(self):
        for what, old, new, code, words in BROKEN_SPECS:
            with self.subTest(what):
                self.assertIn(old, self.spec)
                self.write("world/spec.toml", self.spec.replace(old, new, 1))
                result = self.run_program("audit", "world/spec.toml", "--out", "out")
                self.assertIn(result.code, [code] if code != 24 else [8, 16], str(result))
                self.assert_says(result, words)
                self.assert_untouched()

    def test_an_audit_writes_nothing_to_the_store(self):
        self.run_program("audit", "world/spec.toml", "--out", "out", code=4)
        self.assert_untouched()

    def test_a_spec_changed_since_the_audit(self):
        plan = self.plan()
        self.write("world/spec.toml", self.spec + "\n# another\n")
        self.assert_says(self.run_program("plan", "out", code=4), ["the spec has changed", "audit"])
        result = self.run_program("repair", plan, "--apply", code=4)
        self.assert_says(result, ["spec", "--allow-other-spec"])
        self.assert_same_rows()

    def test_a_plan_of_another_store(self):
        plan = self.plan()
        os.rename(self.path("world/store"), self.path("world/kept"))
        self.run_program("seed", "other", *SOUND, code=0)
        os.rename(self.path("other/store"), self.path("world/store"))
        before = program.contents(self.path("world/store"))
        result = self.run_program("repair", plan, code=4)
        self.assert_says(result, ["store", "--allow-other-store"])
        self.assertEqual(before, program.contents(self.path("world/store")))

    def test_a_plan_edited_by_hand(self):
        plan = self.plan()
        text = program.read_bytes(plan).decode()
        first = json.loads(text.splitlines()[1])["id"]
        edits = [text.replace("u0000000", "u0000001", 1), text.replace("\n", "\n\n", 1),
                 "\n".join(text.splitlines()[:-1]) + "\n", text + "{}\n",
                 "\n".join([*text.splitlines()[:1], *text.splitlines()[2:]]) + "\n"]
        for number, edit in enumerate(edits):
            with self.subTest(number):
                self.assertNotEqual(text, edit)
                self.write("out/plan.ndjson", edit)
                result = self.run_program("repair", plan, "--apply")
                self.assertIn(result.code, (4, 16), str(result))
                self.assert_says(result, ["plan.ndjson"])
                self.assert_untouched()
        self.write("out/plan.ndjson", text.replace("u0000000", "u0000001", 1))
        self.assert_says(self.run_program("repair", plan, "--apply"), ["--only", "--except"])
        self.write("out/plan.ndjson", text)
        self.run_program("repair", plan, "--only", first, "--apply", code=4)

    def test_a_journal_cut_anywhere(self):
        plan = self.plan()
        self.run_program("repair", plan, "--apply", code=0)
        journal = self.path("out/journal.ndjson")
        whole = program.read_bytes(journal)
        for size in [*range(0, len(whole), 997), *range(len(whole) - 40, len(whole))]:
            with self.subTest(size):
                with open(journal, "wb") as file:
                    file.write(whole[:size])
                result = self.run_program("undo", journal)
                self.assertIn(result.code, (0, 4, 8, 16), str(result))
                self.assertTrue(result.output or result.error)

    def test_files_that_are_not_what_they_should_be(self):
        self.write("noise", "\x00\x01\x02 not a file of ours \x1b[31m")
        os.mkdir(self.path("empty"))
        for words in (["audit", "noise"], ["audit", "nowhere.toml"], ["audit", "empty"],
                      ["plan", "empty"], ["plan", "noise"], ["plan", "nowhere"],
                      ["repair", "noise"], ["repair", "nowhere"], ["undo", "noise"],
                      ["undo", "nowhere"], ["report", "empty"], ["dump", "empty", "Users"],
                      ["dump", "world/store", "Nobody"], ["dump", "noise", "Users"],
                      ["load", "world/store", "New", "noise", "--key", "id"],
                      ["load", "world/store", "New", "nowhere", "--key", "id"],
                      ["audit", "world/spec.toml", "--expect", "noise"]):
            with self.subTest(words):
                result = self.run_program(*words)
                self.assertIn(result.code, (4, 8, 16), str(result))
                self.assertRegex(result.error, r"^(idxfsck: |\S+:\d+:\d+: )")
                self.assertNotIn("\x1b", result.error)
                self.assertNotIn("terminate called", result.error)
        self.assertNotIn("New", self.run_program("dump", "world/store", "New").output)

    def test_a_load_that_fails_leaves_nothing(self):
        lines = ['{"id":"a","n":1}', '{"id":"b","n":2}']
        for line in ('{"id":"c"', '{"n":3}', '{"id":["c"]}', '[1]', '{"id":"c","id":"d"}'):
            with self.subTest(line):
                rows = self.write("rows.ndjson", "\n".join([*lines, line]) + "\n")
                result = self.run_program("load", "world/store", "New", rows, "--key", "id")
                self.assertIn(result.code, (8, 16), str(result))
                self.assertRegex(result.error, r"rows\.ndjson")
                self.assertRegex(result.error, r"line=3|:3")
                self.run_program("dump", "world/store", "New", code=16)
        # Rows are sorted aside, so that a key which comes twice is known by itself, not its line.
        rows = self.write("rows.ndjson", "\n".join([*lines, lines[0]]) + "\n")
        result = self.run_program("load", "world/store", "New", rows, "--key", "id")
        self.assert_says(result, ["a key comes twice", "key=a"])
        self.run_program("dump", "world/store", "New", code=16)
        self.assert_same_rows()

    def test_a_disk_that_is_full(self):
        """A limit on the size of files stands for it: the write fails half-way, as there."""
        self.plan()
        os.remove(self.path("out/findings.ndjson"))
        for words in (["audit", "world/spec.toml", "--out", "full"],
                      ["dump", "world/store", "Users", "--out", "rows.ndjson"],
                      ["seed", "more", "--rows", "3000", "--indexes", "unique"]):
            with self.subTest(words):
                result = self.limited(words, file_bytes_max=512)
                self.assertEqual(8, result.code, str(result))
                self.assertRegex(result.error, "(?i)file too large|no space|file size")
                self.assertFalse(os.path.exists(self.path("rows.ndjson")))
        self.assertFalse(os.path.exists(self.path("more/spec.toml")))
        self.assert_untouched()

    def limited(self, words, file_bytes_max):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes_max, file_bytes_max))
        done = subprocess.run([program.PROGRAM, *words], cwd=self.folder, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=300,
                              preexec_fn=limit)
        return program.Result(words, done.returncode, done.stdout.decode(), done.stderr.decode())

    def test_output_that_cannot_be_written(self):
        with open("/dev/full", "w", encoding="utf-8") as full:
            for words in (["audit", "world/spec.toml"], ["dump", "world/store", "Users"],
                          ["--help"], ["explain"]):
                with self.subTest(words):
                    done = subprocess.run([program.PROGRAM, *words], cwd=self.folder, check=False,
                                          stdout=full, stderr=subprocess.PIPE, timeout=300)
                    self.assertTrue(done.returncode & 8, done.stderr.decode())

    def test_a_place_where_nothing_can_be_written(self):
        for words in (["audit", "world/spec.toml", "--out", "/proc/idxfsck"],
                      ["seed", "/proc/idxfsck"],
                      ["dump", "world/store", "Users", "--out", "/proc/idxfsck"],
                      ["load", "/proc/idxfsck", "T", "world/expected.ndjson", "--key", "index"]):
            with self.subTest(words):
                result = self.run_program(*words)
                self.assertIn(result.code, (8, 16), str(result))
                self.assertIn("/proc/idxfsck", result.error)
        self.assert_untouched()


if __name__ == "__main__":
    program.main()
