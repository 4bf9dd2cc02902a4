"""A scan keeps every request slot busy, whatever the keys of a table are like.

Method: tables on azurite behind the fault proxy, whose pages hold a few rows only. The proxy lets
requests of scans wait until as many are under way as the audit may have, or no more come, and
counts them. What is missing is the end, when less is left than is worth a cut, and the moments in
which a range is being cut. What is counted are requests; no time is judged.
"""

import random
import uuid

import live_azure
import program

SLOTS = 6
ROWS = 6000
PAGE = 20
INDEXED = 20
# Of the slots, on average over the whole scan, its end too.
BUSY_SHARE_MIN = 0.8

SPEC = live_azure.STORE + """[base.user]
store = "main"
table = "people"
key   = ["PartitionKey", "RowKey"]

[[index]]
name    = "by-email"
of      = "user"
store   = "main"
table   = "byemail"
key     = {{ PartitionKey = "{{Email}}", RowKey = "email" }}
pointer = {{ UserPartition = "{{PartitionKey}}", UserRow = "{{RowKey}}" }}
when    = 'exists(Email)'
settle  = "0s"
"""


def huge():
    return [("all", f"{number:07}") for number in range(ROWS)]


def tiny():
    return [(f"customer-{number:05}", "profile") for number in range(ROWS)]


def guids():
    numbers = random.Random(7)
    return [(str(uuid.UUID(int=numbers.getrandbits(128), version=4)), "") for _ in range(ROWS)]


class AzureSlots(live_azure.LiveTest):
    def fill(self, keys):
        self.start(rows=[])
        people = [{"PartitionKey": partition, "RowKey": row, "Name": "n"}
                  for partition, row in keys]
        entries = []
        for number, one in enumerate(people[::len(people) // INDEXED]):
            one["Email"] = f"mail{number}@example.com"
            entries.append({"PartitionKey": one["Email"], "RowKey": "email",
                            "UserPartition": one["PartitionKey"], "UserRow": one["RowKey"]})
        for table, rows in (("people", people), ("byemail", entries)):
            live_azure.azure_table.make_table(self.direct, table)
            # The emulator takes batches over many partitions.
            for begin in range(0, len(rows), 100):
                self.assertEqual({204}, set(live_azure.azure_table.batch(self.direct, [
                    ("POST", f"/{table}", row) for row in rows[begin:begin + 100]])))
        self.write("people.toml", SPEC.format(endpoint=self.server.endpoint))

    def check_slots_stay_busy(self, keys):
        self.fill(keys)
        self.server.plan({"fault": "short_page", "limit": PAGE, "operations": ["QueryEntities"]})
        self.server.ask(gather={"size": SLOTS})
        ran = self.run_live("audit", "people.toml", "--threads", str(SLOTS), "--out", "out",
                            code=0)
        rounds = self.server.ask(rounds=True)["rounds"]
        self.assertGreaterEqual(sum(rounds), ROWS // PAGE, str(ran))
        self.assertEqual(SLOTS, max(rounds))
        self.assertGreaterEqual(sum(rounds) / len(rounds) / SLOTS, BUSY_SHARE_MIN, rounds)

    def test_one_huge_partition(self):
        self.check_slots_stay_busy(huge())

    def test_thousands_of_tiny_partitions(self):
        self.check_slots_stay_busy(tiny())

    def test_partitions_that_are_random_guids(self):
        self.check_slots_stay_busy(guids())


if __name__ == "__main__":
    program.main()
