"""Running programs by turns, and what they took: the only clock and scale of the benchmarks."""

import json
import os
import statistics
import subprocess
import sys
import tempfile

MEGABYTE = 1_000_000


class Trouble(Exception):
    """A run that failed, or that found the wrong things: no figure may come from it."""


class Programs:
    """The programs that were built, by name."""

    def __init__(self, idxfsck, folder):
        self.idxfsck = os.path.abspath(idxfsck)
        self.folder = os.path.abspath(folder)

    def path(self, name):
        return self.idxfsck if name == "idxfsck" else os.path.join(self.folder, name)

    def measured(self, name, *words, codes=(0,)):
        """Runs a program: its standard output, seconds and peak memory."""
        with tempfile.NamedTemporaryFile(prefix="idxfsck-bench-") as file:
            command = [self.path("measured_run"), file.name, self.path(name), *map(str, words)]
            done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                                  check=False)
            took = json.load(file) if done.returncode == 0 else {"status": "unknown"}
        if took["status"] not in codes:
            raise Trouble(f"{' '.join(command[2:])}\nended with {took['status']}\n"
                          f"{done.stdout.decode()}{done.stderr.decode()}")
        return {"output": done.stdout.decode(), "seconds": took["seconds"],
                "processor_seconds": took["processor_seconds"],
                "memory": took["memory_kib"] * 1024}

    def told(self, name, *words):
        """Runs a program that prints one JSON object: that object, and what the run took.

        Its own seconds, if it tells them, are without the start of the program.
        """
        run = self.measured(name, *words)
        return {**run, **json.loads(run["output"])}


def by_turns(runs, participants, progress=sys.stderr):
    """Runs each participant once unmeasured, then all of them in turn, `runs` times.

    Participants are functions that give figures by name; the answer has the list of each figure's
    values for each participant.
    """
    figures = {name: {} for name in participants}
    for turn in range(runs + 1):
        for name, run in participants.items():
            taken = run()
            if turn == 0:
                continue
            for figure, value in taken.items():
                if isinstance(value, (int, float)) and not isinstance(value, bool):
                    figures[name].setdefault(figure, []).append(value)
        if progress.isatty():
            progress.write(f"\r  turn {turn} of {runs} ")
            progress.flush()
    if progress.isatty():
        progress.write("\r" + " " * 30 + "\r")
    return figures


def median(values):
    return statistics.median(values)


def spread(values):
    """How far apart the values lie, as a share of their median."""
    middle = median(values)
    return (max(values) - min(values)) / middle if middle else 0.0


class Others:
    """Which share of the machine's processors programs take that this one has not started."""

    def __init__(self):
        self.before = self.times()

    @staticmethod
    def times():
        with open("/proc/stat", encoding="ascii") as file:
            jiffies = [int(word) for word in file.readline().split()[1:9]]
        own = sum(os.times()[:4]) * os.sysconf("SC_CLK_TCK")
        return sum(jiffies), sum(jiffies) - jiffies[3] - jiffies[4], own  # all, not idle, ours

    def share(self):
        total, used, own = (now - then for now, then in zip(self.times(), self.before))
        return max(0.0, (used - own) / total) if total else 0.0


def machine():
    """What the figures were measured on."""
    model = "unknown"
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        for line in file:
            if line.startswith("model name"):
                model = line.split(":", 1)[1].strip()
                break
    return {"processor": model, "cores": os.cpu_count(), "kernel": os.uname().release,
            "memory_gib": round(os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") / 2**30),
            "load_average": os.getloadavg()[0]}
