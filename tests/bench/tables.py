"""The data of the benchmarks: one set of rows as an embedded store, as gzip NDJSON in the shape of
a DynamoDB export, and as CSV. Made once by make_tables, and kept."""

import concurrent.futures
import os
import shutil
import subprocess

import measure

PARTS = 4  # files a table, of those forms that are files
TABLES = ("Users", "UsersByEmail")
ENDINGS = {"gzip": "ndjson.gz", "csv": "csv"}

INDEX = """
[base.user]
store   = "main"
table   = "Users"
key     = ["UserId"]
real_if = ["CreatedAt"]

[[index]]
name    = "users-by-email"
of      = "user"
store   = "main"
table   = "UsersByEmail"
key     = { Email = "{Email|lower}" }
pointer = { UserId = "{UserId}" }
unique  = true
"""

STORES = {
    "store": '[store.main]\nkind = "rocksdb"\npath = "store"\n',
    "gzip": '[store.main]\nkind = "files"\npath = "gzip"\n\n'
            '[store.main.tables.Users]\nkey   = ["UserId"]\nshape = "dynamodb"\n\n'
            '[store.main.tables.UsersByEmail]\nkey   = ["Email"]\nshape = "dynamodb"\n',
    "csv": '[store.main]\nkind = "files"\npath = "csv"\n\n'
           '[store.main.tables.Users]\nkey = ["UserId"]\n\n'
           '[store.main.tables.UsersByEmail]\nkey = ["Email"]\n',
}


class Tables:
    """The tables of one size: where they are, and what an audit of them must find."""

    def __init__(self, programs, folder, rows, orphaned, stale):
        self.programs = programs
        self.rows, self.orphaned, self.stale = rows, orphaned, stale
        self.folder = os.path.join(os.path.abspath(folder), f"{rows}-{orphaned}-{stale}")
        self.expected = os.path.join(self.folder, "expected.ndjson")
        os.makedirs(self.folder, exist_ok=True)

    def write_spec(self, form):
        path = os.path.join(self.folder, f"{form}.toml")
        with open(path, "w", encoding="utf-8") as file:
            file.write(STORES[form] + INDEX)
        return path

    def parts(self, form):
        return [os.path.join(self.folder, form, table, f"part-{part}.{ENDINGS[form]}")
                for table in TABLES for part in range(PARTS)]

    def make(self, form):
        done = os.path.join(self.folder, form + ".done")
        if os.path.exists(done):
            return
        print(f"making {self.rows:,} users, {form}", flush=True)
        shutil.rmtree(os.path.join(self.folder, form), ignore_errors=True)  # of a run cut short
        if form == "store":
            self.programs.measured("make_tables", "store", self.folder, *self.counts())
        else:
            self.make_files(form)
        with open(done, "w", encoding="utf-8"):
            pass

    def counts(self):
        return self.rows, self.orphaned, self.stale

    def make_files(self, form):
        for table in TABLES:
            os.makedirs(os.path.join(self.folder, form, table), exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            places = [(table, part) for table in TABLES for part in range(PARTS)]
            for _ in pool.map(lambda place: self.make_part(form, *place), places):
                pass

    def make_part(self, form, table, part):
        """One file: what make_tables prints, through gzip if it is to be compressed."""
        path = os.path.join(self.folder, form, table, f"part-{part}.{ENDINGS[form]}")
        printed = "ndjson" if form == "gzip" else form
        command = [self.programs.path("make_tables"), printed, table, *map(str, self.counts()),
                   str(part), str(PARTS)]
        with open(path, "wb") as file:
            if form != "gzip":
                subprocess.run(command, stdout=file, check=True)
                return
            with subprocess.Popen(command, stdout=subprocess.PIPE) as rows:
                subprocess.run(["gzip", "--no-name", "-6"], stdin=rows.stdout, stdout=file,
                               check=True)
        if rows.returncode != 0:
            raise measure.Trouble(f"{' '.join(command)} ended with {rows.returncode}")


def base_rows(rows, large):
    """The sizes whose growth is looked at."""
    return [rows // 10, rows] + ([rows * 10] if large else [])
