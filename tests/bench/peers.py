"""The peers: DuckDB and ClickHouse in a Node process each, on the same files.

Every query that gives the differing keys is tried once; the fastest that found the right ones runs
in the measured turns. tests/bench/peers/ has the queries."""

import json
import os
import subprocess

import measure

# A way to compare and a way to read. Those that were slower by half and more at 10 M rows are tried
# with one way to read alone.
QUERIES = {
    ("duckdb", "gzip"): ("join/columns", "join/objects", "join/lines", "join_turned/lines",
                         "anti/lines", "group/lines", "hash/lines"),
    ("duckdb", "csv"): ("join/csv", "join_turned/csv", "anti/csv", "group/csv", "hash/csv"),
    ("chdb", "gzip"): ("join/columns", "join/lines", "join_parallel/lines", "join_sorted/lines",
                       "group/lines", "hash/lines"),
    ("chdb", "csv"): ("join/csv", "join_parallel/csv", "join_sorted/csv", "group/csv", "hash/csv"),
}
TITLES = {"duckdb": "DuckDB", "chdb": "ClickHouse"}
SECONDS_MAX = 900


class Peer:
    def __init__(self, name, folder, threads):
        self.name, self.folder, self.threads = name, folder, threads

    def run(self, tables, form, query):
        """Figures of one run; Trouble if it failed or found other keys than there are."""
        command = ["node", os.path.join(self.folder, f"{self.name}.mjs"), form,
                   tables.form_folder(form), query, str(self.threads)]
        try:
            done = subprocess.run(command, capture_output=True, check=False,
                                  stdin=subprocess.DEVNULL, timeout=SECONDS_MAX)
        except (OSError, subprocess.TimeoutExpired) as error:
            raise measure.Trouble(f"{self.name} {query}: {error}") from error
        if done.returncode != 0:
            raise measure.Trouble(f"{self.name} {query} ended with {done.returncode}\n"
                                  f"{done.stderr.decode()[-2000:]}")
        told = json.loads(done.stdout.decode().strip().splitlines()[-1])
        found = (told["orphaned"], told["stale"], told["named"])
        if found != (tables.orphaned, tables.stale, True):
            raise measure.Trouble(f"{self.name} {query} found {found}")
        return {"seconds": told["seconds"], "processor_seconds": told["processor_seconds"],
                "memory": told["memory_kib"] * 1024,
                "idle": told["idle_kib"] * 1024, "version": told["version"]}

    def best_query(self, tables, form):
        """(query, its figures) of the fastest; None if none gives the keys."""
        best = None
        for query in QUERIES[self.name, form]:
            try:
                run = self.run(tables, form, query)
            except measure.Trouble as trouble:
                print(f"  {str(trouble).splitlines()[0]}", flush=True)
                continue
            print(f"  {TITLES[self.name]} {run['version']}, {form}, {query}: "
                  f"{run['seconds']:.2f} s ({run['processor_seconds']:.2f} of processors), "
                  f"{run['memory'] / measure.MEGABYTE:.0f} MB "
                  f"({run['idle'] / measure.MEGABYTE:.0f} idle)", flush=True)
            if best is None or run["seconds"] < best[1]["seconds"]:
                best = (query, run)
        return best


def installed(folder, threads):
    """The peers that can be had; says aloud which cannot."""
    peers = []
    for name, package in (("duckdb", "@duckdb/node-api"), ("chdb", "chdb")):
        if folder and os.path.exists(os.path.join(folder, "node_modules", package)):
            peers.append(Peer(name, folder, threads))
        else:
            print(f"SKIPPED: {TITLES[name]} is not there ({package} from npm)", flush=True)
    return peers
