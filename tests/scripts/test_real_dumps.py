"""In rows that other people's libraries wrote, exactly the known drift is found, mended, undone.

Method: each dump in tests/real is loaded by the built program, audited with its spec in
fixtures/specs, and compared with an answer key written by hand, which an oracle of plain loops
confirms. The same on copies with shuffled lines, renamed values, and both; and on the dumps where
they lie, without loading them.
"""

import gzip
import json
import os
import random
import re
import shutil
import uuid

import program
import real_oracle

DUMPS = {"auth-azure": ("auth", "auth.idxfsck", "PartitionKey,RowKey", "azure"),
         "onetable": ("onetable", "onetable.idxfsck", "pk,sk", "dynamodb")}
# What no rule settles, and a person must.
FOR_A_PERSON = ("duplicate_claim",)
# Every kind of value that rows refer to each other by, under another name.
RENAMES = [(r"\b([a-z]+)(\d+)@example\.com", r"\1-\2.renamed@post.example"),
           (r"\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b",
            lambda match: str(uuid.uuid5(uuid.NAMESPACE_OID, match[0]))),
           (r'"acc(\d+g?)(?=[_"])', r'"account-\1'), (r"\bsess-(\d+)", r"sitting-\1"),
           (r"\bu(\d+)\b", r"person-\1"), (r"\bh(\d+)\b", r"handle.\1"), (r"\bacme\b", "globex")]


def read_lines(path):
    with (gzip.open if path.endswith(".gz") else open)(path, "rt", encoding="utf-8") as file:
        return file.read().splitlines()


def renamed(text):
    for pattern, name in RENAMES:
        text = re.sub(pattern, name, text)
    return text


def shuffled(lines):
    copy = list(lines)
    random.Random(20).shuffle(copy)
    return copy


COPIES = {"as they are": list,
          "shuffled": shuffled,
          "renamed": lambda lines: [renamed(line) for line in lines],
          "shuffled and renamed": lambda lines: [renamed(line) for line in shuffled(lines)]}


def sorted_rows(lines):
    """Rows without what JSON leaves open: order of lines and members, spelling of numbers."""
    return sorted(json.dumps(json.loads(line), sort_keys=True) for line in lines)


class RealDumps(program.ProgramTest):
    def lines(self, name):
        return read_lines(os.path.join(program.TESTS, "real", name + ".ndjson.gz"))

    def key(self, name):
        return read_lines(os.path.join(program.TESTS, "real", name + ".expected.ndjson"))

    def load(self, name, lines):
        table, store, key, _ = DUMPS[name]
        for left in (store, "out"):
            shutil.rmtree(self.path(left), ignore_errors=True)
        shutil.copy(os.path.join(program.ROOT, "fixtures", "specs", name + ".toml"), self.folder)
        rows = self.write("rows.ndjson", "\n".join(lines) + "\n")
        self.run_program("load", store, table, rows, "--key", key, code=0)

    def dump(self, name):
        table, store, _, shape = DUMPS[name]
        return self.run_program("dump", store, table, "--shape", shape, code=0).output

    def expect(self, name, key, *words):
        self.run_program("audit", name + ".toml", "--out", "out", *words, code=0 if not key else 4)
        self.run_program("audit", name + ".toml", "--out", "out", *words,
                         "--expect", self.write("key.ndjson", "\n".join(key) + "\n"), code=0)

    def test_the_answer_keys_are_what_plain_loops_find(self):
        for name in DUMPS:
            rows = [json.loads(line) for line in self.lines(name)]
            found = [json.loads(line) for line in real_oracle.findings(name, rows)]
            self.assertEqual(sorted_rows(self.key(name)), sorted_rows(map(json.dumps, found)))

    def test_the_named_drift_is_found_and_nothing_else(self):
        for name in DUMPS:
            for copy, change in COPIES.items():
                with self.subTest(f"{name}, {copy}"):
                    lines = change(self.lines(name))
                    self.load(name, lines)
                    key = self.key(name)
                    if "renamed" in copy:
                        self.assertNotEqual(key, [renamed(line) for line in key])
                        key = [renamed(line) for line in key]
                    self.expect(name, key)
                    oracle = real_oracle.findings(name, [json.loads(line) for line in lines])
                    self.expect(name, oracle, "--threads", 7, "--partitions", 13)

    def test_the_same_drift_is_found_in_the_files_themselves(self):
        for name, (table, store, _, _) in DUMPS.items():
            with open(os.path.join(program.ROOT, "fixtures", "specs", name + ".toml"),
                      encoding="utf-8") as file:
                spec = file.read()
            spec = re.sub(r'kind( *)= "rocksdb"', r'kind\1= "files"', spec)
            self.write(name + ".toml", re.sub(f'path( *)= "{store}"', r'path\1= "."', spec))
            for parts in (1, 5):
                with self.subTest(f"{name}, {parts} parts"):
                    self.write_parts(name, table, parts)
                    self.expect(name, self.key(name))
                    self.expect(name, self.key(name), "--threads", 7, "--partitions", 13,
                                "--engine", "exact")

    def write_parts(self, name, table, parts):
        lines = self.lines(name)
        shutil.rmtree(self.path(table), ignore_errors=True)
        os.mkdir(self.path(table))
        for part in range(parts):
            compressed = part % 2 == 0
            path = self.path(table, f"part-{part}.ndjson" + (".gz" if compressed else ""))
            with (gzip.open if compressed else open)(path, "wt", encoding="utf-8") as file:
                file.write("\n".join(lines[part::parts]) + "\n")

    def test_a_repair_leaves_what_needs_a_decision_and_an_undo_brings_all_back(self):
        for name in DUMPS:
            for copy, change in COPIES.items():
                with self.subTest(f"{name}, {copy}"):
                    self.load(name, change(self.lines(name)))
                    self.repair_and_undo(name)

    def repair_and_undo(self, name):
        before = self.dump(name)
        self.run_program("audit", name + ".toml", "--out", "out", code=4)
        self.run_program("plan", "out", code=4)
        self.run_program("repair", "out/plan.ndjson", code=4)
        self.assertEqual(before, self.dump(name), "a repair without --apply wrote")
        left = [line for line in read_lines(self.path("out", "findings.ndjson"))
                if json.loads(line)["kind"] in FOR_A_PERSON]
        self.run_program("repair", "out/plan.ndjson", "--apply", code=4 if left else 0)
        self.assertNotEqual(before, self.dump(name))

        after = self.run_program("audit", name + ".toml", "--out", "again", code=4 if left else 0)
        found = read_lines(self.path("again", "findings.ndjson"))
        self.assertEqual([json.loads(line)["id"] for line in left],
                         [json.loads(line)["id"] for line in found], str(after))

        self.run_program("undo", "out/journal.ndjson", "--apply", code=0)
        self.assertEqual(before, self.dump(name))

    def test_what_was_loaded_is_what_is_dumped(self):
        for name in DUMPS:
            with self.subTest(name):
                self.load(name, self.lines(name))
                self.assertEqual(sorted_rows(self.lines(name)),
                                 sorted_rows(self.dump(name).splitlines()))


if __name__ == "__main__":
    program.main()
