// Promised: the answer key of `seed` names exactly the differences between the tables that it
// writes.
//
// Method: an oracle that knows the mappings in words reads the tables as they lie there and
// compares every base row with every entry, by plain loops; its findings must be the answer key.

#include "fixtures/seed_tables.hpp"

#include <algorithm>
#include <set>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "seed_world.hpp"
#include "store/error.hpp"

namespace {

using namespace idxfsck;
using namespace idxfsck::fixtures;
using tests::SeedWorld;
using tests::Words;

struct Claim {
    Words key;
    Words pointer;
    std::string copied_name;

    auto operator<=>(const Claim&) const = default;
};

using Attributes = SeedWorld::Attributes;

std::string text_of(const Attributes& attributes, const std::string& name) {
    const auto found = attributes.find(name);
    return found == attributes.end() ? "" : found->second.payload;
}

Words list_of(const Attributes& attributes, const std::string& name) {
    Words words;
    store::ElementCursor cursor{attributes.at(name).view()};
    while (cursor.next()) words.emplace_back(cursor.value().payload);
    return words;
}

std::string lower(std::string text) {
    std::transform(text.begin(), text.end(), text.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return text;
}

// What a real user calls for in the index of that option.
std::vector<Claim> called_for(std::string_view option, const std::string& id,
                              const Attributes& user) {
    const std::string email = lower(text_of(user, "Email"));
    if (option == "unique") return {{{email}, {id}, ""}};
    if (option == "single_table") return {{{"EMAIL#" + email, "EMAIL"}, {id}, ""}};
    if (option == "non_unique") return {{{text_of(user, "City"), id}, {id}, ""}};
    if (option == "list_valued") return {{{text_of(user, "TeamId")}, {id}, ""}};
    if (option == "copies") return {{{text_of(user, "Login")}, {id}, text_of(user, "Name")}};
    if (option == "pointer_less") return {{{text_of(user, "Handle")}, {}, ""}};
    std::vector<Claim> claims;
    if (option == "sparse" && user.contains("Phone") && !user.contains("DeletedAt")) {
        claims.push_back({{text_of(user, "Phone")}, {id}, ""});
    }
    if (option == "multi_valued") {
        for (const std::string& tag : list_of(user, "Tags")) {
            claims.push_back({{tag, id}, {id}, ""});
        }
    }
    return claims;
}

// What an index row holds; nothing if it cannot be read as an entry.
std::vector<Claim> held_in(std::string_view option, const Words& key, const Attributes& row) {
    std::vector<Claim> claims;
    if (option == "list_valued") {
        for (const std::string& id : list_of(row, "Members")) claims.push_back({key, {id}, ""});
    } else if (option == "pointer_less") {
        claims.push_back({key, {}, ""});
    } else if (option == "non_unique" || option == "multi_valued") {
        claims.push_back({key, {key[1]}, ""});
    } else if (row.contains("UserId")) {
        claims.push_back({key, {text_of(row, "UserId")}, text_of(row, "DisplayName")});
    }
    return claims;
}

struct Oracle {
    const SeedIndex& index;
    std::map<std::string, Attributes> users;  // base rows by id
    std::map<Words, std::vector<Claim>> called;
    std::map<Words, std::vector<Claim>> held;
    std::vector<std::string> lines;

    Oracle(const SeedWorld& world, const SeedIndex& seed_index) : index{seed_index} {
        const bool single = index.base == SeedBase::accounts;
        for (const auto& [key, row] : world.tables.at(single ? "App" : "Users")) {
            if (single && key[1] != "PROFILE") continue;
            users[single ? text_of(row, "UserId") : key[0]] = row;
        }
        for (const auto& [id, row] : users) {
            if (!row.contains("CreatedAt")) continue;
            for (Claim& claim : called_for(index.option, id, row)) {
                called[claim.key].push_back(claim);
            }
        }
        for (const auto& [key, row] : world.tables.at(std::string{index.table})) {
            if (single && key[1] != "EMAIL") continue;
            const std::vector<Claim> claims = held_in(index.option, key, row);
            if (claims.empty()) {
                const bool list = index.option == "list_valued";
                add("malformed_entry", "damage", list ? "container_empty" : "attribute_missing",
                    {key, {}, ""});
            }
            for (const Claim& claim : claims) held[key].push_back(claim);
        }
    }

    void add(const char* kind, const char* cause, const std::string& word, const Claim& claim) {
        nlohmann::ordered_json line{{"index", index.name}, {"kind", kind}};
        if (!word.empty()) line[cause] = word;
        line["key"] = claim.key;
        line["pointer"] = claim.pointer;
        lines.push_back(line.dump());
    }

    std::string stale_reason(const Claim& claim) const {
        if (claim.pointer.empty()) return "unclaimed";
        const auto user = users.find(claim.pointer[0]);
        if (user == users.end()) return "base_missing";
        if (!user->second.contains("CreatedAt")) return "base_partial";
        return called_for(index.option, user->first, user->second).empty() ? "base_exempt"
                                                                            : "value_changed";
    }

    // The entry at the key of `claim` with its pointer, or none.
    static const Claim* find(const std::map<Words, std::vector<Claim>>& all, const Claim& claim) {
        const auto claims = all.find(claim.key);
        if (claims == all.end()) return nullptr;
        for (const Claim& other : claims->second) {
            if (other.pointer == claim.pointer) return &other;
        }
        return nullptr;
    }

    void judge_called() {
        for (const auto& [key, claims] : called) {
            if (index.unique && claims.size() > 1) {
                add("duplicate_claim", "reason", "", {key, {}, ""});
                continue;
            }
            for (const Claim& claim : claims) {
                const Claim* entry = find(held, claim);
                if (entry == nullptr) {
                    const bool elsewhere = index.unique && held.contains(key);
                    add("orphaned_write", "reason", elsewhere ? "entry_elsewhere" : "entry_missing",
                        claim);
                } else if (entry->copied_name != claim.copied_name) {
                    add("divergent_copy", "reason", "", claim);
                }
            }
        }
    }

    void judge_held() {
        for (const auto& [key, claims] : held) {
            for (const Claim& claim : claims) {
                if (find(called, claim) == nullptr) {
                    add("stale_pointer", "reason", stale_reason(claim), claim);
                }
            }
        }
    }
};

std::string found_by_oracle(const SeedWorld& world, const SeedOptions& options) {
    std::vector<std::string> lines;
    for (const SeedIndex* index : options.indexes) {
        Oracle oracle{world, *index};
        oracle.judge_called();
        oracle.judge_held();
        lines.insert(lines.end(), oracle.lines.begin(), oracle.lines.end());
    }
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

SeedOptions all_of(std::uint64_t rows, std::uint64_t seed, std::uint64_t each) {
    SeedOptions options{rows, seed, {}, {}};
    for (const SeedIndex& index : seed_indexes()) options.indexes.push_back(&index);
    for (std::size_t i = 0; i < drift_kinds; ++i) {
        options.drift.push_back({static_cast<DriftKind>(i), each});
    }
    return options;
}

}  // namespace

TEST_CASE("seeded tables without drift have nothing to find") {
    const SeedOptions options = all_of(500, 3, 0);
    const SeedWorld world = tests::make_world(options);
    REQUIRE(world.tables.at("Users").size() == 500);
    REQUIRE(world.tables.at("UsersByEmail").size() == 500);
    REQUIRE_FALSE(world.key_twice);
    REQUIRE(found_by_oracle(world, options).empty());
    REQUIRE(expected_findings(options, choose_faults(options)).empty());
}

TEST_CASE("the answer key of a seed is what an oracle finds in its tables") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        const SeedOptions options = all_of(1500, seed, 16);
        const std::vector<Fault> faults = choose_faults(options);
        const SeedWorld world = tests::make_world(options);
        REQUIRE_FALSE(world.key_twice);
        const std::string expected = expected_findings(options, faults);
        REQUIRE(expected == found_by_oracle(world, options));
        // Ten kinds, of which a move is two findings and a hand-over three.
        REQUIRE(std::count(expected.begin(), expected.end(), '\n') == 16 * (8 + 2 + 3));
    }
}

TEST_CASE("each index alone has the drift that it can have") {
    for (const SeedIndex& index : seed_indexes()) {
        for (std::size_t i = 0; i < drift_kinds; ++i) {
            const auto kind = static_cast<DriftKind>(i);
            CAPTURE(index.option, drift_name(kind));
            const SeedOptions options{200, 5, {&index}, {{kind, 3}}};
            if (!can_have(index, kind)) {
                REQUIRE_THROWS_AS(choose_faults(options), store::Error);
                continue;
            }
            const std::string found = found_by_oracle(tests::make_world(options), options);
            REQUIRE(found == expected_findings(options, choose_faults(options)));
            REQUIRE(std::count(found.begin(), found.end(), '\n') >= 3);
        }
    }
}

TEST_CASE("no row has two faults") {
    const SeedOptions options = all_of(1000, 9, 20);
    std::set<std::uint64_t> rows;
    for (const Fault& fault : choose_faults(options)) {
        REQUIRE(rows.insert(fault.row).second);
    }
    for (const Fault& fault : choose_faults(options)) {
        if (fault.kind == DriftKind::duplicate_claim) REQUIRE_FALSE(rows.contains(fault.other));
    }
}

TEST_CASE("more drift than rows can carry is refused") {
    const SeedOptions options{10, 1, {seed_index("unique")}, {{DriftKind::orphaned_write, 11}}};
    REQUIRE_THROWS_WITH(choose_faults(options), Catch::Contains("too few rows"));
}
