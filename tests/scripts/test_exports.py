"""Tables in DynamoDB's exports to S3, as downloaded: what they hold is found, and no more claimed.

Method: exports in the documented layout, whole and with each damage that export_folder.py knows.
Whole ones must give what the rows themselves give. Of a damaged one the file must be named, and
nobody may be accused whom the whole one does not accuse. What lies on dynalite meanwhile is what
suspects are confirmed against where the spec names it, and what is repaired.
"""

import json
import os
import shutil
import sys

import live_tables
import program
import real_server

sys.path.insert(0, os.path.join(program.TESTS, "servers"))
import export_folder  # noqa: E402

TABLES = """
[base.user]
store = "export"
table = "Users"
key   = ["UserId"]

[[index]]
name    = "users-by-email"
of      = "user"
store   = "export"
table   = "UsersByEmail"
key     = { Email = "{Email|lower}" }
pointer = { UserId = "{UserId}" }
copies  = { Name = "{Name}" }
unique  = true
settle  = "0s"
"""
STORE = '[store.export]\nkind = "files"\npath = "exports"\n'
LIVE = STORE + 'live = "main"\n\n[store.main]\nkind = "dynamodb"\nregion = "us-east-1"\n' \
    'endpoint = "{}"\n'
LATER = "2026-11-29T22:05:00.000Z"
# What must be said of a damage; nothing: the export is whole all the same.
SAYS = {"missing_file": "is not there, or is no regular file: file=",
        "truncated_file": "cut off", "flipped_byte": "data/", "wrong_md5": "another MD5",
        "wrong_count": "another number of items", "wrong_total": "item counts of the manifests",
        "cut_line": "the stored bytes are no row", "empty_line": None,
        "file_twice": "names a file twice", "unnamed_file": "does not name the file",
        "outside": "data/hostname", "no_files_manifest": "manifest-files.json",
        "no_summary": "manifest-summary.json", "cut_manifest": "manifest-files.json"}
REFUSED = {"ion": "format of the export is not read", "incremental": "incremental export"}


def users():
    return [live_tables.user(number) for number in range(live_tables.USERS)]


class ExportTest(program.ProgramTest):
    def export(self, table, rows, folder="exports", **settings):
        os.makedirs(self.path(folder), exist_ok=True)
        return export_folder.write_export([{"Item": row} for row in rows], self.path(folder),
                                          table=table, **settings)

    def export_both(self, drift=True, base=None, index=None, **settings):
        """Gives the folders of the manifests."""
        shutil.rmtree(self.path("exports"), ignore_errors=True)
        self.write("shop.toml", STORE + TABLES)
        return (self.export("Users", users(), **settings, **(base or {})),
                self.export("UsersByEmail", live_tables.entries(drift), **settings,
                            **(index or {})))

    def audit(self, out="out", code=None, spec="shop.toml"):
        live_tables.remove(self, out)
        return self.run_program("audit", spec, "--out", out, code=code)

    def findings(self, out="out"):
        with open(self.path(out, "findings.ndjson"), encoding="utf-8") as file:
            return sorted(line for line in file if '"kind"' in line)

    def accused(self, out="out"):
        return {(line["kind"], line.get("reason"), *line["key"])
                for line in map(json.loads, self.findings(out))}

    def coverage(self, out="out"):
        with open(self.path(out, "audit.json"), encoding="utf-8") as file:
            return json.load(file)["coverage"]


class Exports(ExportTest):
    def test_an_export_gives_what_its_rows_give_and_says_of_when_they_are(self):
        self.export_both()
        ran = self.audit(code=4)
        self.assertEqual(25, len(self.findings()), str(ran))
        self.assertIn("as of the export of 2026-11-29T22:00:00.000Z; nothing newer was looked at",
                      ran.output)
        self.assertEqual([1795989600000] * 2,
                         [table["as_of_ms"] for table in self.coverage()["tables"]])
        for table, rows in (("Users", users()), ("UsersByEmail", live_tables.entries(True))):
            self.write(f"{table}.ndjson", "".join(json.dumps(row) + "\n" for row in rows))
        self.write("rows.toml", STORE.replace('"exports"', '"."') + TABLES)
        self.audit("rows", code=4, spec="rows.toml")
        self.assertEqual(self.findings("rows"), self.findings())

    def test_without_drift_it_is_clean(self):
        self.export_both(drift=False)
        self.audit(code=0)

    def test_a_key_of_another_kind_than_the_exports_is_refused_before_it_is_scanned(self):
        numbers = [{"N": str(number)} for number in range(3)]
        self.export("Users", [{"UserId": number, "Email": {"S": "a"}} for number in numbers])
        self.export("UsersByEmail", [{"Email": number, "UserId": number} for number in numbers])
        self.write("shop.toml", STORE + TABLES)
        ran = self.audit(code=16)
        self.assertIn("index users-by-email, table UsersByEmail: Email is text, the table takes "
                      "number", ran.error)

    def test_a_damage_is_named_and_accuses_nobody(self):
        self.assertEqual(set(export_folder.DAMAGES), set(SAYS) | set(REFUSED))
        self.export_both()
        self.audit("whole", code=4)
        whole = self.accused("whole")
        for damage, says in SAYS.items():
            for side in ("base", "index"):
                with self.subTest(damage=damage, side=side):
                    self.check_damage({side: {"damage": damage}}, says, whole)

    def check_damage(self, sides, says, whole):
        self.name_exports(self.export_both(**sides))
        ran = self.audit()
        self.assertIn(ran.code, (8, 12) if says else (4,), str(ran))
        self.assertIn(says or "DRIFT", ran.output)
        self.assertLessEqual(self.accused(), whole, str(ran))
        if not says or "index" in sides:
            return
        self.run_program("plan", "out")
        with open(self.path("out", "plan.ndjson"), encoding="utf-8") as file:
            self.assertIn('"deletes":0,', file.readline())
        self.name_exports(self.export_both(drift=False, **sides))
        ran = self.audit(code=8)
        self.assertEqual(set(), self.accused(), str(ran))

    def name_exports(self, folders):
        """One without a summary does not tell of which table it is."""
        files = [os.path.relpath(folder, self.path("exports")) for folder in folders]
        self.write("shop.toml", STORE + "".join(
            f'[store.export.tables.{table}]\nfiles = "{file}"\n'
            for table, file in zip(("Users", "UsersByEmail"), files)) + TABLES)

    def test_exports_of_other_kinds_are_refused(self):
        for damage, says in REFUSED.items():
            with self.subTest(damage):
                self.name_exports(self.export_both(index={"damage": damage}))
                ran = self.audit(code=16)
                self.assertIn(says, ran.error)
                self.assertIn("hint: ", ran.error)

    def test_nothing_outside_of_the_export_is_read(self):
        base, _ = self.export_both(drift=False)
        data = os.path.join(base, "data")
        names = sorted(os.listdir(data))
        shutil.move(os.path.join(data, names[0]), self.path("outside"))
        os.symlink(self.path("outside"), os.path.join(data, names[0]))
        self.assertIn("no regular file", self.audit(code=8).output)
        base, _ = self.export_both(drift=False)
        shutil.move(os.path.join(base, "data"), self.path("elsewhere"))
        os.symlink(self.path("elsewhere"), os.path.join(base, "data"))
        self.assertIn("no regular file", self.audit(code=8).output)
        base, _ = self.export_both(drift=False)
        os.rename(os.path.join(base, "manifest-files.json"), self.path("manifest"))
        os.symlink(self.path("manifest"), os.path.join(base, "manifest-files.json"))
        self.assertIn("manifest-files.json", self.audit(code=8).output)

    def test_manifests_that_make_no_sense_are_a_gap_and_no_crash(self):
        for name in ("manifest-files.json", "manifest-summary.json"):
            for text in ("", "[]", "{", "\0", "[" * 100_000, '{"itemCount":-1}\n' * 3,
                         '{"itemCount":18446744073709551615,"dataFileS3Key":"data/..",'
                         '"md5Checksum":"AAAAAAAAAAAAAAAAAAAAAA=="}\n' * 2):
                with self.subTest(name=name, text=text[:20]):
                    folders = self.export_both(drift=False)
                    self.name_exports(folders)
                    with open(os.path.join(folders[0], name), "w", encoding="utf-8") as file:
                        file.write(text)
                    ran = self.audit()
                    self.assertIn(ran.code, (8, 16), str(ran))
                    self.assertIn("manifest", ran.output + ran.error)

    def test_a_checksum_file_that_holds_something_else_is_no_gap(self):
        base, _ = self.export_both(drift=False)
        with open(os.path.join(base, "manifest-files.checksum"), "w", encoding="utf-8") as file:
            file.write("version 2: something else")
        self.audit(code=0)

    def test_where_several_exports_lie_the_one_of_the_table_is_read(self):
        self.export_both(drift=False)
        self.export("Others", users()[:3])
        self.audit(code=0)
        self.export("Users", users(), export_time=LATER)
        ran = self.audit(code=16)
        self.assertIn("several exports of the table", ran.error)
        self.write("shop.toml", STORE + TABLES.replace('"Users"', '"Customers"'))
        self.assertIn("no file holds the table", self.audit(code=16).error)

    def test_the_folder_around_an_export_may_be_named(self):
        self.write("shop.toml", STORE + TABLES)
        self.export("Users", users(), "exports/Users", prefix="daily")
        self.export("UsersByEmail", live_tables.entries(False), "exports/UsersByEmail")
        self.name_exports((self.path("exports/Users/daily/AWSDynamoDB"),
                           self.path("exports/UsersByEmail")))
        self.audit(code=0)

    def test_what_the_time_between_two_exports_may_explain_accuses_nobody(self):
        self.export_both(drift=False, index={"export_time": LATER})
        self.assertIn("5 min", self.audit(code=0).output)
        self.export_both(index={"export_time": LATER})
        ran = self.audit(code=8)
        self.assertEqual(set(), self.accused(), str(ran))
        self.assertIn("may come from what was written between", ran.output)
        self.assertIn("apart; nothing newer was looked at", ran.output)

    def test_two_rows_of_one_export_that_claim_one_key_need_no_other_moment(self):
        twice = users() + [{**live_tables.user(900), "Email": {"S": "mail7@x.org"}}]
        self.export_both(drift=False, index={"export_time": LATER})
        shutil.rmtree(self.path("exports"))
        self.export("Users", twice)
        self.export("UsersByEmail", live_tables.entries(False), export_time=LATER)
        self.audit(code=4)
        self.assertEqual({"duplicate_claim"}, {kind for kind, *_ in self.accused()})

    def test_base_and_index_in_one_export(self):
        rows = []
        for number in range(40):
            rows.append({"pk": {"S": f"USER#u{number}"}, "Email": {"S": f"mail{number}@x.org"}})
            if number % 8:
                rows.append({"pk": {"S": f"EMAIL#mail{number}@x.org"},
                             "owner": {"S": f"USER#u{number}"}})
        self.export("Shop", rows)
        self.write("shop.toml", STORE + """
[base.user]
store = "export"
table = "Shop"
key   = ["pk"]
rows  = 'starts_with(pk, "USER#")'
[[index]]
name    = "email"
of      = "user"
store   = "export"
table   = "Shop"
key     = { pk = "EMAIL#{Email}" }
pointer = { owner = "{pk}" }
""")
        self.audit(code=4)
        self.assertEqual(5, len(self.findings()))
        self.assertEqual(1, len(self.coverage()["tables"]))

    def test_the_answer_is_the_same_for_every_number_of_threads(self):
        self.export_both(base={"damage": "wrong_md5"})
        said = set()
        for threads in (1, 2, 7):
            live_tables.remove(self, "out")
            self.run_program("audit", "shop.toml", "--out", "out", "--threads", threads)
            said.add((*self.findings(), *map(str, self.coverage()["gaps"])))
        self.assertEqual(1, len(said))

    def test_it_cannot_be_repaired(self):
        self.export_both()
        self.audit(code=4)
        self.run_program("plan", "out", code=4)
        self.assertIn("files", self.run_program("repair", "out/plan.ndjson", code=16).error)


class LiveExports(ExportTest, live_tables.LiveTest):
    def export_live(self, **index):
        """What lies on the server now."""
        shutil.rmtree(self.path("exports"), ignore_errors=True)
        self.export("Users", self.rows("Users"))
        self.export("UsersByEmail", self.rows("UsersByEmail"), **index)
        self.write("export.toml", STORE + TABLES)
        self.write("live.toml", LIVE.format(self.server.endpoint) + TABLES)

    def requests(self):
        return self.server.ask(counts=True)["requests"]

    def test_an_export_of_live_tables_finds_what_an_audit_of_them_finds(self):
        self.start()
        self.run_live("audit", "shop.toml", "--out", "plain", code=4)
        self.export_live()
        self.run_live("audit", "export.toml", "--out", "exported", code=4)
        self.assertEqual(self.findings("plain"), self.findings("exported"))
        self.server.ask(clear=True)
        ran = self.run_live("audit", "live.toml", "--out", "confirmed", code=4)
        self.assertEqual(self.findings("plain"), self.findings("confirmed"))
        self.assertIn("suspects were looked at again in store main", ran.output)
        self.assertEqual({"main"}, {table["live_store"]
                                    for table in self.coverage("confirmed")["tables"]})
        self.assertNotIn("Scan", self.requests())
        self.assertEqual([], self.server.ask(writes=True)["writes"])

    def test_what_moved_since_the_export_is_settled_and_the_rest_is_repaired_where_it_lives(self):
        self.start()
        self.export_live(export_time=LATER)
        # The application mends two, and writes one more that the exports do not know.
        for number in (0, 1):
            self.server.call("PutItem", {"TableName": "UsersByEmail",
                                         "Item": live_tables.entry(number)})
        self.server.call("PutItem", {"TableName": "Users", "Item": live_tables.user(500)})
        ran = self.run_live("audit", "live.toml", "--out", "out", code=4)
        self.assertEqual(23, len(self.findings("out")), str(ran))
        self.assertEqual(2, self.coverage("out")["indexes"][0]["settled"])
        self.assertIn("5 min", ran.output)
        self.run_live("plan", "out", code=4)
        self.run_live("repair", "out/plan.ndjson", code=4)
        self.run_live("repair", "out/plan.ndjson", "--apply", "--max-deletes", "20", code=0)
        self.run_live("repair", "out/plan.ndjson", "--apply", "--max-deletes", "20", code=0)
        self.run_live("audit", "shop.toml", "--out", "after", code=4)
        self.assertEqual({"mail500@x.org"}, {line["key"][0] for line in
                                             map(json.loads, self.findings("after"))})
        self.run_live("undo", "out/journal.ndjson", "--apply", code=0)
        self.run_live("audit", "shop.toml", "--out", "undone", code=4)
        self.assertEqual(24, len(self.findings("undone")))

    def test_a_lost_file_of_the_base_is_settled_by_the_live_rows_and_deletes_nothing(self):
        self.start()
        self.export_live()
        shutil.rmtree(self.path("exports"))
        self.export("Users", self.rows("Users"), damage="missing_file")
        self.export("UsersByEmail", self.rows("UsersByEmail"))
        self.run_live("audit", "shop.toml", "--out", "plain", code=4)
        ran = self.run_live("audit", "live.toml", "--out", "out", code=12)
        self.assertLessEqual(self.accused("out"), self.accused("plain"), str(ran))
        self.run_live("plan", "out", code=12)
        with open(self.path("out", "plan.ndjson"), encoding="utf-8") as file:
            self.assertIn('"deletes":0,', file.readline())

    def test_a_live_table_that_is_not_there_is_said_before_anything_is_read(self):
        self.start()
        self.export_live()
        self.write("other.toml", (LIVE.format(self.server.endpoint) + TABLES)
                   .replace("UsersByEmail", "Emails"))
        self.write("self.toml", STORE + 'live = "export"\n' + TABLES)
        self.write("none.toml", STORE + 'live = "mian"\n' + TABLES)
        os.rename(self.path("exports"), self.path("kept"))
        self.export("Users", self.rows("Users"))
        self.export("Emails", self.rows("UsersByEmail"))
        ran = self.run_live("audit", "other.toml", "--out", "out", code=16)
        self.assertIn("the live store has no such table", ran.error)
        self.assertIn("names a store of files",
                      self.run_live("check", "self.toml", code=16).output)
        self.assertIn("no such store", self.run_live("check", "none.toml", code=16).output)


if __name__ == "__main__":
    program.main()
