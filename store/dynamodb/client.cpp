#include "store/dynamodb/client.hpp"

#include <algorithm>

#include "store/dynamodb/batch_read.hpp"
#include "store/http/curl_transport.hpp"

namespace idxfsck::store {

namespace {

// A table of so many bytes is worth more segments than threads, so that all end together; a small
// one is read by a few requests however many threads there are.
constexpr std::uint64_t large_bytes_min = std::uint64_t{1} << 30;
constexpr std::uint64_t segment_bytes_min = std::uint64_t{1} << 20;
constexpr std::uint64_t small_segments = 4;

std::unique_ptr<Transport> make_transport(const AwsSurroundings& around) {
    if (around.transport != nullptr) return nullptr;
    return std::make_unique<CurlTransport>(around.variable("AWS_CA_BUNDLE").value_or(""));
}

std::unique_ptr<DynamodbApi> make_api(const DynamodbSettings& settings, AwsSurroundings around,
                                      Transport* transport) {
    if (transport != nullptr) around.transport = transport;
    Profiles profiles = read_profiles(around);
    AwsPlace place = find_place(around, profiles, "dynamodb", settings.place);
    around.store_region = place.region;
    return std::make_unique<DynamodbApi>(std::move(place), std::move(around), std::move(profiles),
                                         settings.retries);
}

Capabilities dynamodb_capabilities(bool transactions) {
    Capabilities out;
    out.metered = true;
    out.guard = transactions ? GuardReach::store : GuardReach::row;
    // That of partition keys; an audit knows that of sort keys by the kind of the store.
    out.key_limits.bytes_max = 2048;
    out.key_limits.empty_text = false;
    out.key_limits.null = false;
    return out;
}

}  // namespace

DynamodbClient::DynamodbClient(const DynamodbSettings& settings, const AwsSurroundings& around)
    : transport_{make_transport(around)},
      api_{make_api(settings, around, transport_.get())},
      tables_{*api_},
      consistent_{settings.consistent},
      units_a_second_{settings.units_a_second},
      dollars_per_million_{settings.dollars_per_million},
      capabilities_{dynamodb_capabilities(!api_->place().configured)},
      capacity_{*around.clock, settings.units_a_second, settings.dollars_per_million,
                settings.dollars_per_million_writes} {
    // Before anything is sent to the tables' own service.
    check_account(settings.expect_account);
}

GuardReach DynamodbClient::guard() {
    std::call_once(guard_once_, [&] {
        guard_ = has_transactions() ? GuardReach::store : GuardReach::row;
    });
    return guard_;
}

void DynamodbClient::check_account(const std::string& expected) {
    if (expected.empty()) return;
    const Caller caller = api_->caller();
    if (caller.account == expected) return;
    throw Error{"the credentials are those of another account than the spec expects",
                Trouble::usage}
        .with("expect_account", expected)
        .with("account", caller.account)
        .with("identity", caller.arn)
        .with("credentials", api_->credentials_source())
        .hint("choose others with AWS_PROFILE, or change expect_account; nothing was read");
}

// AWS has them. Any other server is asked for an empty one, which no server carries out.
bool DynamodbClient::has_transactions() {
    if (!api_->place().configured) return true;
    const Reply reply = api_->call("TransactWriteItems", "{\"TransactItems\":[]}");
    return !reply.fault || reply.fault->code != "UnknownOperationException";
}

Bytes DynamodbClient::identity() {
    const std::lock_guard lock{identity_mutex_};
    if (!identity_.empty()) return identity_;
    const AwsPlace& place = api_->place();
    Bytes owner = place.configured ? place.url : tables_.account();
    // Nothing was described yet: the credentials know whose they are.
    if (owner.empty()) owner = api_->caller().account;
    identity_ = "dynamodb/" + place.region + "/" + owner;
    return identity_;
}

std::vector<TableSchema> DynamodbClient::tables() {
    std::vector<TableSchema> out;
    for (const Bytes& name : tables_.names()) {
        if (auto found = table(name)) out.push_back(std::move(*found));
    }
    return out;
}

std::optional<TableSchema> DynamodbClient::table(BytesView name) {
    std::optional<TableDescription> found = tables_.find(name);
    if (!found) return std::nullopt;
    return std::move(found->schema);
}

std::optional<std::uint64_t> DynamodbClient::rows_estimate(BytesView table) {
    const std::uint64_t rows = tables_.get(table).rows;
    // Counted every six hours: a young table says 0.
    if (rows == 0) return std::nullopt;
    return rows;
}

std::vector<Partition> DynamodbClient::split(BytesView table, std::size_t target) {
    const std::uint64_t bytes = tables_.get(table).bytes;
    std::uint64_t total = std::max<std::uint64_t>(target, 1);
    if (total > 1 && bytes >= large_bytes_min) total *= 2;
    // As counted some hours ago: 0 says nothing.
    if (bytes > 0) total = std::min(total, std::max(bytes / segment_bytes_min, small_segments));
    total = std::min(total, segments_max);
    std::vector<Partition> out;
    for (std::uint64_t number = 0; number < total; ++number) {
        out.push_back(segment_partition({number, total}));
    }
    return out;
}

// A segment cannot be cut: what is left of it is one partition, which begins where the old one was
// left. That is said by a token of both.
std::vector<Partition> DynamodbClient::split_rest(BytesView table, const Partition& partition,
                                                  const Position& position) {
    static_cast<void>(tables_.get(table));
    const SegmentPlace place = parse_place(partition, position);
    if (place.ended) return {};
    return {rest_partition(place)};
}

ScanEnd DynamodbClient::scan(BytesView table, const Partition& partition,
                             const ScanOptions& options, RowSink& sink) {
    const TableDescription description = tables_.get(table);
    const SegmentPlace place = parse_place(partition, options.resume);
    if (place.after && possible_key(description, *place.after) != place.after) {
        throw Error{"this is no position of the table"}.with("store", api_->name()).with("table",
                                                                                        table);
    }
    try {
        return ScanWalk{*api_, description, options, consistent_, capacity_}.run(place, sink);
    } catch (Error& error) {
        error.with("table", table).with("partition", partition.label);
        throw;
    }
}

std::vector<std::optional<Row>> DynamodbClient::read(BytesView table, std::span<const Key> keys) {
    static_cast<void>(tables_.get(table));
    std::vector<RowName> names;
    for (const Key& key : keys) names.push_back({Bytes{table}, key});
    try {
        return BatchRead{*api_, tables_, capacity_}.read(names);
    } catch (Error& error) {
        const auto& fields = error.fields();
        const bool named = std::any_of(fields.begin(), fields.end(),
                                       [](const auto& field) { return field.first == "table"; });
        if (!named) error.with("table", table);
        throw;
    }
}

}  // namespace idxfsck::store
