"""The tree keeps its own rules, and each rule is able to complain.

Method: the rules run over the tree and must be silent; then over small trees with one breach each,
and must name exactly that breach.
"""

import os
import sys
import tempfile
import unittest

import tidy

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

GOOD_HEADER = "// {path}\n//\n// A thing.\n\n#pragma once\n\n{body}\n" \
              "namespace idxfsck::{folder} {{}}\n"


def header(path, body=""):
    return GOOD_HEADER.format(path=path, body=body, folder=path.split("/")[0])


def source(folder, body):
    return f"{body}\nnamespace idxfsck::{folder} {{}}\n"


# Name of the rule, files of the tree, and the complaint that must be the only one.
BREACHES = [
    ("a layer includes leftward only",
     {"store/a.cpp": source("store", '#include "audit/b.hpp"')},
     "store/a.cpp:1: store must not include audit: audit/b.hpp"),
    ("an include names its folder",
     {"store/a.cpp": source("store", '#include "b.hpp"')},
     "store/a.cpp:1: include names no folder of the tree: b.hpp"),
    ("an audit does not include the writer",
     {"audit/a.cpp": source("audit", '#include "store/writer.hpp"')},
     "audit/a.cpp:1: reaches store/writer.hpp, from audit/a.cpp"),
    ("an audit does not reach the writer through another header",
     {"audit/a.cpp": source("audit", '#include "store/b.hpp"'),
      "store/b.hpp": header("store/b.hpp", '#include "store/writer.hpp"')},
     "store/b.hpp:7: reaches store/writer.hpp, from audit/a.cpp"),
    ("oneTBB only in passes",
     {"audit/a.cpp": source("audit", "#include <tbb/parallel_for.h>")},
     "audit/a.cpp:1: oneTBB belongs in *_pass.cpp"),
    ("Boost only where commands are",
     {"repair/a.cpp": source("repair", "#include <boost/program_options.hpp>")},
     "repair/a.cpp:1: Boost belongs where commands are"),
    ("no stream of the program outside of reports",
     {"audit/a.cpp": source("audit", "#include <iostream>")},
     "audit/a.cpp:1: printing belongs in reports"),
    ("no printing outside of reports",
     {"fixtures/a.cpp": source("fixtures", "void f() { std::printf(\"\"); }")},
     "fixtures/a.cpp:1: printing belongs in reports"),
    ("own header first",
     {"store/a.hpp": header("store/a.hpp"),
      "store/a.cpp": source("store", '#include <string>\n#include "store/a.hpp"')},
     "store/a.cpp:1: the first include must be store/a.hpp"),
    ("a header opens with its path",
     {"store/a.hpp": header("store/b.hpp")},
     "store/a.hpp:1: a header opens with its path: // store/a.hpp"),
    ("a header is included once",
     {"store/a.hpp": header("store/a.hpp").replace("#pragma once", "")},
     "store/a.hpp:1: a header needs #pragma once"),
    ("namespace is the folder",
     {"store/a.cpp": "namespace idxfsck::audit {}\n"},
     "store/a.cpp:1: namespace idxfsck::store is missing"),
    ("files stay short",
     {"tests/a.cpp": "\n" * 401},
     "tests/a.cpp:401: more than 400 lines"),
    ("functions stay short",
     {"tests/a.cpp": "void f() {\n" + "    g();\n" * 59 + "}\n"},
     "tests/a.cpp:1: a function of more than 60 lines"),
    ("lines stay short", {"tests/a.py": "#" * 101 + "\n"},
     "tests/a.py:1: more than 100 columns"),
    ("no tabs", {"tests/a.bash": "#\tx\n"}, "tests/a.bash:1: a tab"),
    ("no space at the end", {"tests/a.py": "x = 1 \n"},
     "tests/a.py:1: space at the end of the line"),
    ("a newline at the end", {"tests/a.py": "x = 1"}, "tests/a.py:1: no newline at the end"),
    ("nothing left undone", {"tests/a.py": "# TO" + "DO later\n"},
     "tests/a.py:1: a mark of work left undone"),
    ("links lead somewhere", {"README.md": "see [this](there.md)\n"},
     "README.md:1: a link to nothing: there.md"),
    ("no other folder at the top", {"tools/a.txt": "x\n"},
     "tools:1: no folder of that name belongs at the top"),
]


class Tidy(unittest.TestCase):
    maxDiff = None

    def test_the_tree_keeps_its_rules(self):
        self.assertEqual([], tidy.complaints(ROOT))

    def test_each_rule_complains_about_its_breach_and_nothing_else(self):
        for name, files, expected in BREACHES:
            with self.subTest(name), tempfile.TemporaryDirectory() as root:
                for path, text in files.items():
                    os.makedirs(os.path.dirname(os.path.join(root, path)), exist_ok=True)
                    with open(os.path.join(root, path), "w", encoding="utf-8") as file:
                        file.write(text)
                self.assertEqual([expected], tidy.complaints(root))


if __name__ == "__main__":
    sys.exit(unittest.main(verbosity=1))
