#include "reports/commands/commands.hpp"
#include "reports/commands/store_options.hpp"
#include "reports/exit_code.hpp"
#include "reports/open_stores.hpp"
#include "reports/plural.hpp"
#include "reports/progress_line.hpp"
#include "reports/spec_file.hpp"
#include "store/error.hpp"
#include "store/json/dump.hpp"
#include "store/open.hpp"

namespace idxfsck::reports {

namespace {

// Rows on standard output, through the Output that notices failed writes. Ends at the first one:
// a reader that went away needs no more rows.
class OutputSink final : public store::ByteSink {
public:
    explicit OutputSink(Output& out) : out_{out} {}

    void write(store::BytesView bytes) override {
        out_.write(bytes);
        check();
    }

    void finish() override {
        out_.flush();
        check();
    }

private:
    void check() const {
        if (!out_.failed()) return;
        throw store::Error{"the dump is cut short"}.with("cause", out_.cause());
    }

    Output& out_;
};

std::unique_ptr<store::Reader> open_source(const Arguments& arguments, Streams& streams) {
    const std::string name = *arguments.text("STORE");
    const auto spec = arguments.text("spec");
    if (!spec) return store::open_reader("rocksdb", {{"path", name}}, ".");
    return open_one_reader(require_spec(*spec, streams), name);
}

int run(const Arguments& arguments, Streams& streams) {
    const store::Shape shape = shape_option(arguments);
    const auto file = arguments.text("out");
    const auto reader = open_source(arguments, streams);
    OutputSink standard{streams.out};
    const auto named = file ? store::open_sink(*file) : nullptr;
    store::ByteSink& sink = named ? *named : standard;
    ProgressLine line{streams.error, arguments.has("quiet")};
    const auto observer = [&](const store::LoadCount& count) {
        line.show({"dump", "rows", count.rows, 0, 0});
    };
    const auto count = store::dump_rows(*reader, *arguments.text("TABLE"), shape, sink, observer);
    line.erase();
    if (file && !arguments.has("quiet")) {
        streams.error.print("{}\n", counted(count.rows, "row dumped", "rows dumped"));
    }
    return exit_consistent;
}

}  // namespace

Command dump_command() {
    return {
        .name = "dump",
        .summary = "write a table of a store as NDJSON",
        .description =
            "Writes every row of TABLE, one a line, in order of key, to standard output or to a\n"
            "file (mode 0600, which takes its name only when it is whole; compressed if its\n"
            "name ends in .gz). STORE is the folder of an embedded store, or with --spec the name\n"
            "of a store in the spec. Never writes to the store.",
        .positionals = {{"STORE"}, {"TABLE"}},
        .options = {{"shape", "SHAPE", "plain (default), dynamodb or azure"},
                    {"spec", "SPEC", "the spec that declares STORE, of whatever kind"},
                    {"out", "FILE", "where the rows go (default: standard output)"},
                    {"quiet", "", "no progress and no sum"}},
        .exit_statuses = {{0, "all rows were written"},
                          {8, "the store could not be read whole, holds a value that the shape "
                              "cannot say, or the output could not be written"},
                          {16, "there is no such store or table"}},
        .examples = {{"idxfsck dump shop.idxfsck Users --out users.ndjson.gz", ""},
                     {"idxfsck dump shop.idxfsck Users --shape dynamodb", ""},
                     {"idxfsck dump main Users --spec shop.toml", ""}},
        .run = run,
    };
}

}  // namespace idxfsck::reports
