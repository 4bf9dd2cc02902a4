"""What store/dynamodb/DYNAMODB.md tells a stranger to type works, and its policies are enough.

Method: its spec and its commands, as they stand there, on dynalite behind the fault proxy. The
actions of its two policies are held against the requests that came, and against those that the code
can send.
"""

import json
import os
import re

import live_tables
import program

PAGE = program.read_bytes(os.path.join(program.ROOT, "store", "dynamodb", "DYNAMODB.md")).decode()
# Of a transaction each part needs the right to what it does; it has no action of its own.
PARTS = {"TransactPut": "PutItem", "TransactUpdate": "UpdateItem", "TransactDelete": "DeleteItem",
         "TransactConditionCheck": "ConditionCheckItem"}
# Named in the text beside the policies.
OPTIONAL = {"ListTables"}
# Asked by `doctor` alone.
DOCTORS = {"DescribeTimeToLive"}


def blocks(kind):
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE, re.M | re.S)


def policies():
    """The audit's, then the repair's."""
    found = [json.loads(text) for text in blocks("json")]
    return [policy for policy in found if "Statement" in policy]


def actions(policy):
    """By table."""
    out = {}
    for statement in policy["Statement"]:
        for resource in as_list(statement["Resource"]):
            table = resource.rpartition("/")[2]
            out.setdefault(table, set()).update(
                action.removeprefix("dynamodb:") for action in as_list(statement["Action"]))
    return out


def as_list(value):
    return value if isinstance(value, list) else [value]


class Page(live_tables.LiveTest):
    def write_spec(self):
        self.write("shop.toml", blocks("toml")[0])

    def run_line(self, line, code):
        words = line.partition("#")[0].split()
        self.assertEqual("idxfsck", words[0])
        ran = self.run_program(*words[1:], code=code, environment={
            "HOME": self.folder, "AWS_ACCESS_KEY_ID": "AKIDEXAMPLE",
            "AWS_SECRET_ACCESS_KEY": "test-secret", "AWS_EC2_METADATA_DISABLED": "true",
            "AWS_ENDPOINT_URL_DYNAMODB": self.server.endpoint})
        return ran

    def start(self, drift=False):
        """With one entry each that is not there, that is another's, and that is left behind."""
        super().start(drift)
        self.server.ask(credentials=None)
        wrong = [{"PutRequest": {"Item": {**live_tables.entry(2), "UserId": {"S": "u3"}}}},
                 {"PutRequest": {"Item": live_tables.entry(live_tables.USERS)}},
                 {"DeleteRequest": {"Key": {"Email": {"S": "mail1@x.org"}}}}]
        self.server.call("BatchWriteItem", {"RequestItems": {"UsersByEmail": wrong}})
        self.write_spec()

    def test_the_commands_of_the_page_lead_from_drift_to_clean_with_what_its_policies_allow(self):
        self.start()
        audit, repair = map(actions, policies())
        lines = blocks("sh")[0].splitlines()
        codes = {"check": 0, "doctor": 0, "audit": 4, "plan": 4, "repair": 4}
        self.server.ask(clear=True)
        for line in lines[:-2]:
            self.run_line(line, codes[line.split()[1]])
            if line.split()[1] in ("doctor", "audit"):
                asked = set(self.server.ask(counts=True)["requests"]) - {"TransactWriteItems"}
                unasked = DOCTORS if line.split()[1] == "audit" else set()
                self.assertEqual(asked, audit["Users"] - unasked)
                self.assertEqual(asked, audit["UsersByEmail"] - unasked)
            self.assertEqual([], self.server.ask(writes=True)["writes"])
            self.server.ask(clear=True)
        self.assertIn("--apply", lines[-2])
        self.run_line(lines[-2], 0)
        used = {}
        for one in self.server.ask(writes=True)["writes"]:
            name = PARTS.get(one["operation"], one["operation"])
            used.setdefault(one["table"], set()).add(name)
        self.assertEqual({"Users", "UsersByEmail"}, set(used))
        self.assertEqual({"ConditionCheckItem"}, used["Users"])
        self.assertEqual({"PutItem", "UpdateItem", "DeleteItem"}, used["UsersByEmail"])
        for table, names in used.items():
            self.assertEqual(names, repair[table] - audit[table])
        self.assertEqual(0, self.run_line(lines[-1], 0).code)

    def test_the_policies_are_those_of_what_the_code_can_send(self):
        folder = os.path.join(program.ROOT, "store", "dynamodb")
        source = "".join(program.read_bytes(os.path.join(folder, name)).decode()
                         for name in sorted(os.listdir(folder)) if name.endswith(".cpp"))
        sent = set(re.findall(r'"((?:Describe|List|Get|Put|Update|Delete|Scan|Query|Batch|Transact|'
                              r'Execute|ConditionCheck)[A-Z]?[A-Za-z]*)"', source))
        sent &= {name for name in sent if re.fullmatch(
            r"Scan|Query|[A-Z][a-z]+(Write|Get)?(Table|Tables|Item|Items|Statement|TimeToLive)",
            name) or name in ("BatchGetItem", "TransactWriteItems", "ConditionCheckItem")}
        audit, repair = map(actions, policies())
        allowed = set().union(*repair.values()) | OPTIONAL | {"TransactWriteItems"}
        self.assertLessEqual({"Scan", "DescribeTable", "BatchGetItem", "PutItem"}, sent)
        self.assertEqual(set(), sent - allowed)
        for table, names in audit.items():
            self.assertEqual({"DescribeTable", "Scan", "BatchGetItem", *DOCTORS}, names)
            self.assertLess(names, repair[table])
        self.assertEqual(policies()[0]["Statement"][0], {"Effect": "Allow", **{
            key: policies()[1]["Statement"][0][key] for key in ("Action", "Resource")}})
        self.assertIn("dynamodb:ListTables", PAGE)

    def test_the_readme_has_the_spec_of_the_page(self):
        readme = program.read_bytes(os.path.join(program.ROOT, "README.md")).decode()
        self.assertIn(f"```toml\n{blocks('toml')[0]}```", readme)
        self.assertEqual(10, len([line for line in blocks("toml")[0].splitlines() if line]))


if __name__ == "__main__":
    program.main()
