"""What an audit of live DynamoDB tables may spend: a budget, a rate that changes, no waiting.

Method: tables with drift on dynalite behind the fault proxy, which cuts pages short, so that there
are many, and counts what is asked. An audit that stops at its budget is gone on with until all was
read; it must find what one whole audit finds, and ask for about as many pages.
"""

import json
import os
import signal
import subprocess
import time

import live_tables
import program

SHORT = {"fault": "short_page", "limit": 3, "operations": ["Scan"]}
# Half a unit a page of a scan, one for each row that is read by its key.
BUDGET = 12


class ReadLimits(live_tables.LiveTest):
    def start_paged(self):
        self.start()
        self.server.plan(SHORT)
        self.server.ask(clear=True)

    def costs(self, folder):
        with open(self.path(folder, "audit.json"), encoding="utf-8") as file:
            return [table["cost"] for table in json.load(file)["coverage"]["tables"]]

    def units(self, folder):
        return sum(cost["scan_units"] + cost["point_units"] for cost in self.costs(folder))

    def scans(self):
        scans = self.server.ask(counts=True)["requests"].get("Scan", 0)
        self.server.ask(clear=True)
        return scans

    def test_a_budget_stops_an_audit_and_resumed_often_enough_it_finds_the_same(self):
        self.start_paged()
        self.run_live("audit", "shop.toml", "--out", "whole", code=4)
        whole_scans = self.scans()
        words = ["audit", "shop.toml", "--out", "out", "--budget", BUDGET]
        ran = self.run_live(*words)
        scans = [self.scans()]
        units = [self.units("out")]
        while ran.code == 8:
            self.assertIn(f"the budget of {BUDGET} read units is spent", ran.output)
            self.assertIn(f"next: idxfsck audit shop.toml --out out --budget {BUDGET} --resume",
                          ran.output)
            self.assertEqual([], self.findings("out"))
            self.assertLess(len(scans), 20, str(ran))
            # Suspects are confirmed in one go: the last run may spend what that takes.
            budget = 300 if "confirmed in one go" in ran.output else BUDGET
            ran = self.run_live(*words[:-1], budget, "--resume")
            scans.append(self.scans())
            units.append(self.units("out"))
        self.assertEqual(4, ran.code, str(ran))
        self.assertEqual(self.findings("whole"), self.findings("out"))
        self.assertGreater(len(scans), 3)
        # No page twice: what a run had read is not read again by the next one.
        self.assertEqual(whole_scans, sum(scans))
        for spent in units[:-1]:
            self.assertLessEqual(spent, BUDGET)
        self.assertFalse(os.path.exists(self.path("out", "checkpoint")))

    def test_the_summary_says_what_was_read_and_what_that_costs(self):
        self.start_paged()
        spec = live_tables.SPEC.format(endpoint=self.server.endpoint)
        self.write("shop.toml", spec.replace(
            "region ", "dollars_per_million_units = 0.125\nregion "))
        self.server.plan(SHORT, {"fault": "throttling", "at": [3], "operations": ["BatchGetItem"]})
        ran = self.run_live("audit", "shop.toml", "--out", "out", code=4)
        counts = self.server.ask(counts=True)["requests"]
        costs = self.costs("out")
        self.assertEqual(counts["Scan"] + counts["BatchGetItem"],
                         sum(cost["requests"] for cost in costs))
        self.assertEqual((1, 1), (sum(cost["retries"] for cost in costs),
                                  sum(cost["throttles"] for cost in costs)))
        # dynalite counts nothing for a page without rows, the last one of most segments.
        scans = sum(cost["scan_units"] for cost in costs)
        self.assertLessEqual(2 * live_tables.USERS / 3 / 2, scans)
        self.assertLessEqual(scans, counts["Scan"] / 2)
        for cost in costs:
            self.assertAlmostEqual((cost["scan_units"] + cost["point_units"]) * 0.125 / 1e6,
                                   cost["dollars"])
            self.assertGreater(cost["point_units"], 0)
        self.assertIn("cost of main/Users: ", ran.output)
        self.assertIn("cost of all tables: ", ran.output)
        self.assertIn("dollars", ran.output)

    def test_a_repair_says_what_it_wrote_and_what_that_costs(self):
        self.start()
        spec = live_tables.SPEC.format(endpoint=self.server.endpoint)
        self.write("shop.toml", spec.replace(
            "region ", "dollars_per_million_units = 0.125\n"
            "dollars_per_million_write_units = 0.625\nregion "))
        self.run_live("audit", "shop.toml", "--out", "out", code=4)
        self.run_live("plan", "out", code=4)
        ran = self.run_live("repair", "out/plan.ndjson", code=4)
        self.assertIn("cost of main/Users: ", ran.output)
        self.assertNotIn("write units", ran.output)
        ran = self.run_live("repair", "out/plan.ndjson", "--apply", "--format", "json",
                            "--max-deletes", 10, code=0)
        said = json.loads(ran.output)
        costs = {cost["table"]: cost for cost in said["cost"]}
        self.assertEqual({"Users", "UsersByEmail"}, set(costs))
        # At least one for each row that was written; checks of base rows cost as writes do.
        self.assertGreaterEqual(costs["UsersByEmail"]["write_units"], said["writes"])
        for cost in costs.values():
            self.assertGreater(cost["read_units"], 0)
            self.assertAlmostEqual(
                (cost["read_units"] * 0.125 + cost["write_units"] * 0.625) / 1e6, cost["dollars"])
        journals = [name for name in os.listdir(self.path("out")) if name.startswith("journal")]
        ran = self.run_live("undo", os.path.join("out", journals[0]), "--apply", code=0)
        self.assertRegex(ran.output, r"cost of main/UsersByEmail: .* read units, .* write units, "
                                     r".* requests, 0\.\d{6} dollars")

    def test_a_rate_in_a_file_is_changed_while_the_audit_runs(self):
        self.start_paged()
        self.write("rate", "1\n")
        # At one unit a second a hundred units and more take minutes.
        begin = time.monotonic()
        with self.begin("audit", "shop.toml", "--out", "out", "--rate-file", "rate") as process:
            self.wait_for_scans(2)
            self.write("rate", "fast\n")
            self.assertIn(b"says no rate", process.stderr.readline())
            self.write("rate", "100000\n")
            _, error = process.communicate(timeout=120)
        self.assertEqual((4, b""), (process.returncode, error))
        self.assertGreater(self.units("out"), 80)
        self.assertLess(time.monotonic() - begin, 60)
        self.assertEqual(25, len(self.findings("out")))

    def test_a_signal_does_not_wait_for_another_try(self):
        self.start_paged()
        self.server.plan({"fault": "throttled", "operations": ["Scan"]})
        with self.begin("audit", "shop.toml", "--out", "out") as process:
            # It has been turned away so often by now that it waits for many seconds.
            self.wait_for_scans(10)
            asked = time.monotonic()
            process.send_signal(signal.SIGINT)
            output, error = process.communicate(timeout=120)
            took = time.monotonic() - asked
        self.assertEqual(40, process.returncode, output + error)
        self.assertLess(took, 4)
        self.server.plan()
        self.run_live("audit", "shop.toml", "--out", "out", "--resume", code=4)
        self.assertEqual(25, len(self.findings("out")))

    def begin(self, *words):
        return subprocess.Popen([program.PROGRAM, *words], cwd=self.folder,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                env={**os.environ, **live_tables.environment(
                                    self, self.server)})

    def wait_for_scans(self, count):
        while self.server.ask(counts=True)["requests"].get("Scan", 0) < count:
            # The proxy tells when it is asked, and takes time for it from the program.
            time.sleep(0.02)


if __name__ == "__main__":
    program.main()
