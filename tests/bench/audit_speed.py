"""How fast an audit is beside a bare walk over the same rows, and how much memory it takes.

Takes the built program and bare_scan, seeds a store with one unique index (once; it is kept), and
runs both by turns, so that whatever else the machine does falls on both. Prints medians.
"""

import argparse
import json
import os
import statistics
import subprocess
import sys
import time


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--bare-scan", required=True)
    parser.add_argument("--folder", required=True, help="where the store is, or is to be made")
    parser.add_argument("--rows", type=int, default=10_000_000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--indexes", default="unique")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    return parser.parse_args()


def run_measured(command):
    """Exit status, standard output, seconds and peak memory in MiB of one run."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    output = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return process.returncode, output, time.monotonic() - begin, usage.ru_maxrss / 1024


def seed(options, folder):
    if os.path.exists(os.path.join(folder, "spec.toml")):
        return
    print(f"seeding {options.rows} users", flush=True)
    status, output, seconds, memory = run_measured(
        [options.program, "seed", folder, "--rows", str(options.rows), "--indexes",
         options.indexes, "--drift", "orphaned_write=100,base_missing=100"])
    if status != 0:
        sys.exit(f"seed ended with {status}")
    print(f"  {output.splitlines()[0]}\n  {seconds:.1f} s, {memory:.0f} MiB at most", flush=True)


def bare(options, folder, threads):
    status, output, _, _ = run_measured([options.bare_scan, os.path.join(folder, "store"),
                                         str(threads)])
    if status != 0:
        sys.exit(f"bare_scan ended with {status}")
    return json.loads(output)


def audit(options, folder, run):
    out = os.path.join(folder, f"audit-{os.getpid()}-{run}")
    status, output, seconds, memory = run_measured(
        [options.program, "audit", os.path.join(folder, "spec.toml"), "--out", out,
         "--threads", str(options.threads), "--expect", os.path.join(folder, "expected.ndjson")])
    if status != 0:
        sys.exit(f"audit ended with {status}:\n{output}")
    return seconds, memory


def main():
    options = arguments()
    folder = os.path.join(options.folder, f"{options.rows}-{options.indexes}")
    os.makedirs(options.folder, exist_ok=True)
    seed(options, folder)
    ones, manys, audits, memories, rows = [], [], [], [], 0
    bare(options, folder, 1)  # fills the page cache
    for run in range(options.runs):
        ones.append(bare(options, folder, 1)["seconds"])
        manys.append(bare(options, folder, options.threads)["seconds"])
        seconds, memory = audit(options, folder, run)
        audits.append(seconds)
        memories.append(memory)
        rows = bare(options, folder, 1)["rows"]
    one, many, mean = map(statistics.median, (ones, manys, audits))
    print(f"rows of both tables        {rows}")
    print(f"bare walk, 1 thread        {one:8.2f} s  {rows / one:12.0f} rows/s")
    print(f"bare walk, {options.threads} threads       {many:8.2f} s  {rows / many:12.0f} rows/s")
    print(f"audit, {options.threads} threads           {mean:8.2f} s  {rows / mean:12.0f} rows/s"
          f"  {max(memories):.0f} MiB at most")
    print(f"audit / bare walk          {mean / one:.2f} of 1 thread, {mean / many:.2f} of "
          f"{options.threads} threads")


if __name__ == "__main__":
    main()
