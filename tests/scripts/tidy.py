"""The rules of the tree that a machine can check; test_tidy.py runs them and tries them out.

complaints(root) gives one line for each breach: path:line: what is wrong. Layers, what may be
included where, sizes, and what every file of a kind opens with. A rule with an exception names the
file and the reason beside the rule.
"""

import os
import re

LAYERS = ["store", "audit", "repair", "reports", "fixtures"]
CODE = (".hpp", ".cpp")
SOURCE = CODE + (".py", ".bash")
FILE_LINES_MAX = 400
FUNCTION_LINES_MAX = 60
COLUMNS_MAX = 100

INCLUDE = re.compile(r'#include ([<"])([^>"]+)[>"]')
PRINTING = re.compile(r"std::(cout|cerr|clog)\b|\b(f?printf|f?puts|fputc|putchar|perror)\s*\("
                      r"|fmt::print\b|std::print(ln)?\b")
# `ensure` ends the program on a bug of ours, below any report.
MAY_PRINT = {"store/error.cpp"}
# The mark of work left undone, spelt so that this file does not hold it.
UNDONE = re.compile(r"\b(TO" r"DO|FIX" r"ME|X" r"XX|HA" r"CK)\b")
# What else opens a brace at the left edge.
NO_FUNCTION = re.compile(r"(inline )?namespace|(template .*)?(class|struct|enum|union)\b|extern"
                         r"|(TEST_CASE|SCENARIO|TEMPLATE_|constexpr|const|static)")
LINK = re.compile(r"\]\(([^)\s#]+)(#[^)]*)?\)")


def files_below(root):
    """Paths of the tree's own files, relative to root, in order of name."""
    found = []
    for folder, folders, names in os.walk(root):
        folders[:] = sorted(f for f in folders if f not in (".git", "build", "__pycache__"))
        if folder == root:
            folders[:] = [f for f in folders if f != ".cache"]
        found += [os.path.relpath(os.path.join(folder, name), root) for name in sorted(names)]
    return found


def layer_of(path):
    """The folder at the top that holds the path, or nothing for a file at the top."""
    first = path.split("/")[0]
    return first if "/" in path else None


def read(root, path):
    with open(os.path.join(root, path), encoding="utf-8") as file:
        return file.read()


def includes_of(text):
    """(line number, "<" or '"', what is included) for each include."""
    return [(number, match[1], match[2]) for number, line in enumerate(text.split("\n"), 1)
            if (match := INCLUDE.match(line))]


def check_includes(path, text):
    layer = layer_of(path)
    for number, bracket, name in includes_of(text):
        if bracket == '"' and layer in LAYERS:
            target = name.split("/")[0]
            if target not in LAYERS:
                yield number, f"include names no folder of the tree: {name}"
            elif LAYERS.index(target) > LAYERS.index(layer):
                yield number, f"{layer} must not include {target}: {name}"
        if layer == "tests":
            continue
        if name.startswith("tbb/") or name.startswith("oneapi/"):
            if not path.endswith("_pass.cpp"):
                yield number, "oneTBB belongs in *_pass.cpp"
        if name.startswith("boost/") and layer in ("store", "audit", "repair"):
            yield number, "Boost belongs where commands are"
        if name == "iostream" and layer != "reports":
            yield number, "printing belongs in reports"


def check_own_header_first(path, text, paths):
    header = path[:-4] + ".hpp"
    if path.endswith(".cpp") and header in paths:
        first = next(iter(includes_of(text)), (1, '"', ""))
        # The folders under tests/ are no layers: their files may name a neighbour by itself.
        names = (header, os.path.basename(header)) if layer_of(path) == "tests" else (header,)
        if first[2] not in names:
            yield first[0], f"the first include must be {header}"


def check_printing(path, text):
    if layer_of(path) in ("reports", "tests") or path in MAY_PRINT:
        return
    for number, line in enumerate(text.split("\n"), 1):
        if PRINTING.search(line.split("//")[0]):
            yield number, "printing belongs in reports"


def check_opening(path, text):
    if path.endswith(".hpp"):
        if not text.startswith(f"// {path}\n"):
            yield 1, f"a header opens with its path: // {path}"
        if "\n#pragma once\n" not in text:
            yield 1, "a header needs #pragma once"


def check_namespace(path, text):
    layer = layer_of(path)
    if layer in LAYERS and not re.search(rf"\bnamespace idxfsck::{layer}\b", text):
        yield 1, f"namespace idxfsck::{layer} is missing"


def check_lines(path, text):
    lines = text.split("\n")
    if len(lines) - 1 > FILE_LINES_MAX:
        yield FILE_LINES_MAX + 1, f"more than {FILE_LINES_MAX} lines"
    if not text.endswith("\n"):
        yield len(lines), "no newline at the end"
    for number, line in enumerate(lines, 1):
        if "\t" in line:
            yield number, "a tab"
        if line != line.rstrip():
            yield number, "space at the end of the line"
        if len(line) > COLUMNS_MAX:
            yield number, f"more than {COLUMNS_MAX} columns"
        if UNDONE.search(line):
            yield number, "a mark of work left undone"


def check_function_lengths(path, text):
    """A body runs from a line at the left edge that ends in { to the next } at the left edge."""
    begin = None
    for number, line in enumerate(text.split("\n"), 1):
        opens = line.endswith("{") and not line.startswith((" ", "}", "#", "//"))
        no_function = re.match(NO_FUNCTION, line)
        if opens and not no_function:
            begin = number
        elif line.startswith("}") and begin is not None:
            if number - begin + 1 > FUNCTION_LINES_MAX:
                yield begin, f"a function of more than {FUNCTION_LINES_MAX} lines"
            begin = None


def check_links(root, path, text):
    for number, line in enumerate(text.split("\n"), 1):
        for match in LINK.finditer(line):
            target = match[1]
            beside = os.path.join(root, os.path.dirname(path), target)
            if not re.match(r"[a-z]+:", target) and not os.path.exists(beside):
                yield number, f"a link to nothing: {target}"


def check_audit_cannot_write(root, paths):
    """store/writer.hpp is not reached from audit/ through any chain of includes."""
    seen_from = {}
    waiting = [path for path in paths if path.startswith("audit/") and path.endswith(CODE)]
    for path in waiting:
        seen_from[path] = path
    while waiting:
        path = waiting.pop()
        for number, bracket, name in includes_of(read(root, path)):
            if name == "store/writer.hpp":
                yield path, number, f"reaches store/writer.hpp, from {seen_from[path]}"
            elif bracket == '"' and name in paths and name not in seen_from:
                seen_from[name] = seen_from[path]
                waiting.append(name)


def check_folders(paths):
    for folder in sorted({layer_of(path) for path in paths} - {None}):
        if folder not in LAYERS + ["tests"] and not folder.startswith("."):
            yield f"{folder}:1: no folder of that name belongs at the top"


def checks_of(root, path, text, paths):
    """The breaches in one file."""
    if path.endswith(".md"):
        yield from check_links(root, path, text)
    if not path.endswith(SOURCE):
        return
    yield from check_lines(path, text)
    if path.endswith(CODE):
        yield from check_includes(path, text)
        yield from check_own_header_first(path, text, paths)
        yield from check_printing(path, text)
        yield from check_opening(path, text)
        yield from check_namespace(path, text)
        yield from check_function_lengths(path, text)


def complaints(root):
    """One line for each breach of a rule in the tree at root."""
    paths = files_below(root)
    found = list(check_folders(paths))
    for path in paths:
        if path.endswith(SOURCE + (".md",)):
            for number, what in checks_of(root, path, read(root, path), set(paths)):
                found.append(f"{path}:{number}: {what}")
    found += [f"{path}:{number}: {what}"
              for path, number, what in check_audit_cannot_write(root, set(paths))]
    return found
