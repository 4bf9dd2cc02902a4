"""azurite, as the tests start it, keeps tables as Azure does in what the tests rest on."""

import os
import sys

import program

sys.path.insert(0, os.path.join(program.TESTS, "servers"))
import azure_table  # noqa: E402
import real_server  # noqa: E402

ROW = {"PartitionKey": "p", "RowKey": "r", "Size": "7", "Size@odata.type": "Edm.Int64"}
AT = "/rows(PartitionKey='p',RowKey='r')"


class Azurite(program.ProgramTest):
    def ask(self, server, *words, status, **more):
        came, headers, said = azure_table.request(server.endpoint, *words, **more)
        self.assertEqual(status, came, said)
        return headers, said

    def test_rows_tags_and_signatures(self):
        with real_server.Server("azurite") as server:
            self.ask(server, "POST", "/Tables", {"TableName": "rows"}, status=201)
            self.ask(server, "GET", "/Tables", status=403, key="AAAA")
            self.ask(server, "POST", "/rows", ROW, status=201)
            self.ask(server, "POST", "/rows", ROW, status=409)
            headers, said = self.ask(server, "GET", AT, status=200)
            self.assertEqual(("7", "Edm.Int64"), (said["Size"], said["Size@odata.type"]))
            seen = {"if-match": headers["etag"]}
            self.ask(server, "MERGE", AT, {"Size": 8}, headers=seen, status=204)
            self.ask(server, "DELETE", AT, headers=seen, status=412)
            headers, _ = self.ask(server, "GET", AT, status=200)
            self.ask(server, "DELETE", AT, headers={"if-match": headers["etag"]}, status=204)
            self.ask(server, "GET", AT, status=404)

    def test_pages_through_the_fault_proxy(self):
        with real_server.Server("azurite", "--proxy") as server:
            self.ask(server, "POST", "/Tables", {"TableName": "rows"}, status=201)
            for number in range(5):
                self.ask(server, "POST", "/rows", {**ROW, "RowKey": str(number)}, status=201)
            headers, said = self.ask(server, "GET", "/rows()", query="$top=3", status=200)
            self.assertEqual(3, len(said["value"]))
            token = "NextPartitionKey={}&NextRowKey={}".format(
                headers["x-ms-continuation-nextpartitionkey"],
                headers["x-ms-continuation-nextrowkey"])
            _, said = self.ask(server, "GET", "/rows()", query=f"$top=3&{token}", status=200)
            self.assertEqual(["3", "4"], [row["RowKey"] for row in said["value"]])
            server.plan({"fault": "unavailable", "operations": ["QueryEntities"], "at": [1]})
            self.ask(server, "GET", "/rows()", status=503)
            self.ask(server, "GET", "/rows()", status=200)

    def test_what_it_acknowledged_is_on_disk_once_it_has_stopped(self):
        path = self.path("azure")
        with real_server.Server("azurite", "--path", path) as server:
            self.ask(server, "POST", "/Tables", {"TableName": "rows"}, status=201)
            self.ask(server, "POST", "/rows", ROW, status=201)
        with real_server.Server("azurite", "--path", path) as server:
            self.ask(server, "GET", AT, status=200)


if __name__ == "__main__":
    program.main()
