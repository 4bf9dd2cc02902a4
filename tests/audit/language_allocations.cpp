// Promised: once the scratch has grown, deriving and decoding allocate nothing per row.
// Method: operator new counts while the same rows run through the programs a second time.

#include <catch2/catch.hpp>

#include <atomic>
#include <cstdlib>
#include <new>

#include "tests/audit/language_tables.hpp"

namespace {

std::atomic<std::size_t> allocations{0};

[[maybe_unused]] void* counted(std::size_t size) {
    ++allocations;
    void* const bytes = std::malloc(size == 0 ? 1 : size);
    if (bytes == nullptr) throw std::bad_alloc{};
    return bytes;
}

}  // namespace

// Under the thread sanitizer, whose build has other tests to run, nothing is counted.
#ifndef __SANITIZE_THREAD__
// All forms: a sanitizer notices memory that came from one allocator and went back to another.
void* operator new(std::size_t size) { return counted(size); }
void* operator new[](std::size_t size) { return counted(size); }
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
    ++allocations;
    return std::malloc(size == 0 ? 1 : size);
}
void* operator new[](std::size_t size, const std::nothrow_t& nothrow) noexcept {
    return ::operator new(size, nothrow);
}
void operator delete(void* bytes) noexcept { std::free(bytes); }
void operator delete[](void* bytes) noexcept { std::free(bytes); }
void operator delete(void* bytes, std::size_t) noexcept { std::free(bytes); }
void operator delete[](void* bytes, std::size_t) noexcept { std::free(bytes); }
void operator delete(void* bytes, const std::nothrow_t&) noexcept { std::free(bytes); }
void operator delete[](void* bytes, const std::nothrow_t&) noexcept { std::free(bytes); }
#endif

using namespace idxfsck;
using tests::row_of;
using tests::text;

namespace {

struct Count : audit::EntrySink {
    std::size_t entries = 0;
    void entry(const audit::EntryView&) override { ++entries; }
    void damage(audit::Damage, store::BytesView) override {}
};

// Allocations of a hundred rounds of classify, derive, owns and decode, after a first one.
std::size_t allocations_of(const std::string& index, const std::string& base = {}) {
    const audit::Spec spec = tests::spec_of(tests::users_spec(index, base));
    const audit::StoreFacts facts{{{"Users", {"UserId"}}, {"Index", {"K"}}}, {}, {}};
    const audit::Programs programs = audit::compile(spec, {{"main", facts}}, {}, 0);
    const store::Row base_row = row_of(
        {"a-user-with-a-long-id"},
        {text("Email", " Ann.With.A.Long.Name@Example.ORG "), text("First", "ANN"),
         text("Last", "LONG NAME THAT IS NOT SHORT"), text("status", "open"),
         {"Age", store::Value::number("41.50")}, {"Number", store::Value::number("41")},
         {"Tags", store::Value::list({store::Value::text("cat"), store::Value::text("dog")})}});
    const store::Row index_row = row_of({"ann.with.a.long.name@example.org"},
                                        {text("Id", "a-user-with-a-long-id"), text("First", "x")});
    const audit::TableProgram& base_table = programs.tables[programs.bases[0].table];
    const audit::TableProgram& index_table = programs.tables[programs.indexes[0].table];
    store::Projector base_projector{base_table.schema.key, base_table.projection};
    store::Projector index_projector{index_table.schema.key, index_table.projection};
    const store::RowView base_view = base_projector.project(base_row);
    const store::RowView index_view = index_projector.project(index_row);
    audit::Scratch scratch;
    Count sink;
    const auto round = [&] {
        programs.bases[0].program->classify(base_view, scratch);
        programs.indexes[0].program->derive(base_view, scratch, sink);
        if (programs.indexes[0].program->owns(index_view, scratch)) {
            programs.indexes[0].program->decode(index_view, scratch, sink);
        }
    };
    round();
    const std::size_t before = allocations;
    for (int count = 0; count < 100; ++count) round();
    REQUIRE(sink.entries >= 101);
    return allocations - before;
}

}  // namespace

TEST_CASE("a scan allocates nothing per row once its scratch has grown") {
    const std::string pointer = "\npointer = { Id = \"{UserId}\" }\n";
    CHECK(allocations_of("key = { K = \"{Email}\" }" + pointer) == 0);
    CHECK(allocations_of("key = { K = \"{Email|trim|lower}#{First|lower}#{Last|lower}\" }" +
                         pointer) == 0);
    CHECK(allocations_of("key = { K = \"{Email}\" }" + pointer +
                         "when = 'exists(Email) and not exists(DeletedAt) and Age > 41.4 and "
                         "status in (\"shut\", \"open\")'\n") == 0);
    CHECK(allocations_of("key = { K = \"{Email}\" }" + pointer,
                         "rows = 'matches(status, \"^op.n$\")'\n") == 0);
    CHECK(allocations_of("key = { K = \"{Email}\" }" + pointer + "copies = \"all\"\n") == 0);
    CHECK(allocations_of("each = \"{Tags}\"\nkey = { K = \"{@item}\" }" + pointer) == 0);
    CHECK(allocations_of("key = { K = \"{Email|sha256|hex}\" }" + pointer) == 0);
    CHECK(allocations_of("key = { K = \"n{Age}\" }" + pointer) == 0);
    CHECK(allocations_of("key = { K = \"{Number|vitess_hash|hex}\" }" + pointer) == 0);
}
