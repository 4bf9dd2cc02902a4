#include <algorithm>

#include "reports/commands/commands.hpp"
#include "reports/commands/store_options.hpp"
#include "reports/escape.hpp"
#include "reports/exit_code.hpp"
#include "reports/plural.hpp"
#include "reports/progress_line.hpp"
#include "reports/signals.hpp"
#include "store/error.hpp"
#include "store/json/load_rocksdb.hpp"

namespace idxfsck::reports {

namespace {

store::LoadMode mode_of(const Arguments& arguments) {
    const bool replace = arguments.has("replace");
    if (replace && arguments.has("append")) {
        throw store::Error{"one of --replace and --append at most", store::Trouble::usage}.with(
            "option", "--append");
    }
    if (replace) return store::LoadMode::replace;
    return arguments.has("append") ? store::LoadMode::append : store::LoadMode::create;
}

// "PartitionKey,RowKey": the attributes that are the key, in order.
std::vector<store::Bytes> key_names(const Arguments& arguments) {
    const auto list = arguments.text("key");
    if (!list && mode_of(arguments) != store::LoadMode::create) return {};
    if (!list) {
        throw store::Error{"the key attributes must be named", store::Trouble::usage}
            .with("option", "--key")
            .hint("such as --key UserId, or --key PartitionKey,RowKey");
    }
    std::vector<store::Bytes> names;
    std::string_view rest = *list;
    while (true) {
        const std::size_t end = rest.find(',');
        names.emplace_back(rest.substr(0, end));
        if (end == rest.npos) break;
        rest.remove_prefix(end + 1);
    }
    if (std::find(names.begin(), names.end(), "") == names.end()) return names;
    throw store::Error{"a key attribute has no name", store::Trouble::usage}
        .with("option", "--key")
        .with("value", *list);
}

int run(const Arguments& arguments, Streams& streams) {
    const store::LoadRequest request{.files = arguments.list("FILE"),
                                     .shape = shape_option(arguments),
                                     .key_names = key_names(arguments)};
    const store::RocksdbTarget target{*arguments.text("STORE"), *arguments.text("TABLE"),
                                      mode_of(arguments)};
    const bool quiet = arguments.has("quiet");
    ProgressLine line{streams.error, quiet};
    const auto observer = [&](const store::LoadCount& count) {
        line.show({"load", "rows", count.rows, 0, 0});
        // Nothing of the load is visible yet, and nothing stays.
        if (stop_requested()) throw store::Error{"stopped by a signal", store::Trouble::stopped};
    };
    const store::LoadCount count = store::load_into_rocksdb(target, request, observer);
    line.erase();
    if (!quiet) {
        streams.out.print("{} in table {}\n", counted(count.rows, "row loaded", "rows loaded"),
                          escape_terminal(target.table));
    }
    return exit_consistent;
}

}  // namespace

Command load_command() {
    return {
        .name = "load",
        .summary = "load rows from NDJSON into a table of the embedded store",
        .description =
            "Reads rows from files of one JSON object a line (\"-\": standard input; gzip is\n"
            "read directly) and makes them the table TABLE of the store in the folder STORE,\n"
            "which is made if it is not there. Shapes: plain JSON, DynamoDB JSON as in an\n"
            "export, and Azure tables with odata annotations; each type is kept.\n\n"
            "A line that is no row is named by file and line, and then nothing of the load\n"
            "stays. Never touches other tables, and never replaces rows unless told to.",
        .positionals = {{"STORE"}, {"TABLE"}, {"FILE", true, true}},
        .options = {{"key", "NAMES", "attributes that are the key, in order, with commas; a table "
                                  "that is there has them already"},
                    {"shape", "SHAPE", "auto (default: from the first row), plain, dynamodb or "
                                       "azure"},
                    {"replace", "", "put these rows in place of those in the table"},
                    {"append", "", "add these rows to those in the table"},
                    {"quiet", "", "no progress and no sum"}},
        .exit_statuses = {{0, "all rows are in the table"},
                          {8, "a line is no row, a key comes twice, or the store or the disk "
                              "failed; nothing of the load stays"},
                          {16, "the table is there already, or the command line makes no sense"},
                          {32, "stopped by a signal; nothing of the load stays"}},
        .examples = {{"idxfsck load shop.idxfsck Users users.ndjson.gz --key UserId", ""},
                     {"idxfsck load auth.idxfsck auth rows.ndjson --key PartitionKey,RowKey", ""}},
        .run = run,
    };
}

}  // namespace idxfsck::reports
