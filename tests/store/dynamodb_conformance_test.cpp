// The store contract, tried on a server that speaks DynamoDB's protocol: reads through a reader
// beside a store, writes through the store. dynalite has no transactions, so guards reach the
// written row alone.

#include <catch2/catch.hpp>

#include "../servers/server.hpp"
#include "dynamodb_subject.hpp"

using namespace idxfsck::store;
using namespace idxfsck::store::conformance;

namespace {

// One server for all that is asked of it here.
void check_all(bool separate, const std::vector<void (*)(Subject&)>& checks) {
    const idxfsck::servers::Server server{"dynalite"};
    if (!server.runs()) return;
    for (void (*const check)(Subject&) : checks) {
        DynamodbSubject subject{server.endpoint(), separate};
        check(subject);
    }
}

}  // namespace

TEST_CASE("DynamoDB is read as the contract says") {
    check_all(true, {check_tables, check_scan_sees_each_row_once,
                     check_resume_from_every_position, check_split_rest_at_every_position,
                     check_pages, check_foreign_tokens, check_projection, check_damage_is_told,
                     check_read, check_order});
}

TEST_CASE("DynamoDB is written as the contract says") {
    check_all(false, {check_every_expectation, check_guards, check_refused_writes, check_write_all,
                      check_versions, check_as_stored, check_view, check_racing_inserts,
                      check_racing_counters, check_no_write_skew});
}
