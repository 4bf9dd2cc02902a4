"""The seven goals: what is run for each, and what is asked of it.

A goal is a function of the Bench that gives its measures. A measure is one ratio or size with the
limit that was asked for; a goal holds if all of its measures do."""

import dataclasses
import os
import shutil

import measure
import peers
from measure import MEGABYTE, median
from tables import base_rows


@dataclasses.dataclass
class Measure:
    what: str
    value: float
    limit: float
    at_most: bool = True  # else at least
    unit: str = "x"

    def holds(self):
        return self.value <= self.limit if self.at_most else self.value >= self.limit

    def asked(self):
        return f"{'<=' if self.at_most else '>='} {self.limit:g} {self.unit}"


def show(bench, what, figures, rows=None):
    """One line of figures, printed and kept; gives the median of seconds."""
    seconds = median(figures["seconds"])
    line = f"  {what:<44} {seconds:9.3f} s"
    if rows:
        line += f" {seconds / rows * 1e9:8.1f} ns/row"
    else:
        line += " " * 16
    line += f" {median(figures['processor_seconds']):9.3f} s of processors"
    line += f" {max(figures['memory']) / MEGABYTE:9.1f} MB"
    print(f"{line}   spread {measure.spread(figures['seconds']):.0%}", flush=True)
    bench.keep(what, figures)
    return seconds


def walk_beside_bare(bench):
    """1: an audit of the embedded store beside a bare walk over the same rows."""
    tables = bench.tables()
    spec = bench.spec_of(tables, "store")
    store = os.path.join(tables.folder, "store")
    taken = bench.by_turns({
        "bare": lambda: bench.programs.told("bare_scan", store, bench.threads),
        "audit": lambda: bench.audit(tables, spec)})
    bare = show(bench, "bare iteration of the store", taken["bare"], tables.rows * 2)
    audit = show(bench, "audit of the store", taken["audit"], tables.rows * 2)
    memory = max(taken["audit"]["memory"]) - median(taken["bare"]["memory"])
    bench.say("no option leaves the keys out of the sketch: both limits meet the same figure")
    return [Measure("audit / bare iteration, by fingerprint", audit / bare, 1.10),
            Measure("audit / bare iteration, keys in the sketch", audit / bare, 1.15),
            Measure("memory beyond the bare iteration's", memory / MEGABYTE, 32, unit="MB")]


def beside_peers(bench, form, faster, smaller):
    """2 and 3: an audit of files beside the peers' best queries on the same files."""
    tables = bench.tables()
    spec = bench.spec_of(tables, form)
    tables.make(form)
    titles = {"bare": "bare decompression", "audit": "whole audit",
              "suspects": "audit, up to the suspects", **peers.TITLES}
    participants = {}
    if spec:
        participants["audit"] = lambda: bench.audit(tables, spec)
        participants["suspects"] = lambda: bench.until_suspects(tables, spec, "auto")
    if form == "gzip":
        parts = tables.parts(form)
        participants["bare"] = lambda: bench.programs.told("bare_inflate", bench.threads, *parts)
    for peer in bench.peers:
        best = peer.best_query(tables, form)
        if best:
            titles[peer.name] += f" {best[0]}"
            participants[peer.name] = lambda peer=peer, query=best[0]: peer.run(tables, form,
                                                                                query)
    taken = bench.by_turns(participants)
    for name, figures in taken.items():
        rows = tables.rows * 2
        show(bench, titles.get(name, name) + f", {form}", figures, rows)
    return peer_measures(bench, taken, faster, smaller) if spec else []


def peer_measures(bench, taken, faster, smaller):
    """The whole audit, and the audit up to its suspects: the keys that differ, which is all that a
    peer's query gives. What the audit does after that, reading their rows again to tell what is
    wrong with each, no peer does."""
    measures = []
    theirs = [taken[peer.name] for peer in bench.peers if peer.name in taken]
    for name, what in (("audit", "audit"), ("suspects", "audit up to the suspects")):
        ours = taken[name]
        if theirs:
            best = min(theirs, key=lambda figures: median(figures["seconds"]))
            beyond_idle = max(max(ours["memory"]) - bench.idle_memory(), 2**16)
            beyond = median(best["memory"]) - median(best["idle"])
            measures += [
                Measure(f"better peer / {what}, time", median(best["seconds"])
                        / median(ours["seconds"]), faster, at_most=False),
                Measure(f"better peer / {what}, memory beyond idle", beyond / beyond_idle, smaller,
                        at_most=False)]
        if "bare" in taken:
            measures.append(Measure(f"{what} / bare decompression", median(ours["seconds"])
                                    / median(taken["bare"]["seconds"]), 1.35))
    return measures


def growth(bench):
    """4: time per row and memory at several sizes."""
    measures = []
    for form in ("store", "gzip", "csv"):
        sizes = [bench.tables(rows) for rows in base_rows(bench.rows, bench.large)]
        specs = [bench.spec_of(tables, form) for tables in sizes]
        if not all(specs):
            continue
        taken = bench.by_turns({
            tables.rows: lambda tables=tables, spec=spec: bench.audit(tables, spec)
            for tables, spec in zip(sizes, specs)})
        per_row = [show(bench, f"audit, {form}, {tables.rows:,} + {tables.rows:,} rows",
                        taken[tables.rows], tables.rows * 2) / tables.rows for tables in sizes]
        memory = [max(taken[tables.rows]["memory"]) for tables in sizes]
        measures += [
            Measure(f"time per row, largest / smallest, {form}", per_row[-1] / per_row[0], 1.10),
            Measure(f"memory, largest / smallest, {form}", memory[-1] / memory[0], 1.10)]
    return measures


def engine(bench):
    """5: what the engine takes for an entry."""
    told = bench.programs.told("engine_speed", max(bench.runs, 1))
    print(f"  from rows: canonical bytes {told['bytes_ns']:.1f} ns; with hash "
          f"{told['bytes_hash_ns']:.1f}; and sketch of fingerprints {told['fingerprints_ns']:.1f}; "
          f"of keys, in cells of 64 bytes {told['narrow_keys_ns']:.1f}, of 128 "
          f"{told['wide_keys_ns']:.1f}; an audit takes those of {told['cell_bytes']}", flush=True)
    bench.keep("engine, ns an entry", told)
    return [Measure("engine, by fingerprint", told["fingerprints_ns"], 15, unit="ns"),
            Measure("engine, keys in the sketch", told["keys_ns"], 15, unit="ns")]


def much_drift(bench):
    """6: a fifth of the index missing, in one pass, up to the suspects."""
    clean = bench.tables()
    drifted = bench.tables(orphaned=bench.rows // 5)
    engine_name = "one_pass" if "--one-pass" in bench.help_of_audit() else "exact"
    if engine_name == "exact":
        bench.say("this version has no --one-pass: the exact engine is measured, which reads once")
    measures = []
    for form in ("store", "gzip"):
        specs = [bench.spec_of(tables, form) for tables in (clean, drifted)]
        if not all(specs):
            continue
        taken = bench.by_turns({
            "clean": lambda: bench.until_suspects(clean, specs[0], "auto"),
            "drifted": lambda: bench.until_suspects(drifted, specs[1], engine_name)})
        before = show(bench, f"to the suspects, {form}, clean", taken["clean"])
        after = show(bench, f"to the suspects, {form}, a fifth missing", taken["drifted"])
        measures += [
            Measure(f"a fifth missing / clean, {form}", after / before, 1.25),
            Measure(f"memory, a fifth missing, {form}",
                    max(taken["drifted"]["memory"]) / MEGABYTE, 64, unit="MB")]
    return measures


def threads(bench):
    """7: two threads beside one."""
    measures = []
    for form in ("store", "gzip", "csv"):
        tables = bench.tables()
        spec = bench.spec_of(tables, form)
        if not spec:
            continue
        taken = bench.by_turns({
            count: lambda count=count: bench.audit(tables, spec, count) for count in (1, 2)})
        one, two = (show(bench, f"audit, {form}, threads: {count}", taken[count], tables.rows * 2)
                    for count in (1, 2))
        measures.append(Measure(f"one thread / two, {form}", one / two, 1.9, at_most=False))
    return measures


GOALS = {
    1: ("embedded store beside bare iteration", walk_beside_bare),
    2: ("gzip export beside peers and bare decompression",
        lambda bench: beside_peers(bench, "gzip", 6, 100)),
    3: ("CSV beside peers", lambda bench: beside_peers(bench, "csv", 8, 150)),
    4: ("growth", growth),
    5: ("engine, ns an entry", engine),
    6: ("a fifth of the index missing", much_drift),
    7: ("two threads beside one", threads),
}


def remove(folder):
    shutil.rmtree(folder, ignore_errors=True)
