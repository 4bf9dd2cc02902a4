"""An audit in shares: several processes at once, one merge, the files of one audit.

Method: seeded drift in an embedded store; an audit in one process with the seed and the moment of
the parameters is the answer. Sketches are copied, scanned again, left out, cut; processes are
killed in the middle.
"""

import json
import os
import random
import shutil
import signal
import subprocess
import sys
import time

import program

WORLD = ["--rows", 4000, "--indexes", "unique,pointer_less,multi_valued", "--drift",
         "orphaned_write=30,base_missing=20,value_changed=10"]
MOMENT = ["--seed", "7", "--as-of", "2026-11-29T22:12:00Z", "--partitions", "8"]
SHARES = 4


class Merge(program.ProgramTest):
    def setUp(self):
        super().setUp()
        self.run_program("seed", "world", *WORLD, code=0)
        self.spec = "world/spec.toml"
        self.run_program("audit", self.spec, "--new-sketch-parameters", "parameters", *MOMENT,
                         code=0)

    def share_words(self, number, file, count=SHARES):
        return ["audit", self.spec, "--sketch-parameters", "parameters", "--share",
                f"{number}/{count}", "--sketch-out", file]

    def share(self, number, file, *options, count=SHARES, code=0):
        return self.run_program(*self.share_words(number, file, count), *options, code=code)

    def start(self, words):
        return subprocess.Popen([program.PROGRAM, *words], cwd=self.folder,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE)

    def all_shares(self):
        """All of them at once; gives their files."""
        files = [f"{number}.sketch" for number in range(1, SHARES + 1)]
        running = [self.start(self.share_words(number + 1, file))
                   for number, file in enumerate(files)]
        for process in running:
            output, error = process.communicate(timeout=300)
            self.assertEqual(0, process.returncode, (output + error).decode())
        return files

    def merge(self, *files, code=4, folder="merged", options=()):
        return self.run_program("merge", self.spec, *files, "--out", folder, *options, code=code)

    def answer(self, folder):
        """The files of an audit, without what tells when and in how many pieces it was scanned."""
        summary = json.loads(program.read_bytes(self.path(folder, "audit.json")))
        for name in ("begin_ms", "end_ms", "snapshot", "shares"):
            summary["coverage"].pop(name, None)
        for index in summary["coverage"]["indexes"]:
            index.pop("engine_reason")
        return summary, program.read_bytes(self.path(folder, "findings.ndjson"))

    def whole(self):
        self.run_program("audit", self.spec, "--out", "whole", *MOMENT, code=4)
        return self.answer("whole")

    def test_shares_of_several_processes_make_one_audit(self):
        whole = self.whole()
        files = self.all_shares()
        for file in files + ["parameters"]:
            self.assertEqual(0o600, os.stat(self.path(file)).st_mode & 0o777)
        shutil.copy(self.path(files[1]), self.path("copy.sketch"))
        self.share(3, "again.sketch", "--threads", "3")
        files += ["copy.sketch", "again.sketch"]
        for seed in range(3):
            random.Random(seed).shuffle(files)
            result = self.merge(*files)
            self.assertEqual(whole, self.answer("merged"))
            self.assertIn("added up from 4 shares\n", result.output)
            self.assertNotIn("versions", result.output)
        self.merge(*files, options=["--expect", "world/expected.ndjson"], code=0)
        self.run_program("plan", "merged", code=4)
        shown = json.loads(self.merge(*files, options=["--format", "json"]).output)
        self.assertEqual(["1/4", "2/4", "3/4", "4/4"],
                         [share["share"] for share in shown["coverage"]["shares"]])
        self.assertEqual("", self.merge(*files, options=["--redact"]).error)
        report = self.run_program("report", "merged", "--verbose", code=4)
        self.assertIn("share 3/4", report.output)

    def test_a_file_that_cannot_be_written_is_known_before_the_scan(self):
        result = self.share(1, "no/folder/1.sketch", code=8)
        self.assertIn("no/folder", result.error)

    def test_a_sketch_of_everything_needs_no_parameters(self):
        whole = self.whole()
        self.run_program("audit", self.spec, "--sketch-out", "all.sketch", *MOMENT, code=0)
        self.merge("all.sketch")
        self.assertEqual(whole, self.answer("merged"))

    def test_what_does_not_make_one_audit_is_named_and_leaves_no_audit(self):
        files = self.all_shares()
        self.share(1, "half.sketch", count=2)
        self.run_program("audit", self.spec, "--new-sketch-parameters", "parameters", code=0)
        self.share(4, "other.sketch")
        with open(self.path(files[0]), "rb") as file:
            cut = file.read()[:-100]
        with open(self.path("cut.sketch"), "wb") as file:
            file.write(cut)
        for names, code, words in [
                (files[:2], 16, ["missing", "3/4", "4/4"]),
                (files + ["half.sketch"], 16, ["overlap", "half.sketch", "1/2"]),
                (files[:3] + ["other.sketch"], 16, ["other.sketch", "differs=seed"]),
                (["cut.sketch"] + files[1:], 8, ["cut.sketch", "damaged or was cut"]),
                (files + ["nowhere.sketch"], 16, ["nowhere.sketch"]),
                (files + ["world/expected.ndjson"], 8, ["expected.ndjson"])]:
            with self.subTest(names):
                error = self.merge(*names, code=code).error
                for word in words:
                    self.assertIn(word, error)
                self.assertFalse(os.path.exists(self.path("merged", "audit.json")))
        with open(self.path(self.spec), "a", encoding="utf-8") as file:
            file.write("# changed\n")
        self.assertIn("differs=spec", self.merge(*files, code=16).error)
        error = self.share(1, "new.sketch", code=16).error
        self.assertIn("differs=spec", error)
        self.assertIn("parameters=parameters", error)
        self.assertFalse(os.path.exists(self.path("new.sketch")))

    def test_a_kill_in_the_middle_leaves_no_sketch_and_the_share_can_be_done_again(self):
        whole = self.whole()
        seed = random.randrange(1 << 32)
        print(f"seed {seed}", file=sys.stderr)
        dice = random.Random(seed)
        begin = time.monotonic()
        files = self.all_shares()
        seconds = time.monotonic() - begin
        for _ in range(6):
            os.remove(self.path(files[1]))
            process = self.start(self.share_words(2, files[1]))
            time.sleep(dice.random() * seconds)
            process.send_signal(signal.SIGKILL)
            process.communicate(timeout=300)
            if os.path.exists(self.path(files[1])):
                self.merge(*files)
            else:
                self.assertIn("missing=2/4", self.merge(*files[:1], *files[2:], code=16).error)
                self.share(2, files[1])
                self.merge(*files)
            self.assertEqual(whole, self.answer("merged"))

    def test_a_share_that_a_signal_stops_goes_on(self):
        whole = self.whole()
        files = self.all_shares()
        codes = set()
        for _ in range(20):
            os.remove(self.path(files[2]))
            process = self.start(self.share_words(3, files[2]))
            while process.poll() is None and not program.can_catch(process, signal.SIGTERM):
                time.sleep(0.0002)
            process.send_signal(signal.SIGTERM)
            output, error = process.communicate(timeout=300)
            codes.add(process.returncode)
            if process.returncode == 32 + 8:
                self.assertIn("STOPPED IN SHARE 3/4", output.decode())
                self.assertIn("--resume", output.decode())
                self.assertFalse(os.path.exists(self.path(files[2])))
                other = self.share(2, files[2], "--resume", code=16)
                self.assertIn("another share", other.error)
                self.share(3, files[2], "--resume")
                break
            self.assertIn(process.returncode, (0, -signal.SIGTERM), (output + error).decode())
            if process.returncode != 0:
                self.share(3, files[2])
        self.merge(*files)
        self.assertEqual(whole, self.answer("merged"))
        self.assertFalse(os.path.exists(self.path(files[2] + ".checkpoint")))

    def test_options_that_do_not_go_together_are_refused(self):
        for words, complaint in [
                (["--share", "1/4"], "--sketch-out"),
                (["--sketch-parameters", "parameters"], "--sketch-out"),
                (["--share", "1/4", "--sketch-out", "s"], "--new-sketch-parameters"),
                (["--sketch-out", "s", "--resume"], "--resume"),
                (["--sketch-out", "s", "--out", "folder"], "--out"),
                (["--sketch-out", "s", "--expect", "world/expected.ndjson"], "--expect"),
                (["--sketch-parameters", "parameters", "--sketch-out", "s", "--seed", "1"],
                 "--seed"),
                (["--new-sketch-parameters", "p", "--share", "1/2"], "--share"),
                (["--sketch-parameters", "parameters", "--share", "5/4", "--sketch-out", "s"],
                 "5/4"),
                (["--sketch-parameters", "parameters", "--share", "1/4/2", "--sketch-out", "s"],
                 "1/4/2")]:
            with self.subTest(words):
                result = self.run_program("audit", self.spec, *words, code=16)
                self.assertIn(complaint, result.error)
        self.assertEqual(["parameters", "world"], sorted(os.listdir(self.folder)))

    def test_shares_speak_json(self):
        result = self.share(1, "1.sketch", "--format", "json")
        share = json.loads(result.output)
        self.assertEqual(["1/4", "1.sketch", 0], [share["share"], share["sketch"],
                                                  share["exit_code"]])
        self.assertEqual(share["partitions"], share["partitions_read"])
        made = self.run_program("audit", self.spec, "--new-sketch-parameters", "p", "--format",
                                "json", code=0)
        self.assertEqual("p", json.loads(made.output)["sketch_parameters"])
        self.assertEqual("", self.share(1, "1.sketch", "--quiet").output)


if __name__ == "__main__":
    program.main()
