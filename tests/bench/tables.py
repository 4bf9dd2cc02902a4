"""The data of the benchmarks: one set of rows as an embedded store, as exports of DynamoDB with
their manifests, and as CSV. Made once by make_tables, and kept."""

import base64
import concurrent.futures
import hashlib
import json
import os
import shutil
import subprocess

import measure

PARTS = 4  # files a table, of those forms that are files
TABLES = ("Users", "UsersByEmail")
PLACES = {"gzip": ("exports", "data", "json.gz"), "csv": ("csv", "", "csv")}

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
    "gzip": '[store.main]\nkind = "files"\npath = "exports"\n',
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

    def form_folder(self, form):
        return os.path.join(self.folder, PLACES[form][0])

    def table_folder(self, form, table):
        return os.path.join(self.form_folder(form), table)

    def part_path(self, form, table, part):
        _, below, ending = PLACES[form]
        return os.path.join(self.table_folder(form, table), below, f"part-{part}.{ending}")

    def parts(self, form):
        return [self.part_path(form, table, part) for table in TABLES for part in range(PARTS)]

    def make(self, form):
        folder = PLACES[form][0] if form in PLACES else form
        done = os.path.join(self.folder, folder + ".done")
        if os.path.exists(done):
            return
        print(f"making {self.rows:,} users, {form}", flush=True)
        shutil.rmtree(os.path.join(self.folder, folder), ignore_errors=True)  # of a run cut short
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
            os.makedirs(os.path.dirname(self.part_path(form, table, 0)), exist_ok=True)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            places = [(table, part) for table in TABLES for part in range(PARTS)]
            for _ in pool.map(lambda place: self.make_part(form, *place), places):
                pass
        if form == "gzip":
            for table in TABLES:
                self.write_manifests(table)

    def write_manifests(self, table):
        """What makes an export of the parts: how many rows each has, and its MD5."""
        lines = []
        for part in range(PARTS):
            path = self.part_path("gzip", table, part)
            md5 = hashlib.md5()
            with open(path, "rb") as file:
                for block in iter(lambda: file.read(1 << 20), b""):
                    md5.update(block)
            lines.append({"itemCount": rows_in(path),
                          "md5Checksum": base64.b64encode(md5.digest()).decode(),
                          "etag": md5.hexdigest() + "-1",
                          "dataFileS3Key": f"AWSDynamoDB/01/data/{os.path.basename(path)}"})
        summary = {"version": "2020-06-30", "exportTime": "2026-11-29T22:00:00.000Z",
                   "tableArn": f"arn:aws:dynamodb:us-east-1:123456789012:table/{table}",
                   "itemCount": sum(line["itemCount"] for line in lines),
                   "outputFormat": "DYNAMODB_JSON"}
        for name, objects in (("files", lines), ("summary", [summary])):
            path = os.path.join(self.table_folder("gzip", table), f"manifest-{name}.json")
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(json.dumps(one) + "\n" for one in objects)

    def make_part(self, form, table, part):
        """One file: what make_tables prints, through gzip if it is to be compressed."""
        path = self.part_path(form, table, part)
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


def rows_in(path):
    """Lines of a compressed file."""
    with subprocess.Popen(["gzip", "-dc", path], stdout=subprocess.PIPE) as lines:
        counted = subprocess.run(["wc", "-l"], stdin=lines.stdout, stdout=subprocess.PIPE,
                                 check=True)
    return int(counted.stdout)


def base_rows(rows, large):
    """The sizes whose growth is looked at."""
    return [rows // 10, rows] + ([rows * 10] if large else [])
