"""Keys of any bytes come out of every report and error intact and harmless.

Method: rows whose keys hold control characters, invalid UTF-8, quotes, HTML, right-to-left marks
and 2 KiB of text, all of them drifted; then every command that shows keys. What is printed must be
UTF-8 without control characters, and what goes to JSON must read back as the key that it was.
"""

import base64
import json
import unicodedata

import program

KEYS = [b"plain", b"\x1b[31mred\x1b[0m", b"line\nbreak\r\ttab", b"zero\x00byte", b"bad\xff\xfeutf8",
        b"quote\"'`$(id)", b"<img src=x onerror=alert(1)>", b"</script>", b"|pipe|*md*",
        "right\u202eto left".encode(), "line\u2028end".encode(), "caf\u00e9".encode(), b"=cmd()",
        b"::error::x", b"x" * 2048, b"\x7f\x80", "\u200bzero width".encode(), b"a,b;c", b" "]
SPEC = """
[store.main]
kind = "rocksdb"
path = "store"

[base.thing]
store = "main"
table = "Things"
key   = ["id"]

[[index]]
name    = "by-name"
of      = "thing"
store   = "main"
table   = "ByName"
key     = { name = "{name}" }
pointer = { id = "{id}" }
copies  = { note = "{note}" }
"""


def value(text):
    """Text as a row of NDJSON has it; what is not UTF-8 by its bytes."""
    try:
        return text.decode("utf-8")
    except UnicodeDecodeError:
        return {"$text": base64.b64encode(text).decode()}


def lines(rows):
    return "".join(json.dumps(row) + "\n" for row in rows)


class HostileKeys(program.ProgramTest):
    def setUp(self):
        super().setUp()
        # Half of the things have no entry, half of the entries are of no thing; one copy differs.
        things = [{"id": value(b"T" + key), "name": value(key), "note": value(key)}
                  for key in KEYS]
        entries = [{"name": value(b"gone" + key), "id": value(b"G" + key), "note": "n"}
                   for key in KEYS]
        entries.append({"name": value(KEYS[0]), "id": value(b"T" + KEYS[0]),
                        "note": value(KEYS[1])})
        self.write("spec.toml", SPEC)
        self.write("things.ndjson", lines(things))
        self.write("entries.ndjson", lines(entries))
        self.run_program("load", "store", "Things", "things.ndjson", "--key", "id", code=0)
        self.run_program("load", "store", "ByName", "entries.ndjson", "--key", "name", code=0)

    def assert_harmless(self, result):
        for text in (result.output, result.error):
            text.encode("utf-8")  # no stray bytes: they would have come in as surrogates
            bad = {letter for letter in text
                   if unicodedata.category(letter) in ("Cc", "Cf", "Zl", "Zp") and letter != "\n"}
            self.assertEqual(set(), bad, str(result)[:2000])

    def test_every_command_shows_them_without_harm(self):
        steps = [(["audit", "spec.toml", "--out", "out"], 4),
                 (["audit", "spec.toml", "--out", "out", "--show-values"], 4),
                 (["audit", "spec.toml", "--out", "out", "--format", "json"], 4),
                 (["report", "out"], 4), (["report", "out", "--format", "json"], 4),
                 (["plan", "out", "--max-shown", "0"], 4), (["plan", "out", "--show"], 4),
                 (["repair", "out/plan.ndjson", "--max-shown", "0"], 4),
                 (["repair", "out/plan.ndjson", "--apply", "--verbose", "--max-shown", "0",
                   "--max-deletes", "1000"], 0),
                 (["audit", "spec.toml", "--out", "again"], 0)]
        for words, code in steps:
            with self.subTest(words):
                self.assert_harmless(self.run_program(*words, code=code))
        for name in KEYS[:-1]:
            words = ["why", "spec.toml", "--index", "by-name", "--key", json.dumps([value(name)])]
            self.assert_harmless(self.run_program(*words, code=0))

    def test_findings_keep_every_byte(self):
        self.run_program("audit", "spec.toml", "--out", "out", code=4)
        findings = [json.loads(line) for line in
                    program.read_bytes(self.path("out/findings.ndjson")).split(b"\n")[:-1]]
        stale = {json.dumps(finding["key"]) for finding in findings
                 if finding["kind"] == "stale_pointer"}
        self.assertEqual({json.dumps([value(b"gone" + key)]) for key in KEYS}, stale)

    def test_errors_show_them_without_harm(self):
        for word in ("\x1b[31mx", "a\nb", "<b>", "x" * 4096):
            with self.subTest(word[:10]):
                for words in (["audit", word], ["plan", word], ["explain", word], [word],
                              ["audit", "spec.toml", "--" + word], ["dump", "store", word],
                              ["audit", "spec.toml", "--index", word],
                              ["seed", "s", "--drift", word]):
                    self.assert_harmless(self.run_program(*words))


if __name__ == "__main__":
    program.main()
