"""The JSON Schema that `idxfsck check --schema` prints knows right specs from wrong ones.

Method: every spec in the tree is checked against it. Right ones pass. Broken ones are refused but
for those whose fault a schema cannot see, which stand in BEYOND with the reason: they must pass, so
that the list stays true.
"""

import glob
import json
import os
import re
import tomllib
import unittest

import program

try:
    import jsonschema
except ImportError:
    jsonschema = None

# What stands inside of a template or condition, and whether names fit, `check` alone knows.
BEYOND = {
    "08-unknown-store": "names",
    "09-unknown-base": "names",
    "10-unused-store-and-base": "names",
    "11-two-indexes-of-one-name": "names",
    "12-unknown-transform": "template",
    "13-unknown-function": "condition",
    "14-wrong-arguments": "template",
    "15-unbalanced-braces": "template",
    "16-braces-after-escapes": "template",
    "17-template-over-several-lines": "template",
    "18-condition-over-several-lines": "condition",
    "19-bad-regular-expression": "condition",
    "21-equality-with-one-sign": "condition",
    "22-open-quote": "condition",
    "24-element-without-each": "template",
    "25-each-without-element": "template",
    "26-each-that-is-text": "template",
    "27-unique-and-lossy": "contradiction",
    "28-lossy-without-pointer": "contradiction",
    "29-container-with-copies-and-pointer": "contradiction",
    "34-constant-that-varies": "template",
    "35-attribute-given-twice": "names",
    "36-key-without-attributes": "template",
    "37-base-and-index-in-one-table": "names",
    "38-index-that-fits-base-rows": "template",
    "39-indexes-in-one-table": "template",
    "42-binary-within-text": "template",
    "48-deep-condition": "condition",
    "50-hostile-names": "names",
    "53-repair-in-row-outside": "contradiction",
    "56-any-of": "template",
    "58-any-of-as-pointer": "template",
    "59-covers-without-pointer": "contradiction",
    "71-raw-store-without-tables": "contradiction",
    "73-raw-tables-that-overlap": "names",
}


def toml_files(*folders):
    found = []
    for folder in folders:
        found += sorted(glob.glob(os.path.join(program.ROOT, folder, "**", "*.toml"),
                                  recursive=True))
    return found


def page_specs(page):
    """The TOML blocks of a page that are whole specs."""
    with open(os.path.join(program.ROOT, page), encoding="utf-8") as file:
        blocks = re.findall(r"^```toml\n(.*?)^```", file.read(), re.MULTILINE | re.DOTALL)
    return [(f"{page} block {number}", block) for number, block in enumerate(blocks, 1)
            if "[[index]]" in block]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


@unittest.skipIf(jsonschema is None and not os.environ.get("CI"), "needs python3-jsonschema")
class Schema(program.ProgramTest):
    def setUp(self):
        super().setUp()
        self.schema = json.loads(self.run_program("check", "--schema", code=0).output)
        self.validator = jsonschema.Draft7Validator(self.schema)

    def faults(self, text):
        return [f"{list(error.path)}: {error.message[:200]}"
                for error in self.validator.iter_errors(tomllib.loads(text))]

    def test_it_is_a_schema_of_draft_7(self):
        jsonschema.Draft7Validator.check_schema(self.schema)
        self.assertEqual("http://json-schema.org/draft-07/schema#", self.schema["$schema"])

    def test_every_key_has_a_description(self):
        tables = [self.schema, *self.schema["definitions"].values()]
        keys = [key for table in tables for key in table.get("properties", {}).values()]
        self.assertGreater(len(keys), 70)
        for key in keys:
            self.assertRegex(key["description"], r"^[A-Z].*\.$")

    def test_right_specs_pass(self):
        specs = [(path, read(path)) for path in toml_files("fixtures", "tests/cases")]
        specs += page_specs("audit/SPEC.md") + page_specs("README.md")
        self.assertGreater(len(specs), 45)
        for name, text in specs:
            with self.subTest(name):
                self.assertEqual([], self.faults(text))

    def test_broken_specs_are_refused_where_a_schema_can_tell(self):
        paths = toml_files("tests/broken-specs")
        self.assertGreaterEqual(len(paths), 50)
        names = {os.path.basename(path)[:-5] for path in paths}
        self.assertEqual(set(), set(BEYOND) - names)
        for path in paths:
            name = os.path.basename(path)[:-5]
            with self.subTest(name):
                try:
                    faults = self.faults(read(path))
                except tomllib.TOMLDecodeError as error:
                    faults = [str(error)]
                if name in BEYOND:
                    self.assertEqual([], faults, "a schema can tell: take it off the list")
                else:
                    self.assertNotEqual([], faults)

    def test_a_schema_and_a_spec_at_once_make_no_sense(self):
        self.run_program("check", "--schema", "x.toml", code=16)
        self.run_program("check", code=16)


if __name__ == "__main__":
    program.main()
