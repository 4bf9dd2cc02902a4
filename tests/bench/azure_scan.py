#!/usr/bin/env python3
"""Rows a second of an audit of Azure tables over loopback, by how many requests are under way.

Starts azurite (tests/servers), puts people and an index of them into it, and audits both tables
with 1, 8 and 64 requests in flight, by turns. Prints a table for README.md beside this file. Not
part of the tests, and of little use on a machine that does other things meanwhile.

    IDXFSCK_PROGRAM=build/release/idxfsck python3 tests/bench/azure_scan.py --rows 100000

Needs what tests/run installs: Node.js and azurite in build/servers.
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tests", "servers"))
import azure_table  # noqa: E402
import real_server  # noqa: E402

PROGRAM = os.environ.get("IDXFSCK_PROGRAM", os.path.join(ROOT, "build", "release", "idxfsck"))
PARTITION = 50   # people of one customer
BATCH = 100
SPEC = """[store.main]
kind     = "azure_tables"
endpoint = "{endpoint}/devstoreaccount1"

[base.user]
store = "main"
table = "people"
key   = ["PartitionKey", "RowKey"]

[[index]]
name    = "by-email"
of      = "user"
store   = "main"
table   = "byemail"
key     = {{ PartitionKey = "{{Email}}", RowKey = "email" }}
pointer = {{ UserPartition = "{{PartitionKey}}", UserRow = "{{RowKey}}" }}
copies  = {{ Name = "{{Name}}" }}
unique  = true
settle  = "0s"
"""
# Nobody's account but the emulator's.
NO_ACCOUNTS = {name: "" for name in (
    "AZURE_STORAGE_CONNECTION_STRING", "AZURE_STORAGE_KEY", "AZURE_STORAGE_SAS_TOKEN",
    "AZURE_STORAGE_ACCOUNT", "AZURE_STORAGE_SERVICE_ENDPOINT")}


def person(number):
    return {"PartitionKey": f"customer-{number // PARTITION:06}", "RowKey": f"u{number:08}",
            "Email": f"mail{number * 7919 % 999_983:06}.{number}@example.com",
            "Name": f"Name {number}", "Seen@odata.type": "Edm.Int64", "Seen": str(number),
            "Note": "n" * 60}


def entry(number):
    one = person(number)
    return {"PartitionKey": one["Email"], "RowKey": "email", "UserPartition": one["PartitionKey"],
            "UserRow": one["RowKey"], "Name": one["Name"]}


def fill(endpoint, table, rows):
    """The emulator takes batches over many partitions."""
    azure_table.make_table(endpoint, table)
    for begin in range(0, len(rows), BATCH):
        statuses = azure_table.batch(endpoint, [("POST", f"/{table}", row)
                                                for row in rows[begin:begin + BATCH]])
        if set(statuses) != {204}:
            raise ValueError(f"{table}: {statuses}")


def audit_seconds(folder, threads):
    begun = time.monotonic()
    done = subprocess.run([PROGRAM, "audit", "people.toml", "--threads", str(threads), "--out",
                           f"out-{threads}-{begun}"], cwd=folder, capture_output=True, text=True,
                          env={**os.environ, **NO_ACCOUNTS}, check=False)
    if done.returncode != 0:
        raise ValueError(f"status {done.returncode}\n{done.stdout}{done.stderr}")
    return time.monotonic() - begun


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--rows", type=int, default=100_000, help="of both tables together")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 8, 64])
    options = parser.parse_args()
    people = options.rows // 2
    with real_server.Server("azurite") as server, tempfile.TemporaryDirectory() as folder:
        fill(server.endpoint, "people", [person(number) for number in range(people)])
        fill(server.endpoint, "byemail", [entry(number) for number in range(people)])
        with open(os.path.join(folder, "people.toml"), "w", encoding="utf-8") as file:
            file.write(SPEC.format(endpoint=server.endpoint))
        seconds = {threads: [] for threads in options.threads}
        for run in range(options.runs + 1):
            for threads in options.threads:
                took = audit_seconds(folder, threads)
                # The first turn fills what azurite and the kernel keep.
                if run > 0:
                    seconds[threads].append(took)
    print(f"{2 * people:,} rows in two tables, median of {options.runs}, "
          f"load {os.getloadavg()[0]:.1f}")
    print("\n| requests in flight | seconds | rows a second | spread |\n| --- | --- | --- | --- |")
    for threads, took in seconds.items():
        median = statistics.median(took)
        print(f"| {threads} | {median:.2f} | {2 * people / median:,.0f} | "
              f"{(max(took) - min(took)) / median:.0%} |")


if __name__ == "__main__":
    main()
