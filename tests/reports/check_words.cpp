// What `check` says of specs that make sense, compared with texts that were read and found good.

#include <catch2/catch.hpp>

#include <filesystem>

#include "golden.hpp"
#include "run_program.hpp"

namespace idxfsck::reports {
namespace {

std::string checked(const std::string& spec, int status = 0) {
    const TemporaryFolder folder;
    folder.write("shop.toml", spec);
    RunSettings here;
    here.folder = folder.path();
    const Ran ran = run_idxfsck({"check", "shop.toml"}, here);
    CHECK(ran.status == status);
    CHECK(ran.error.empty());
    return ran.out;
}

std::string read_file(const std::filesystem::path& path) {
    std::ifstream file{path, std::ios::binary};
    REQUIRE(file.good());
    return {std::istreambuf_iterator<char>{file}, {}};
}

const std::string users = R"([store.main]
kind = "memory"

[base.user]
store = "main"
table = "Users"
key   = ["UserId"]
)";

std::string index(const std::string& keys) {
    return "\n[[index]]\nof    = \"user\"\nstore = \"main\"\n" + keys;
}

bool says(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("check says of each index in one sentence what it derives") {
    const std::string text = checked(users + index(R"(name    = "users-by-email"
table   = "UsersByEmail"
key     = { Email = "{Email|lower}" }
pointer = { UserId = "{UserId}" }
copies  = { DisplayName = "{DisplayName}" }
when    = 'exists(Email) and not exists(DeletedAt)'
unique  = true
)"));
    CHECK(says(text, "users-by-email: for each row of Users with Email and without DeletedAt, an "
                     "entry in UsersByEmail under lower(Email), pointing to UserId, with a copy of "
                     "DisplayName; unique\n"));
    CHECK(!says(text, "note"));
}

TEST_CASE("the words for every shape of index are the ones that were read") {
    const std::string spec = users + "rows  = 'starts_with(UserId, \"u\")'\n" +
                             index(R"(name   = "by-team"
table  = "Teams"
key    = { TeamId = "{Team}.{Group}" }
container = { list = "Members", item = "{UserId}" }
when   = 'missing(DeletedAt)'
)") + index(R"(name   = "by-login"
table  = "Logins"
key    = { UserId = "{UserId}" }
container = { columns = true, name = "{provider}", value = "{id}" }
)") + index(R"(name   = "by-role"
table  = "Roles"
key    = { TeamId = "{Team}" }
container = { map = "Roles", name = "{UserId}", value = "{Role}" }
)") + index(R"(name   = "by-room"
table  = "Rooms"
key    = { Room = "{Room}" }
container = { delimited = "Ids", separator = ",", item = "{UserId}" }
)") + index(R"(name   = "by-tag"
table  = "Tags"
each   = "{Tags|split(',')}"
key    = { Tag = "{@item|replace('a', 'b')}", UserId = "{UserId}" }
copies = "all"
)") + index(R"(name   = "handles"
table  = "Handles"
key    = { K = "{tenant|url_escape}#{handle}" }
unique = { scope = ["tenant"] }
)") + index(R"(name   = "recent"
table  = "Recent"
key    = { K = [{ when = 'is_empty(ns)', use = "{name}" }, { use = "_{ns}_{name}" }] }
pointer = { UserId = "{UserId}" }
copies = { all_except = ["Secret", "Etag"] }
lossy  = true
)");
    check_golden("check-shapes.txt", checked(spec));
}

TEST_CASE("the words for every rule of an index are the ones that were read") {
    const std::string spec = users + "expires = { at = \"{ExpiresAt}\" }\n" +
                             index(R"(name   = "by-email"
table  = "Emails"
rows   = 'not starts_with(Email, "v1:")'
key    = { Email = "{Email|lower}" }
pointer = { UserId = "{UserId}" }
unique = true
winner = { smallest = "{Created}" }
covers = 'Created > "2020"'
expires = { at = "{Until}", reservation = true }
old_versions = "migrate"
[[index.versions]]
name = "first"
rows = 'starts_with(Email, "v1:")'
key  = { Email = "v1:{Email}" }
)") + R"(
[[index]]
name   = "gsi"
of     = "user"
inside = true
key    = { gsi1pk = "ACC#{Account}", gsi1sk = "DATE#{Date}" }
covers = 'exists(Account)'
)";
    check_golden("check-rules.txt", checked(spec + index(R"(name   = "salted"
table  = "Salted"
key    = { K = "{@any(10)}#{Email}" }
pointer = { UserId = "{UserId}" }
)")));
}

TEST_CASE("the words for the sample specs are the ones that were read") {
    const std::filesystem::path folder = IDXFSCK_TESTS_FOLDER "/../fixtures/specs";
    for (const char* name : {"auth-azure", "onetable"}) {
        const std::string spec = read_file(folder / (std::string{name} + ".toml"));
        check_golden("check-" + std::string{name} + ".txt", checked(spec));
    }
}

TEST_CASE("what check says of broken specs, with lines and carets, is what was read") {
    const std::filesystem::path folder = IDXFSCK_TESTS_FOLDER "/broken-specs";
    std::string all;
    for (const char* name : {"04-unknown-key", "06-wrong-types", "07-missing-keys",
                             "12-unknown-transform", "17-template-over-several-lines",
                             "18-condition-over-several-lines"}) {
        all += std::string{name} + "\n";
        all += checked(read_file(folder / (std::string{name} + ".toml")), 16) + "\n";
    }
    check_golden("check-broken.txt", all);
    const std::string hostile = checked(read_file(folder / "50-hostile-names.toml"), 16);
    CHECK(hostile.find('\x1b') == std::string::npos);
    CHECK(!says(hostile, "\u202e"));
}

TEST_CASE("names and texts of a spec cannot move the cursor in what check says") {
    const std::string text = checked(users + index("name    = \"a\\u001b[31m\"\n"
                                                   "table   = \"T\\u202e\"\n"
                                                   "key     = { \"K\\u0007\" = \"x\\u001b{Email}\" "
                                                   "}\npointer = { UserId = \"{UserId}\" }\n"));
    CHECK(text.find('\x1b') == std::string::npos);
    CHECK(text.find('\x07') == std::string::npos);
    CHECK(!says(text, "\u202e"));
}

}  // namespace idxfsck::reports
