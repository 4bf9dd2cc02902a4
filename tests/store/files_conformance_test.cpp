// The reading half of the store contract, tried on files: NDJSON and CSV, plain and gzip, one file
// and several.

#include <catch2/catch.hpp>

#include "files_subject.hpp"

using namespace idxfsck::store;
using namespace idxfsck::store::conformance;

namespace {

void for_each_form(void (*check)(Subject&)) {
    for (const bool csv : {false, true}) {
        for (const bool compressed : {false, true}) {
            for (const std::size_t parts : {1, 3}) {
                CAPTURE(csv, compressed, parts);
                FilesSubject subject{{csv, compressed, parts}};
                check(subject);
            }
        }
    }
}

}  // namespace

TEST_CASE("files are tables with a name of their own") { for_each_form(check_tables); }

TEST_CASE("however files are cut, each row is seen once") {
    // Compressed files are not cut, so there are fewer pieces than that check asks for.
    for (const bool csv : {false, true}) {
        for (const std::size_t parts : {1, 3}) {
            CAPTURE(csv, parts);
            FilesSubject subject{{csv, false, parts}};
            check_scan_sees_each_row_once(subject);
        }
        FilesSubject many{{csv, true, 24}};
        check_scan_sees_each_row_once(many);
    }
}

TEST_CASE("a scan of files goes on from each position that it gave") {
    for_each_form(check_resume_from_every_position);
}

TEST_CASE("what is left of files after each position can be cut again") {
    for_each_form(check_split_rest_at_every_position);
}

TEST_CASE("pages of files end where the sink was told") { for_each_form(check_pages); }

TEST_CASE("tokens that a store of files did not make are refused or harmless") {
    for (const bool csv : {false, true}) {
        for (const bool compressed : {false, true}) {
            CAPTURE(csv, compressed);
            FilesSubject subject{{csv, compressed, 3}};
            check_foreign_tokens(subject);
        }
        FilesSubject one{{csv, false, 1}};
        check_foreign_tokens(one);
    }
}

TEST_CASE("a scan of files cuts rows to the projection") { for_each_form(check_projection); }

TEST_CASE("lines of files that are no row are told, not skipped and not read") {
    for_each_form(check_damage_is_told);
}

TEST_CASE("files answer reads in order, for keys of every kind that they can hold") {
    for_each_form(check_read);
}

TEST_CASE("a scan of files gives the rows in one order each time") { for_each_form(check_order); }
