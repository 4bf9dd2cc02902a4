// The store contract, tried on a server that speaks the protocol of Azure's tables: reads through a
// reader beside a store, writes through the store. And once more with a fault proxy before it,
// which answers many requests in part, by another's words, or not at all: the same must come of
// them.

#include <catch2/catch.hpp>

#include <set>

#include <nlohmann/json.hpp>

#include "../servers/server.hpp"
#include "azure_tables_subject.hpp"

using namespace idxfsck::store;
using namespace idxfsck::store::conformance;

namespace {

// One server for all that is asked of it here.
void check_all(bool separate, const std::vector<void (*)(Subject&)>& checks) {
    const idxfsck::servers::Server azurite{"azurite"};
    if (!azurite.runs()) return;
    for (void (*const check)(Subject&) : checks) {
        AzureTablesSubject subject{azurite.endpoint(), separate};
        check(subject);
    }
}

using Json = nlohmann::json;

// Rules of the fault proxy: tests/servers/README.md.
using Rules = std::vector<Json>;
using Operations = std::vector<std::string>;

Json rule(const char* fault, const Operations& operations, int every,
          Json more = Json::object()) {
    more["fault"] = fault;
    more["operations"] = operations;
    more["every"] = every;
    return more;
}

Rules read_faults() {
    const Operations scans{"QueryEntities"};
    const Operations reads{"QueryEntities", "GetEntity", "QueryTables"};
    Json three_rows = Json::object();
    three_rows["limit"] = 3;
    return {rule("unavailable", reads, 7), rule("timed_out", reads, 11),
            rule("truncated", reads, 13),  rule("not_json", reads, 17),
            rule("reset", reads, 19),      rule("cut", reads, 23),
            rule("drop", reads, 29),       rule("too_long", reads, 31),
            rule("empty_page", scans, 5),  rule("half_token", scans, 3),
            rule("short_page", scans, 2, three_rows)};
}

// Some keep the write from the service, some only the answer from whoever asked for it.
Rules write_faults() {
    const Operations writes{"InsertEntity", "UpdateEntity", "DeleteEntity", "Batch"};
    const Operations looks{"GetEntity"};
    Json after = Json::object();
    after["after"] = true;
    return {rule("unavailable", writes, 5),  rule("timed_out", writes, 7, after),
            rule("drop", writes, 11, after), rule("reset", writes, 13),
            rule("not_json", writes, 17),    rule("truncated", looks, 9),
            rule("internal", looks, 14)};
}

std::set<std::string> faults_of(const Rules& rules) {
    std::set<std::string> out;
    for (const Json& one : rules) out.insert(one["fault"].get<std::string>());
    return out;
}

// The faults that struck; where there is no server, all.
std::set<std::string> check_all_with(const Rules& rules, bool separate,
                                     const std::vector<void (*)(Subject&)>& checks) {
    idxfsck::servers::Server azurite{"azurite", "--proxy"};
    if (!azurite.runs()) return faults_of(rules);
    const std::string direct = Json::parse(azurite.description())["direct"];
    AzureTablesSettings settings = azure_settings_for(azurite.endpoint());
    settings.retries = {1, 10, 60'000};
    Json order;
    order["plan"]["faults"] = rules;
    REQUIRE(Json::parse(azurite.ask(order.dump())).contains("done"));
    for (void (*const check)(Subject&) : checks) {
        AzureTablesSubject subject{settings, direct, separate};
        check(subject);
    }
    std::set<std::string> struck;
    const Json counts = Json::parse(azurite.ask(R"({"counts": true})"));
    for (const auto& fault : counts["faults"].items()) struck.insert(fault.key());
    return struck;
}

}  // namespace

TEST_CASE("Azure tables are read as the contract says") {
    check_all(true, {check_tables, check_scan_sees_each_row_once,
                     check_resume_from_every_position, check_split_rest_at_every_position,
                     check_pages, check_foreign_tokens, check_projection, check_damage_is_told,
                     check_read, check_order});
}

TEST_CASE("Azure tables are written as the contract says") {
    check_all(false, {check_every_expectation, check_guards, check_refused_writes, check_write_all,
                      check_versions, check_as_stored, check_view, check_racing_inserts,
                      check_racing_counters, check_no_write_skew});
}

TEST_CASE("Azure tables are read as the contract says, whatever goes wrong on the way") {
    const Rules faults = read_faults();
    REQUIRE(check_all_with(faults, true,
                           {check_tables, check_scan_sees_each_row_once,
                            check_resume_from_every_position, check_split_rest_at_every_position,
                            check_pages, check_foreign_tokens, check_projection, check_read,
                            check_order}) == faults_of(faults));
}

TEST_CASE("Azure tables are written as the contract says, whatever goes wrong on the way") {
    const Rules faults = write_faults();
    REQUIRE(check_all_with(faults, false,
                           {check_every_expectation, check_guards, check_refused_writes,
                            check_write_all, check_write_all, check_write_all, check_versions,
                            check_as_stored, check_view,
                            check_racing_inserts}) == faults_of(faults));
    // Of two writers of the same bytes nothing tells whose a write is whose answer was lost: where
    // writers count their writes, reads alone may go wrong.
    const Rules reads{rule("truncated", {"GetEntity"}, 3), rule("unavailable", {"GetEntity"}, 5)};
    REQUIRE(check_all_with(reads, false, {check_racing_counters}) == faults_of(reads));
}
