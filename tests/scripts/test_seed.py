"""Seeded drift is found, all of it and nothing else; a repair mends what it may; undo undoes it.

Method: the built program on stores of its own generator, whose answer key is checked against an
oracle in tests/reports/seed_tables.cpp.
"""

import os
import re
import shlex

import program

ALL_DRIFT = ("orphaned_write=12,base_missing=12,base_partial=8,value_changed=12,handed_over=6,"
             "base_exempt=4,unclaimed=4,divergent_copy=4,duplicate_claim=6,malformed_entry=8")
# What a person must decide; all else is mended by a repair.
FOR_A_PERSON = ("base_partial", "duplicate_claim", "malformed_entry")


class Seed(program.ProgramTest):
    def seed(self, rows, seed, *words, drift=ALL_DRIFT):
        self.run_program("seed", "world", "--rows", rows, "--seed", seed, "--drift", drift, *words,
                         code=0)

    def dumps(self):
        """Every table of the store as NDJSON."""
        spec = program.read_bytes(self.path("world/spec.toml")).decode()
        tables = re.findall(r'^table +=\s*"(.*)"$', spec, re.M)
        return {table: self.run_program("dump", "world/store", table, code=0).output
                for table in sorted(set(tables))}

    def test_seeded_drift_is_found_and_nothing_else(self):
        for seed in range(1, 6):
            with self.subTest(seed=seed):
                self.seed(2000, seed)
                self.run_program("audit", "world/spec.toml", "--expect", "world/expected.ndjson",
                                 code=0)
                os.rename(self.path("world"), self.path(f"world-{seed}"))

    def test_tables_without_drift_are_consistent(self):
        self.seed(1000, 9, drift="")
        self.run_program("audit", "world/spec.toml", code=0)

    def test_the_answer_does_not_depend_on_threads_parts_or_memory(self):
        self.seed(3000, 7)
        reports = set()
        for words in (["--threads", 1], ["--threads", 2], ["--threads", 7],
                      ["--partitions", 1], ["--partitions", 3], ["--partitions", 100],
                      ["--memory", "1M"], ["--seed", 1], ["--seed", 2]):
            self.run_program("audit", "world/spec.toml", "--expect", "world/expected.ndjson",
                             "--out", "out", *words, code=0)
            reports.add(program.read_bytes(self.path("out/findings.ndjson")))
        self.assertEqual(1, len(reports))

    def test_a_repair_mends_all_but_what_a_person_must_decide(self):
        self.seed(4000, 3)
        before = self.dumps()
        self.run_program("audit", "world/spec.toml", "--out", "first", code=4)
        self.run_program("plan", "first", code=4)
        self.run_program("repair", "first/plan.ndjson", "--apply", code=4)

        key = program.read_bytes(self.path("world/expected.ndjson")).decode().splitlines()
        left = [line for line in key if any(f'"{word}"' in line for word in FOR_A_PERSON)]
        self.assertEqual(8 + 6 + 8, len(left))
        self.write("left.ndjson", "\n".join(left))
        self.run_program("audit", "world/spec.toml", "--expect", "left.ndjson", code=0)

        self.run_program("repair", "first/plan.ndjson", "--apply", code=4)
        self.run_program("audit", "world/spec.toml", "--expect", "left.ndjson", code=0)

        journals = [name for name in os.listdir(self.path("first")) if name.startswith("journal")]
        self.assertEqual(1, len(journals))
        self.run_program("undo", "first/" + journals[0], "--apply", code=0)
        self.assertEqual(before, self.dumps())
        self.run_program("audit", "world/spec.toml", "--expect", "world/expected.ndjson", code=0)

    def test_tables_as_files_are_the_same_each_time_and_load_into_the_same_store(self):
        self.seed(500, 11, "--ndjson")
        files = program.contents(self.path("world"))
        os.rename(self.path("world"), self.path("other"))
        self.seed(500, 11, "--ndjson")
        self.assertEqual(files, program.contents(self.path("world")))

        keys = {"Users": "UserId", "UsersByEmail": "Email", "UsersByCity": "City,UserId",
                "UsersByTag": "Tag,UserId", "TeamMembers": "TeamId", "UsersByPhone": "Phone",
                "UsersByLogin": "Login", "HandleClaims": "Handle", "App": "pk,sk"}
        for table, key in keys.items():
            self.run_program("load", "world/store", table, f"world/tables/{table}.ndjson",
                             "--key", key, code=0)
        self.run_program("audit", "world/spec.toml", "--expect", "world/expected.ndjson", code=0)
        for table, text in self.dumps().items():
            rows = program.read_bytes(self.path("world/tables", f"{table}.ndjson")).decode()
            self.assertEqual(sorted(rows.splitlines()), sorted(text.splitlines()))


class Demo(program.ProgramTest):
    def test_the_demo_ends_clean_and_its_commands_run_by_hand(self):
        result = self.run_program("demo", "walk", "--rows", 3000, code=0)
        commands = re.findall(r"^\$ idxfsck (.*)$", result.output, re.M)
        self.assertEqual(["seed", "audit", "plan", "repair", "audit"],
                         [command.split()[0] for command in commands])
        by_hand = [shlex.split(command.replace("walk", "hand")) for command in commands]
        codes = [self.run_program(*words).code for words in by_hand]
        self.assertEqual([0, 4, 4, 0, 0], codes)

    def test_the_demo_without_a_folder_makes_a_new_one_and_leaves_it(self):
        result = self.run_program("demo", "--rows", 500, code=0,
                                  environment={"TMPDIR": self.folder})
        [made] = os.listdir(self.folder)
        self.assertIn(self.path(made), result.output)
        self.assertTrue(os.path.exists(self.path(made, "audit", "plan.ndjson")))


if __name__ == "__main__":
    program.main()
