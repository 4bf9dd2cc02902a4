"""The servers that start.py can run: where each is, and the words that start it.

What tests/servers/prepare.bash brought stands in build/servers, or in the folder that
IDXFSCK_SERVERS names.
"""

import dataclasses
import glob
import os
import re
import shutil
import subprocess

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
NODE_VERSION_MIN = 20
ADVICE = "tests/run installs them"


class Missing(Exception):
    """A server that cannot be had on this machine, and why."""


class Broken(Exception):
    """A server that is here but does not start."""


@dataclasses.dataclass
class Part:
    """What to run. Its port is in the first line of its output that `port_line` matches."""
    words: list
    port_line: re.Pattern = re.compile(r"^(\d+)$")
    environment: dict = dataclasses.field(default_factory=dict)
    has_transactions: bool = False
    speaks_azure: bool = False


def built_folder():
    return os.environ.get("IDXFSCK_SERVERS") or os.path.join(ROOT, "build", "servers")


def installed(name, pins="package-lock.json"):
    """The folder of the packages that tests/servers/NAME pins, whole and of that pin."""
    folder = os.path.join(built_folder(), name)
    try:
        with open(os.path.join(folder, "installed.lock"), "rb") as there, \
                open(os.path.join(HERE, name, pins), "rb") as pinned:
            if there.read() == pinned.read():
                return folder
    except OSError:
        pass
    raise Missing(f"the packages of tests/servers/{name} are not in {folder}: {ADVICE}")


def major_version(node):
    try:
        done = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
        return int(done.stdout.lstrip("v").split(".")[0])
    except (OSError, ValueError, subprocess.CalledProcessError):
        return 0


def node():
    """A Node.js that is new enough: the machine's, or else the one brought."""
    # Not by node_modules/.bin: the npm of Debian 12 makes no link there for a program of that name.
    brought = glob.glob(os.path.join(built_folder(), "node", "node_modules", "node-linux-*", "bin",
                                     "node"))
    for program in (shutil.which("node"), *brought):
        if program and major_version(program) >= NODE_VERSION_MIN:
            return program
    raise Missing(f"no Node.js {NODE_VERSION_MIN} or newer: tests/run brings one")


def dynalite(options):
    words = [node(), os.path.join(HERE, "dynalite.mjs"), installed("dynamodb")]
    return Part(words + ([options.path] if options.path else []))


def azurite(options):
    words = [node(), os.path.join(HERE, "azurite.mjs"), installed("azurite")]
    return Part(words + ([options.path] if options.path else []), speaks_azure=True)


def moto(_options):
    python = os.path.join(installed("moto", "requirements.txt"), "bin", "python")
    return Part([python, os.path.join(HERE, "moto_server.py")], has_transactions=True)


PARTS = {"azurite": azurite, "dynalite": dynalite, "moto": moto}
NAMES = sorted(PARTS)


def find(options):
    """The part that the options name. Throws Missing where it cannot be had."""
    return PARTS[options.part](options)
