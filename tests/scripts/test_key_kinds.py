"""Keys of another kind than their table takes: text for numbers, numbers for text.

Method: tables of dynalite whose keys are numbers or texts, behind the fault proxy, which counts the
requests. A spec that can never fit is refused before a scan; a row that does not fit is named, and
nothing that it has to do with is called missing or moved, nor written.
"""

import json

import live_tables
import program
import real_server

SPEC = live_tables.STORE + """[base.user]
store = "main"
table = "{base}"
key   = ["Id"]
{more}
[[index]]
name    = "by-key"
of      = "user"
store   = "main"
table   = "{index}"
key     = {{ K = "{key}" }}
pointer = {{ Id = "{pointer}" }}
settle  = "0s"
"""
TABLES = {"TextUsers": ("Id", "S"), "NumberUsers": ("Id", "N"),
          "TextKeys": ("K", "S"), "NumberKeys": ("K", "N")}
# Base, index, key, pointer, what more the base has; and what the refusal must say.
NEVER = [
    ("TextUsers", "NumberKeys", "NO#{No}", "{Id}", "",
     ["index by-key, table NumberKeys: K is text, the table takes number", 'K = "{K}"',
      "|plus(0)"]),
    ("NumberUsers", "NumberKeys", "{Mail|lower}", "{Id}", "",
     ["index by-key, table NumberKeys: K is text, the table takes number"]),
    ("TextUsers", "TextKeys", "{No|plus(0)}", "{Id}", "",
     ["index by-key, table TextKeys: K is number, the table takes text", "|text"]),
    ("NumberUsers", "TextKeys", "{Id}", "{Id}", "",
     ["index by-key, table TextKeys: K is number, the table takes text"]),
    ("TextUsers", "NumberKeys", "{Id}", "{Id}", "",
     ["index by-key, table NumberKeys: K is text, the table takes number"]),
    ("NumberUsers", "TextKeys", "{Mail}", "U#{Id}", 'types = { Id = "text" }',
     ["base user, table NumberUsers: Id is text, the table takes number", 'Id = "number"']),
    ("TextUsers", "TextKeys", "{Mail}", "U#{Id}", 'types = { Id = "number" }',
     ["base user, table TextUsers: Id is number, the table takes text"]),
    ("NumberUsers", "TextKeys", "{Mail}", "{Id}", 'locate = { Id = "{Zone}{No}" }',
     ["base user, table NumberUsers: Id is text, the table takes number"]),
]


class KeyKinds(live_tables.LiveTest):
    def setUp(self):
        super().setUp()
        self.server = real_server.Server("dynalite", "--proxy")
        self.addCleanup(self.stop)
        for table, (key, kind) in TABLES.items():
            self.server.make_table(table, **{key: kind})
        self.server.ask(credentials=vars(real_server.CREDENTIALS))

    def spec(self, base, index, key, pointer="{Id}", more=""):
        self.write("shop.toml", SPEC.format(
            endpoint=self.server.endpoint, base=base, index=index, key=key, pointer=pointer,
            more=more))

    def put(self, table, **attributes):
        """Attributes by name: a text, or a number."""
        self.server.call("PutItem", {"TableName": table, "Item": {
            name: {"S": value} if isinstance(value, str) else {"N": str(value)}
            for name, value in attributes.items()}})

    def found(self):
        """What an audit finds: kind, and reason or damage with its attribute."""
        self.run_live("audit", "shop.toml", "--out", "out")
        found = [json.loads(line) for line in self.findings("out")]
        return sorted((one["kind"], one.get("reason") or one.get("damage"),
                       one.get("attribute", "")) for one in found)

    def test_a_spec_that_can_never_fit_is_refused_before_anything_is_scanned(self):
        for base, index, key, pointer, more, words in NEVER:
            self.spec(base, index, key, pointer, more)
            for command, allowed in (
                    ("audit", {"DescribeTable"}),
                    # It tries one harmless read of each kind.
                    ("doctor", {"DescribeTable", "DescribeTimeToLive", "Scan", "BatchGetItem"})):
                with self.subTest(words[0], command=command):
                    self.server.ask(clear=True)
                    ran = self.run_live(command, "shop.toml", code=16)
                    # In a field of an error quotes are escaped.
                    said = (ran.output + ran.error).replace('\\"', '"')
                    for word in ["shop.toml:", *words]:
                        self.assertIn(word, said)
                    asked = self.server.ask(counts=True)["requests"]
                    self.assertLessEqual(set(asked), allowed)
                    self.assertLessEqual(asked.get("Scan", 0), 2)

    def test_a_spec_that_fits_is_audited_and_repaired(self):
        for base, index, key, numbers in (("NumberUsers", "NumberKeys", "{No}", True),
                                          ("TextUsers", "TextKeys", "NO#{No}", False)):
            with self.subTest(base):
                for number in range(4):
                    self.put(base, Id=number if numbers else f"u{number}", No=100 + number)
                self.spec(base, index, key)
                self.assertEqual([("orphaned_write", "entry_missing", "")] * 4, self.found())
                self.run_live("plan", "out", code=4)
                self.run_live("repair", "out/plan.ndjson", "--apply", code=0)
                live_tables.remove(self, "out")
                self.run_live("audit", "shop.toml", "--out", "out", code=0)
                live_tables.remove(self, "out")

    def test_a_value_that_its_table_does_not_take_is_unindexable_and_nothing_of_it_is_stale(self):
        for index, sound, wrong, kept, damage in (
                ("NumberKeys", 7, "17", 17, "key_text_not_number"),
                ("TextKeys", "a", 17, "17", "key_number_not_text")):
            with self.subTest(damage):
                self.put("TextUsers", Id="u1", No=sound)
                self.put("TextUsers", Id="u2", No=wrong)
                self.put(index, K=sound, Id="u1")
                # What the application may have made of it.
                self.put(index, K=kept, Id="u2")
                self.spec("TextUsers", index, "{No}")
                self.assertEqual([("unindexable", damage, "No")], self.found())
                ran = self.run_live("plan", "out")
                self.assertNotIn("delete_entry", ran.output)
                before = self.rows(index)
                self.run_live("repair", "out/plan.ndjson", "--apply")
                self.assertEqual(before, self.rows(index))
                ran = self.run_live("doctor", "shop.toml", code=0)
                self.assertIn(damage, ran.output)
                self.assertIn(damage, self.run_live("explain", damage, code=0).output)
                live_tables.remove(self, "out")

    def test_an_entry_that_names_its_row_by_another_kind_is_malformed_and_left_alone(self):
        for base, named, right in (("NumberUsers", "7", 7), ("TextUsers", 7, "7")):
            with self.subTest(base):
                self.put(base, Id=right, Mail="a")
                self.put("TextKeys", K="a", Id=named)
                self.spec(base, "TextKeys", "{Mail}")
                found = self.found()
                self.assertIn(("malformed_entry", "attribute_wrong_type", "Id"), found)
                self.assertNotIn("stale_pointer", [kind for kind, *_ in found])
                before = self.rows("TextKeys")
                self.run_live("plan", "out")
                self.run_live("repair", "out/plan.ndjson", "--apply")
                self.assertEqual(before, self.rows("TextKeys"))
                ran = self.run_live("doctor", "shop.toml")
                self.assertIn("malformed_entry: attribute_wrong_type", ran.output)
                live_tables.remove(self, "out")

    def test_a_number_in_a_text_names_its_base_row_without_a_word_in_the_spec(self):
        self.put("NumberUsers", Id=7, Mail="new")
        self.put("TextKeys", K="old", User="USER#7")
        self.put("TextKeys", K="new", User="USER#7")
        self.spec("NumberUsers", "TextKeys", "{Mail}")
        text = program.read_bytes(self.path("shop.toml")).decode()
        self.write("shop.toml", text.replace('{ Id = "{Id}" }', '{ User = "USER#{Id}" }'))
        self.assertEqual([("stale_pointer", "value_changed", "")], self.found())
        self.run_live("plan", "out", code=4)
        self.run_live("repair", "out/plan.ndjson", "--apply", "--max-deletes", "1", code=0)
        self.assertEqual(["new"], [row["K"]["S"] for row in self.rows("TextKeys")])


if __name__ == "__main__":
    program.main()
