"""The index shapes of Azure's table store, in live tables: drift is found, mended, the rest left.

Method: the rows of fixtures/shapes are put into tables of azurite; the spec of the shape, with the
store of live tables in place of the embedded one, must find what the answer keys say.
"""

import json
import os

import live_azure
import program
import real_server
import test_shapes

SHAPES = ["azure-guide", "azure-intra-partition", "azure-lists", "identity-hashed"]


class AzureShapes(test_shapes.Shapes):
    """Takes what a shape is checked by, and none of the tests of its own."""

    def run_program(self, *words, **more):
        return super().run_program(*words, environment=live_azure.NO_ACCOUNTS, **more)

    def load(self, name):
        folder = os.path.join(test_shapes.SHAPES, name)
        server = real_server.Server("azurite")
        self.addCleanup(server.stop)
        spec = live_azure.live_spec(os.path.join("shapes", name, "spec.toml"), server.endpoint)
        self.write("spec.toml", spec)
        for file in sorted(os.listdir(folder)):
            table, ending = os.path.splitext(file)
            if ending == ".ndjson" and table not in ("expected", "left"):
                with open(os.path.join(folder, file), encoding="utf-8") as lines:
                    live_azure.azure_table.make_table(server.endpoint, table,
                                                      [json.loads(line) for line in lines])


for name in [name for name in dir(AzureShapes) if name.startswith("test_")]:
    setattr(AzureShapes, name, None)
for shape in SHAPES:
    setattr(AzureShapes, "test_live_" + shape.replace("-", "_"), test_shapes.walk_of(shape))


if __name__ == "__main__":
    program.main()
