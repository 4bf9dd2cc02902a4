#include "audit/share_set.hpp"

#include <tuple>

#include "store/error.hpp"

namespace idxfsck::audit {

namespace {

// Names of missing shares that an Error lists; the rest is counted.
constexpr std::size_t names_max = 20;

store::Error not_one_audit(std::string text) {
    return store::Error{std::move(text), store::Trouble::usage};
}

// Does `a` go before `b`, as sketches of one share? What was read counts more than when.
bool preferred(const SketchHead& a, const SketchHead& b) {
    return std::tie(a.gaps_count, b.end_ms, b.begin_ms, a.digest) <
           std::tie(b.gaps_count, a.end_ms, a.begin_ms, b.digest);
}

void add(ShareSet& set, const std::string& file, SketchHead head) {
    head.parameters = {};
    KeptSketch& kept = set.shares[head.share];
    kept.contents.insert(head.digest);
    if (!kept.file.empty() && !preferred(head, kept.head)) return;
    kept.file = file;
    kept.head = std::move(head);
}

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t number = 0; number < names.size() && number < names_max; ++number) {
        text += (number > 0 ? ", " : "") + names[number];
    }
    if (names.size() > names_max) {
        text += " and " + std::to_string(names.size() - names_max) + " more";
    }
    return text;
}

// How many shares there are of one audit, if all sketches say the same.
std::optional<std::uint64_t> common_count(const ShareSet& set) {
    const std::uint64_t count = set.shares.begin()->first.count;
    for (const auto& [share, kept] : set.shares) {
        if (share.count != count) return std::nullopt;
    }
    return count;
}

// Names of partitions by their running number.
std::vector<std::string> partition_names(const SketchParameters& parameters) {
    std::vector<std::string> names;
    for (const TableCut& table : parameters.tables) {
        for (const store::Partition& partition : table.partitions) {
            names.push_back(table.table + " " + partition.label);
        }
    }
    return names;
}

using Owners = std::vector<const KeptSketch*>;  // of partitions by their running number

Owners owners_of(const ShareSet& set) {
    Owners owners(set.parameters.partitions_count());
    for (const auto& [share, kept] : set.shares) {
        for (std::uint64_t part = share.number - 1; part < owners.size(); part += share.count) {
            const KeptSketch*& owner = owners[part];
            if (owner != nullptr) {
                throw not_one_audit("two shares overlap: they scanned the same part of a table")
                    .with("share", share_name(owner->head.share))
                    .with("file", owner->file)
                    .with("other_share", share_name(share))
                    .with("other_file", kept.file)
                    .hint("leave one of them out");
            }
            owner = &kept;
            if (share.count >= owners.size()) break;
        }
    }
    return owners;
}

}  // namespace

ShareSet collect_shares(const std::string& spec_digest, const std::vector<std::string>& files) {
    ShareSet set;
    for (const std::string& file : files) {
        SketchHead head = SketchReader{file}.head();
        if (head.parameters.head.spec_digest != spec_digest) {
            throw not_one_audit("the sketch is of another spec")
                .with("file", file)
                .with("differs", "spec")
                .hint("merge with the spec, unchanged, that the share was scanned with");
        }
        if (file == files.front()) set.parameters = head.parameters;
        const std::string differs = difference(set.parameters, head.parameters);
        if (!differs.empty()) {
            throw not_one_audit("the sketches are of different parameters, and do not add up")
                .with("file", file)
                .with("other_file", files.front())
                .with("differs", differs)
                .hint("scan all shares with one file of --sketch-parameters");
        }
        add(set, file, std::move(head));
    }
    return set;
}

void check_shares(const ShareSet& set) {
    const Owners owners = owners_of(set);
    const std::optional<std::uint64_t> count = common_count(set);
    const std::vector<std::string> partitions =
        count ? std::vector<std::string>{} : partition_names(set.parameters);
    std::set<Share> shares;
    std::vector<std::string> missing;
    for (std::size_t part = 0; part < owners.size(); ++part) {
        if (owners[part] != nullptr) continue;
        if (!count) {
            missing.push_back(partitions[part]);
        } else {
            shares.insert({part % *count + 1, *count});
        }
    }
    for (const Share& share : shares) missing.push_back(share_name(share));
    if (missing.empty()) return;
    throw not_one_audit(count ? "shares are missing, so this is not the whole audit"
                              : "parts of tables are missing, so this is not the whole audit")
        .with("missing", joined(missing))
        .hint("scan them with `idxfsck audit --share`, and merge again with their sketches");
}

}  // namespace idxfsck::audit
