"""Measures the seven goals of speed and memory, and prints them as ratios.

tests/bench/run builds what this needs, installs the peers and starts it; README.md is the page.
"""

import argparse
import json
import os
import sys

import measure
import peers
from goals import GOALS, remove
from tables import Tables

DIFFERENCES = 1000  # of each kind
BUSY_SHARE_MAX = 0.10
# Of the whole process, under which the engine for much drift has to stay.
MUCH_DRIFT_MEMORY = 16 * 2**20


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--rows", type=int, default=10_000_000, help="users, and as many entries")
    parser.add_argument("--runs", type=int, default=5, help="turns that count")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--only", default="", help="goals, such as 2,3")
    parser.add_argument("--large", action="store_true", help="growth up to ten times --rows too")
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--idxfsck", required=True, help="the program that is measured")
    parser.add_argument("--programs", required=True, help="where make_tables and the others are")
    parser.add_argument("--peers", default="", help="where the peers are installed")
    parser.add_argument("--folder", required=True, help="where tables are kept, and figures go")
    options = parser.parse_args()
    words = [word for word in options.only.split(",") if word]
    if options.rows < 100 or options.runs < 1 or not all(
            word.isdigit() and int(word) in GOALS for word in words):
        parser.error("at least 100 rows and one run; goals are 1 to 7")
    options.goals = [int(word) for word in words] or list(GOALS)
    return options


class Bench:
    """What the goals share: options, programs, tables, and the figures that were taken."""

    def __init__(self, options):
        self.rows, self.runs, self.large = options.rows, options.runs, options.large
        self.threads = options.threads
        self.folder = os.path.abspath(options.folder)
        self.programs = measure.Programs(options.idxfsck, options.programs)
        wants_peers = not options.no_peers and {2, 3} & set(options.goals)
        self.peers = peers.installed(options.peers, options.threads) if wants_peers else []
        self.figures, self.notes = {}, []
        self.refused, self.idle, self.help = set(), None, None

    def tables(self, rows=None, orphaned=None):
        rows = rows or self.rows
        differences = min(DIFFERENCES, rows // 20)
        return Tables(self.programs, os.path.join(self.folder, "data"), rows,
                      orphaned or differences, differences)

    def by_turns(self, participants):
        return measure.by_turns(self.runs, participants)

    def audit(self, tables, spec, threads=None):
        """A whole audit; its findings must be those of the answer key."""
        out = os.path.join(self.folder, f"audit-{os.getpid()}")
        try:
            return self.programs.measured("idxfsck", "audit", spec, "--out", out, "--threads",
                                          threads or self.threads, "--expect", tables.expected)
        finally:
            remove(out)

    def until_suspects(self, tables, spec, engine):
        out = os.path.join(self.folder, f"spill-{os.getpid()}")
        os.makedirs(out, exist_ok=True)
        try:
            told = self.programs.told("until_suspects", spec, out, engine, self.threads,
                                      MUCH_DRIFT_MEMORY)
        finally:
            remove(out)
        if told.get("suspects") != tables.orphaned + tables.stale:
            raise measure.Trouble(f"{engine} has {told} for {tables.counts()}")
        return told

    def spec_of(self, tables, form):
        """The spec of a form; nothing, said aloud once, if this version cannot read it."""
        if form in self.refused:
            return None
        tables.make("store")
        spec = tables.write_spec(form)
        try:
            self.programs.measured("idxfsck", "check", spec)
        except measure.Trouble as trouble:
            self.refused.add(form)
            self.say(f"SKIPPED: this version cannot read {form}\n{trouble}")
            return None
        tables.make(form)
        return spec

    def idle_memory(self):
        if self.idle is None:
            self.idle = measure.median(
                [self.programs.measured("idxfsck", "--version")["memory"] for _ in range(5)])
        return self.idle

    def help_of_audit(self):
        if self.help is None:
            self.help = self.programs.measured("idxfsck", "audit", "--help")["output"]
        return self.help

    def say(self, note):
        if note not in self.notes:
            print(f"  {note}", flush=True)
            self.notes.append(note)

    def keep(self, what, figures):
        self.figures[what] = figures


def verdict(one, busy):
    if busy:
        return "not judged"
    return "holds" if one.holds() else "DOES NOT HOLD"


def print_goals(measured, busy):
    print(f"\n{'goal':<5}{'measure':<46}{'asked':>12}{'measured':>12}  verdict")
    for number, (title, measures) in measured.items():
        if not measures:
            print(f"{number:<5}{title:<46}{'':>12}{'':>12}  not measured")
        for one in measures:
            digits = 2 if one.value < 100 else 0
            value = f"{one.value:.{digits}f} {one.unit}"
            print(f"{number:<5}{one.what:<46}{one.asked():>12}{value:>12}  {verdict(one, busy)}")


def write_page_tables(bench, measured, busy):
    """The tables of README.md, to be put there."""
    lines = ["| # | measure | asked | measured | |", "| --- | --- | --- | --- | --- |"]
    for number, (_, measures) in measured.items():
        lines += [f"| {number} | {one.what} | {one.asked()} | {one.value:.2f} {one.unit} | "
                  f"{verdict(one, busy)} |" for one in measures]
    lines += ["", "| run | seconds | of processors | peak MB | spread |",
              "| --- | --- | --- | --- | --- |"]
    for what, taken in bench.figures.items():
        if isinstance(taken.get("seconds"), list):
            lines.append(f"| {what} | {measure.median(taken['seconds']):.3f} | "
                         f"{measure.median(taken['processor_seconds']):.3f} | "
                         f"{max(taken['memory']) / measure.MEGABYTE:.1f} | "
                         f"{measure.spread(taken['seconds']):.0%} |")
    with open(os.path.join(bench.folder, "figures.md"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


def write_figures(bench, options, measured, busy):
    path = os.path.join(bench.folder, "figures.json")
    goals = [{"goal": number, "title": title, "measures": [
        {"what": one.what, "asked": one.asked(), "measured": one.value, "unit": one.unit,
         "verdict": verdict(one, busy)} for one in measures]}
        for number, (title, measures) in measured.items()]
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"machine": measure.machine(), "busy": busy, "rows": options.rows,
                   "runs": options.runs, "threads": options.threads, "goals": goals,
                   "notes": bench.notes, "figures": bench.figures}, file, indent=1)
    write_page_tables(bench, measured, busy)
    print(f"\nfigures: {path}, and as tables of README.md figures.md beside it")


def main():
    options = arguments()
    bench = Bench(options)
    os.makedirs(bench.folder, exist_ok=True)
    print(f"{options.rows:,} + {options.rows:,} rows, {options.threads} threads, medians of "
          f"{options.runs}; {json.dumps(measure.machine())}", flush=True)
    measured, failed, busiest = {}, [], 0.0
    for number in options.goals:
        title, run = GOALS[number]
        print(f"\n{number}. {title}", flush=True)
        others = measure.Others()
        try:
            measured[number] = (title, run(bench))
        except measure.Trouble as trouble:
            # The figures of the others are worth keeping.
            measured[number] = (title, [])
            failed.append(number)
            print(f"goal {number} FAILED: {trouble}", file=sys.stderr, flush=True)
        busiest = max(busiest, others.share())
    busy = busiest > BUSY_SHARE_MAX
    print_goals(measured, busy)
    if busy:
        print(f"\nBUSY: other programs used {busiest:.0%} of this machine. No goal is judged by "
              "these figures.")
    write_figures(bench, options, measured, busy)
    if failed:
        sys.exit(f"FAILED: {', '.join(map(str, failed))}")


if __name__ == "__main__":
    main()
