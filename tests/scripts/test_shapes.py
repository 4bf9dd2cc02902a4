"""Each shape in fixtures/shapes: its drift is found, mended, and what needs a person is left.

Method: a folder has a spec, rows of each table, and two answer keys written by hand: what an audit
finds, and what it still finds after a repair. The built program does the rest. The rows are also
audited where they lie, as a store of files, with the same answer; a shape that is one is audited
so alone, and not repaired.
"""

import os
import re
import shutil
import tomllib

import program

SHAPES = os.path.join(program.ROOT, "fixtures", "shapes")


def keys_of(spec):
    """The key attributes of each table, as the spec names them."""
    keys = {}
    for index in spec["index"]:
        if not index.get("inside"):
            keys[index["table"]] = list(index["key"])
    for base in spec["base"].values():
        keys[base["table"]] = base["key"]
    return keys


class Shapes(program.ProgramTest):
    def load(self, name):
        folder = os.path.join(SHAPES, name)
        shutil.copy(os.path.join(folder, "spec.toml"), self.folder)
        with open(os.path.join(folder, "spec.toml"), "rb") as file:
            spec = tomllib.load(file)
        for table, key in keys_of(spec).items():
            self.run_program("load", "tables.idxfsck", table,
                             os.path.join(folder, table + ".ndjson"), "--shape", "plain",
                             "--key", ",".join(key), code=0)

    def expect(self, name, key):
        self.run_program("audit", "spec.toml", "--out", "out", "--expect",
                         os.path.join(SHAPES, name, key), code=0)


def is_in_files(name):
    with open(os.path.join(SHAPES, name, "spec.toml"), encoding="utf-8") as file:
        return 'kind = "files"' in file.read()


def audit_of_files(name):
    def audit(self):
        shutil.copytree(os.path.join(SHAPES, name), self.folder, dirs_exist_ok=True)
        with open(self.path("spec.toml"), encoding="utf-8") as file:
            spec = file.read()
        spec = re.sub(r'kind( *)= "rocksdb"', r'kind\1= "files"', spec)
        self.write("spec.toml", re.sub(r'path( *)= "tables.idxfsck"', r'path\1= "."', spec))
        self.expect(name, "expected.ndjson")
        self.run_program("plan", "out", code=4)
        self.run_program("repair", "out/plan.ndjson", code=16)
        refused = self.run_program("repair", "out/plan.ndjson", "--apply", code=16)
        self.assertIn("files are read-only", refused.error)
    return audit


def walk_of(name):
    def walk(self):
        self.load(name)
        self.expect(name, "expected.ndjson")
        self.run_program("plan", "out", code=4)
        left = os.path.getsize(os.path.join(SHAPES, name, "left.ndjson")) > 0
        self.run_program("repair", "out/plan.ndjson", "--apply", "--max-deletes", "20",
                         code=4 if left else 0)
        self.expect(name, "left.ndjson")
    return walk


for shape in sorted(os.listdir(SHAPES)):
    if not os.path.isdir(os.path.join(SHAPES, shape)):
        continue
    if not is_in_files(shape):
        setattr(Shapes, "test_" + shape.replace("-", "_"), walk_of(shape))
    setattr(Shapes, "test_files_of_" + shape.replace("-", "_"), audit_of_files(shape))


class Catalogue(program.ProgramTest):
    def test_the_page_has_every_shape(self):
        with open(os.path.join(program.ROOT, "fixtures", "README.md"), encoding="utf-8") as file:
            page = file.read()
        for shape in os.listdir(SHAPES):
            self.assertIn(f"(shapes/{shape}/spec.toml)", page)


if __name__ == "__main__":
    program.main()
