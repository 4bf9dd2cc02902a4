"""The exports that tests make are as documented, and damaged in the one way that was asked for.

Method: an export is read back by a reader that knows the documented layout and checks everything
in it. Whole exports pass; of a damaged one it must say what is wrong, and nothing else.
"""

import base64
import glob
import gzip
import hashlib
import json
import os
import subprocess
import sys
import zlib

import program

SERVERS = os.path.join(program.TESTS, "servers")
sys.path.insert(0, SERVERS)
import export_folder  # noqa: E402

ROWS = [{"Item": {"pk": {"S": f"user#{number}"}, "n": {"N": str(number)}}} for number in range(40)]
# What the reader says of each damage.
SAYS = {"missing_file": ["file"], "truncated_file": ["md5", "gzip"],
        "flipped_byte": ["md5", "gzip"], "wrong_md5": ["md5"], "wrong_count": ["count"],
        "wrong_total": ["total"], "cut_line": ["json", "count"], "empty_line": ["json"],
        "file_twice": ["total", "twice"], "unnamed_file": ["unnamed"],
        "outside": ["file", "unnamed"], "no_files_manifest": ["files manifest"],
        "no_summary": ["summary"], "cut_manifest": ["files manifest"], "ion": ["format"],
        "incremental": ["kind"]}


def load(path):
    try:
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]
    except (OSError, ValueError):
        return None


def read_file(path, entry):
    """The rows of a data file, and what is wrong with it."""
    content = program.read_bytes(path)
    wrong, rows = [], []
    if base64.b64encode(hashlib.md5(content).digest()).decode() != entry["md5Checksum"]:
        wrong.append("md5")
    try:
        lines = gzip.decompress(content).split(b"\n")
    except (OSError, EOFError, zlib.error):
        return [], wrong + ["gzip"]
    for line in lines[:-1] if lines[-1] == b"" else lines:
        try:
            rows.append({"Item": json.loads(line)["Item"]})
        except ValueError:
            wrong.append("json")
    return rows, wrong + (["count"] if len(rows) != entry["itemCount"] else [])


def read_export(folder, where):
    """The rows of an export, and what is wrong with it."""
    summary = load(os.path.join(where, "manifest-summary.json"))
    if summary is None:
        return [], ["summary"]
    if summary[0].get("exportType", "FULL_EXPORT") != "FULL_EXPORT":
        return [], ["kind"]
    if summary[0]["outputFormat"] != "DYNAMODB_JSON":
        return [], ["format"]
    files = load(os.path.join(folder, summary[0]["manifestFilesS3Key"]))
    if files is None:
        return [], ["files manifest"]
    wrong, rows, seen = [], [], []
    if sum(entry["itemCount"] for entry in files) != summary[0]["itemCount"]:
        wrong.append("total")
    for entry in files:
        path = os.path.join(folder, entry["dataFileS3Key"])
        if not path.startswith(where + "/data/") or not os.path.exists(path):
            wrong.append("file")
            continue
        if path in seen:
            wrong.append("twice")
            continue
        seen.append(path)
        found, complaints = read_file(path, entry)
        rows += found
        wrong += complaints
    unnamed = set(glob.glob(where + "/data/*")) - set(seen)
    return rows, wrong + ["unnamed"] * len(unnamed)


class ExportFolder(program.ProgramTest):
    def export(self, name, **settings):
        folder = self.path(name)
        os.mkdir(folder)
        return folder, export_folder.write_export(ROWS, folder, **settings)

    def test_a_whole_export_holds_the_rows(self):
        for number, settings in enumerate(({}, {"files": 1}, {"files": 60}, {"prefix": "a/b"},
                                           {"table": "Users.2"})):
            with self.subTest(settings):
                folder, where = self.export(str(number), **settings)
                rows, wrong = read_export(folder, where)
                self.assertEqual([], wrong)
                self.assertEqual(sorted(map(json.dumps, ROWS)), sorted(map(json.dumps, rows)))
                names = sorted(name for name in os.listdir(where) if name != "data")
                self.assertEqual(["_started", "manifest-files.checksum", "manifest-files.json",
                                  "manifest-summary.checksum", "manifest-summary.json"], names)

    def test_a_damage_is_what_it_is_called_and_nothing_else(self):
        self.assertEqual(set(export_folder.DAMAGES), set(SAYS))
        for damage, says in SAYS.items():
            with self.subTest(damage):
                folder, where = self.export(damage, damage=damage)
                _, wrong = read_export(folder, where)
                self.assertEqual(says, wrong)

    def test_the_same_rows_give_the_same_bytes(self):
        folders = [self.export(name)[0] for name in ("one", "two")]
        self.assertEqual(*map(program.contents, folders))

    def test_it_is_a_command_too(self):
        rows = self.write("rows.ndjson", "".join(json.dumps(row) + "\n" for row in ROWS))
        done = subprocess.run([sys.executable, os.path.join(SERVERS, "export_folder.py"), rows,
                               self.folder, "--table", "t", "--damage", "wrong_total"],
                              capture_output=True, text=True, check=True)
        self.assertEqual(["total"], read_export(self.folder, done.stdout.strip())[1])


if __name__ == "__main__":
    program.main()
