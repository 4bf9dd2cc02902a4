"""Items past their TTL that DynamoDB has not deleted yet are gone, in the base table and the index.

Method: two live tables on dynalite behind the proxy, with moments in epoch seconds around now. What
an audit must find, what a repair must leave and what an undo must bring back are written out. What
DynamoDB does meanwhile, delete or keep, is done by the proxy right before a write.
"""

import json
import os
import sys
import time

import live_tables
import program

sys.path.insert(0, os.path.join(program.TESTS, "servers"))
import real_server  # noqa: E402

SPEC = live_tables.STORE + """[base.user]
store   = "main"
table   = "Users"
key     = ["UserId"]
expires = {{ at = "{{ttl}}", grace = "1m" }}

[[index]]
name    = "users-by-email"
of      = "user"
store   = "main"
table   = "UsersByEmail"
key     = {{ Email = "{{Email}}" }}
pointer = {{ UserId = "{{UserId}}" }}
unique  = true
settle  = "0s"
expires = {{ at = "{{ttl}}", grace = "1m" }}
"""
HOUR, YEAR = 3600, 366 * 86400
NOW = int(time.time())


def user(name, ttl=None):
    return {"UserId": {"S": name}, "Email": {"S": f"{name}@x.org"}, **({"ttl": ttl} if ttl else {})}


def entry(name, ttl=None, **more):
    return {"Email": {"S": f"{name}@x.org"}, "UserId": {"S": name}, **more,
            **({"ttl": ttl} if ttl else {})}


def at(seconds):
    return {"N": str(NOW + seconds)}


USERS = [
    user("lives", at(HOUR)), user("over", at(-HOUR)), user("both over", at(-HOUR)),
    user("entry over", at(HOUR)), user("entry ancient"), user("ends", at(20)),
    user("fraction", {"N": f"{NOW - HOUR}.5"}),
    # DynamoDB never deletes these: they live.
    user("ancient", {"N": "1"}), user("six years", at(-6 * YEAR)),
    user("text", {"S": str(NOW - HOUR)}),
    user("milliseconds", {"N": str((NOW - HOUR) * 1000)}),
]
ENTRIES = [
    entry("lives", at(HOUR)), entry("over"), entry("both over", at(-HOUR)),
    entry("entry over", at(-HOUR), seen={"S": "twice"}), entry("entry ancient", at(-6 * YEAR)),
    entry("nobody's", at(-HOUR)),
]
FOUND = {("orphaned_write", "entry_missing", name) for name in
         ("entry over", "ancient", "six years", "text", "milliseconds")} \
    | {("stale_pointer", "base_missing", "over")}
MENDED = [
    entry("lives", at(HOUR)), entry("both over", at(-HOUR)), entry("entry over"),
    entry("entry ancient", at(-6 * YEAR)), entry("nobody's", at(-HOUR)), entry("ancient"),
    entry("six years"), entry("text"), entry("milliseconds"),
]


class TimeToLive(live_tables.LiveTest):
    def start_with(self, users, entries):
        self.server = real_server.Server("dynalite", "--proxy")
        self.addCleanup(self.stop)
        self.fill("Users", "UserId", users)
        self.fill("UsersByEmail", "Email", entries)
        self.write("ttl.toml", SPEC.format(endpoint=self.server.endpoint))
        self.run_live("audit", "ttl.toml", "--out", "out", code=4)
        self.run_live("plan", "out", code=4)

    def found(self):
        return {(line["kind"], line["reason"], line["key"][0].removesuffix("@x.org"))
                for line in map(json.loads, self.findings("out"))}

    def test_what_is_over_is_gone_and_what_dynamodb_never_deletes_lives(self):
        self.start_with(USERS, ENTRIES)
        self.assertEqual(FOUND, self.found())
        before = self.rows("UsersByEmail")
        self.run_live("repair", "out/plan.ndjson", "--apply", "--max-deletes", "20", code=0)
        self.assertEqual(sorted(MENDED, key=str), self.rows("UsersByEmail"))
        self.run_live("audit", "ttl.toml", "--out", "after", code=0)
        self.run_live("undo", "out/journal.ndjson", "--apply", code=0)
        self.assertEqual(before, self.rows("UsersByEmail"))

    def meanwhile(self, operation, words):
        """Done by another right before the first write of a repair; what the repair came to."""
        self.server.plan({"fault": "meanwhile", "at": [1], "table": "UsersByEmail",
                          "operations": ["TransactWriteItems"],
                          "writes": [{"operation": operation, "words": words}]})
        return self.run_live("repair", "out/plan.ndjson", "--apply", "--max-deletes", "20", code=4)

    def test_an_expired_entry_that_dynamodb_deletes_meanwhile_is_put_by_the_next_repair(self):
        self.start_with([user("u")], [entry("u", at(-HOUR))])
        ran = self.meanwhile("DeleteItem", {"TableName": "UsersByEmail",
                                            "Key": {"Email": {"S": "u@x.org"}}})
        self.assertIn("1 superseded", ran.output)
        self.assertEqual([], self.rows("UsersByEmail"))
        self.run_live("repair", "out/plan.ndjson", "--apply", code=0)
        self.assertEqual([entry("u")], self.rows("UsersByEmail"))

    def test_an_expired_entry_that_is_renewed_meanwhile_is_not_written_over(self):
        self.start_with([user("u")], [entry("u", at(-HOUR))])
        theirs = entry("u", at(HOUR), seen={"S": "now"})
        ran = self.meanwhile("PutItem", {"TableName": "UsersByEmail", "Item": theirs})
        self.assertIn("1 superseded", ran.output)
        self.assertEqual([theirs], self.rows("UsersByEmail"))

    def test_the_entry_of_an_expired_row_that_is_renewed_meanwhile_stays(self):
        self.start_with([user("u", at(-HOUR)), user("v")], [entry("u"), entry("v")])
        ran = self.meanwhile("PutItem", {"TableName": "Users", "Item": user("u", at(HOUR))})
        self.assertIn("1 superseded", ran.output)
        self.assertEqual([entry("u"), entry("v")], self.rows("UsersByEmail"))


if __name__ == "__main__":
    program.main()
