"""Audits and a repair beside an application that changes e-mails at full speed.

Promised: no finding that a look at rest does not confirm; what was wrong among users who stay is
found; and after a repair under the same traffic nothing is left that the repair made.
Method: an application that looks after its index moves half of the users, without a pause, in
azurite, while two audits and a repair run. Then it stops, and plain loops over the rows say what is
wrong: the index that the application keeps is right then, but for what was wrong before.
"""

import json
import subprocess

import live_azure
import program
import real_oracle
import test_auth_adapter

MOVING = 200
# For the users who stay: each fifth was never indexed, each fifth has a copy that differs, and each
# fifth an old entry. So have those who move: what is wrong with them the traffic may mend.
STAYING = 200


def world():
    rows = []
    for number in range(MOVING + STAYING):
        email = f"{'move' if number < MOVING else 'stay'}{number}@example.com"
        rows.append(live_azure.user(number, email))
        if number % 5 != 1:
            name = "another" if number % 5 == 2 else None
            rows.append(live_azure.entry(number, email, name))
        if number % 5 == 3:
            rows.append(live_azure.entry(number, f"before-{email}"))
    # The application's client keeps milliseconds of a time.
    return [{**row, "emailVerified": "2023-11-14T22:20:10.123Z"} for row in rows]


def claims(lines):
    """What is wrong, as (kind, key); the answer keys and findings.ndjson both have these."""
    return {(line["kind"], *line["key"]) for line in map(json.loads, lines)}


class AzureTraffic(live_azure.LiveTest):
    def wrong(self):
        rows = live_azure.azure_table.rows(self.direct, "auth")
        return claims(real_oracle.findings("auth-azure", rows))

    def begin_moves(self):
        words = test_auth_adapter.adapter_words("move", self.direct, "auth")
        application = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                       stderr=subprocess.PIPE, text=True)
        # A test that fails ends it too: it goes on until its input ends.
        self.addCleanup(lambda: application.poll() is None and application.communicate())
        self.assertEqual("moving\n", application.stdout.readline())
        return application

    def end_moves(self, application):
        said, error = application.communicate(timeout=60)
        self.assertEqual(0, application.returncode, error)
        return int(said.split()[-1])

    def test_no_finding_that_a_look_at_rest_does_not_confirm_and_nothing_left_by_a_repair(self):
        self.start(rows=world(), settle="500ms")
        planted = self.wrong()
        staying = {one for one in planted if "stay" in one[2]}
        self.assertEqual(3 * STAYING // 5, len(staying))

        application = self.begin_moves()
        for folder in ("first", "second"):
            self.run_live("audit", "auth.toml", "--out", folder, code=4)
        moved = self.end_moves(application)
        self.assertGreater(moved, MOVING // 2)
        wrong = self.wrong()
        for folder in ("first", "second"):
            found = claims(self.findings(folder))
            self.assertEqual(set(), found - wrong)
            self.assertEqual(set(), staying - found)

        application = self.begin_moves()
        self.run_live("plan", "second", code=4)
        ran = self.run_live("repair", "second/plan.ndjson", "--apply", "--max-deletes", "500")
        self.end_moves(application)
        left = self.wrong()
        self.assertEqual(set(), left - planted, str(ran))
        self.assertEqual(set(), left & staying, str(ran))


if __name__ == "__main__":
    program.main()
