#include <algorithm>
#include <array>

#include "store/azure_tables/client.hpp"
#include "store/azure_tables/row_read.hpp"

namespace idxfsck::store {

namespace {

// What an operation needs: a letter of a signature's `sp`, and the least role.
struct Need {
    const char* operation;
    char letter;
    const char* role;
};

constexpr Need query_need{"Query Entities", 'r', "Storage Table Data Reader"};
constexpr Need point_need{"Query Entity", 'r', "Storage Table Data Reader"};
constexpr std::array<Need, 3> write_needs{
    Need{"Insert Entity", 'a', "Storage Table Data Contributor"},
    Need{"Update Entity", 'u', "Storage Table Data Contributor"},
    Need{"Delete Entity", 'd', "Storage Table Data Contributor"}};

// Codes that say: this identity may not do that. Others that come with 403 are about the identity
// itself, or the machine's address.
constexpr std::array<BytesView, 5> denials{
    "AuthorizationPermissionMismatch", "InsufficientAccountPermissions",
    "AuthorizationResourceTypeMismatch", "AuthorizationServiceMismatch", "Forbidden"};

bool is_denial(const Error& error) {
    return std::any_of(error.fields().begin(), error.fields().end(), [](const auto& field) {
        return field.first == "code" &&
               std::find(denials.begin(), denials.end(), field.second) != denials.end();
    });
}

std::string words_of(const Need& need, AzureRight right) {
    if (right == AzureRight::token) return std::string{"the identity needs the role "} + need.role;
    if (right == AzureRight::account_key) return {};
    return std::string{"the signature needs `"} + need.letter + "` in its sp";
}

// What is tried on one table, one harmless call a permission.
class TableLook {
public:
    TableLook(AzureTablesClient& client, BytesView name) : client_{client}, name_{name} {}

    TableInspection run(const TableUse& use) {
        bool found = false;
        const bool allowed = attempt(query_need, [&] { found = client_.table(name_).has_value(); });
        if (found) tell();
        if (allowed && !found) refuse_name();
        if (found) try_point();
        if (use.written && (found || !allowed)) add_writes();
        return std::move(out_);
    }

private:
    void tell() {
        out_.schema = client_.table(name_);
        out_.counted = "the service counts no rows; it bills a request for each 1,000 at most";
    }

    void refuse_name() {
        out_.permissions.clear();
        out_.obstacles.push_back({"there is no such table",
                                  "account=" + client_.api().access().account,
                                  client_.missing_hint(), true});
    }

    // Whether the row is there is of no interest.
    void try_point() {
        const Key some{Value::text("idxfsck"), Value::text("idxfsck")};
        attempt(point_need, [&] {
            static_cast<void>(read_rows(client_.api(), name_, {&some, 1}));
        });
    }

    bool attempt(const Need& need, const std::function<void()>& call) {
        const bool allowed = try_permission(out_, need.operation, call, is_denial);
        Permission& tried = out_.permissions.back();
        const std::string words = words_of(need, client_.api().access().right);
        if (tried.access == Access::refused && !words.empty()) tried.cause.append("; " + words);
        return allowed;
    }

    // What a signature says of itself needs no trying; one of a policy kept by the service is told
    // there.
    void add_writes() {
        const AzureAccess& access = client_.api().access();
        const Bytes letters = access.right == AzureRight::shared_access
                                  ? signature_parameter(access.secret, "sp")
                                  : Bytes{};
        for (const Need& need : write_needs) {
            Permission& permission = out_.permissions.emplace_back();
            permission.action = need.operation;
            permission.for_repair = true;
            permission.cause = "only a write can tell";
            if (letters.empty() || letters.find(need.letter) != Bytes::npos) continue;
            permission.access = Access::refused;
            permission.cause = words_of(need, access.right);
        }
    }

    AzureTablesClient& client_;
    const Bytes name_;
    TableInspection out_;
};

std::string identity_words(const AzureAccess& access, const TokenClaims& claims) {
    switch (access.right) {
        case AzureRight::account_key: return "the account's key, which may do everything";
        case AzureRight::token:
            return claims.identity.empty() ? "not known: the token does not say" : claims.identity;
        case AzureRight::shared_access: break;
    }
    const Bytes letters = signature_parameter(access.secret, "sp");
    const Bytes end = signature_end(access.secret);
    std::string out = "a signature";
    if (!letters.empty()) out.append(" that permits ").append(letters);
    return end.empty() ? out : out.append(" until ").append(end);
}

}  // namespace

StoreInspection AzureTablesClient::inspect() {
    StoreInspection out;
    const AzureAccess& access = api_->access();
    add_fact(out, "endpoint", [&] { return access.url; });
    add_fact(out, "account", [&] { return access.account; });
    add_fact(out, "credentials", [&] { return api_->credentials_source(); });
    if (!out.obstacles.empty()) return out;
    TokenClaims claims;
    add_fact(out, "identity", [&] {
        claims = api_->claims();
        return identity_words(access, claims);
    });
    add_fact(out, "tenant", [&] { return claims.tenant; });
    return out;
}

std::string AzureTablesClient::missing_hint() const {
    const AzureAccess& access = api_->access();
    return "looked for in account " + access.account + ", at " + access.url +
           ": is that the right account, and the table's name?";
}

TableInspection AzureTablesClient::inspect_table(BytesView table, const TableUse& use) {
    return TableLook{*this, table}.run(use);
}

}  // namespace idxfsck::store
