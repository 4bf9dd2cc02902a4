"""The built program as tests call it, and folders that go away with the test."""

import os
import subprocess
import sys
import tempfile
import unittest

TESTS = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
ROOT = os.path.dirname(TESTS)
PROGRAM = os.environ.get("IDXFSCK_PROGRAM", os.path.join(ROOT, "build", "release", "idxfsck"))


class Result:
    """What one run left behind: exit status, standard output, standard error."""

    def __init__(self, words, code, output, error):
        self.words, self.code, self.output, self.error = words, code, output, error

    def __str__(self):
        return f"idxfsck {' '.join(map(str, self.words))}\nstatus {self.code}\n" \
               f"{self.output}{self.error}"


class ProgramTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="idxfsck-test-")
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def run_program(self, *words, code=None, environment=None):
        """Runs the program in the test's folder; `code` is the exit status that it must have."""
        done = subprocess.run([PROGRAM, *map(str, words)], cwd=self.folder, check=False,
                              stdin=subprocess.DEVNULL, capture_output=True, timeout=300,
                              env={**os.environ, **(environment or {})})
        result = Result(words, done.returncode, done.stdout.decode("utf-8", "surrogateescape"),
                        done.stderr.decode("utf-8", "surrogateescape"))
        if code is not None:
            self.assertEqual(code, result.code, str(result))
        return result

    def write(self, name, text):
        """Writes a file in the test's folder and gives its path."""
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        return self.path(name)


def read_bytes(path):
    with open(path, "rb") as file:
        return file.read()


def contents(folder):
    """Every file below a folder with its bytes: for "nothing was written"."""
    return {os.path.relpath(os.path.join(where, name), folder):
            read_bytes(os.path.join(where, name))
            for where, _, names in os.walk(folder) for name in names}


def can_catch(process, number):
    """Has the program a handler for this signal by now?"""
    try:
        with open(f"/proc/{process.pid}/status", encoding="ascii") as status:
            caught = next(line for line in status if line.startswith("SigCgt:"))
    except (FileNotFoundError, ProcessLookupError):
        return False
    return int(caught.split()[1], 16) >> (number - 1) & 1 == 1


def main():
    sys.exit(unittest.main(verbosity=1))
