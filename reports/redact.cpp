#include "reports/redact.hpp"

#include <cstdlib>

#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>

#include "store/error.hpp"

namespace idxfsck::reports {

namespace {

constexpr std::size_t key_bytes = 32;
constexpr std::size_t shown_bytes = 8;

std::string random_key() {
    std::string key(key_bytes, '\0');
    const int made = RAND_bytes(reinterpret_cast<unsigned char*>(key.data()), key_bytes);
    if (made != 1) throw store::Error{"the system gives no random bytes"};
    return key;
}

std::string hash_text(const std::string& key, const std::string& message) {
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    const auto* bytes = reinterpret_cast<const unsigned char*>(message.data());
    HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()), bytes, message.size(), digest,
         &size);
    store::ensure(size >= shown_bytes, "a hash has its size");
    return "#" + store::to_hex({reinterpret_cast<const char*>(digest), shown_bytes});
}

}  // namespace

Redactor Redactor::from_environment() {
    const char* key = std::getenv("IDXFSCK_REDACT_KEY");
    return Redactor{key == nullptr || *key == '\0' ? random_key() : std::string{key}};
}

store::Value Redactor::value(const store::Value& value) const {
    // Numbers are one whatever their kind and spelling, as they are in the audit.
    store::Bytes scratch;
    const auto number = store::canonical_number(value.view(), scratch);
    std::string message(1, static_cast<char>(number ? store::Kind::number : value.kind));
    message.append(number ? *number : store::BytesView{value.payload});
    return store::Value::text(hash_text(key_, message));
}

void Redactor::redact(std::vector<store::Value>& values) const {
    for (store::Value& one : values) one = value(one);
}

void Redactor::redact(audit::SeenRow& row) const {
    redact(row.key);
    row.digest.clear();
    row.version.clear();
}

void Redactor::redact(audit::Finding& finding) const {
    redact(finding.entry.key);
    redact(finding.entry.pointer);
    for (store::NamedValue& copy : finding.entry.copies) copy.value = value(copy.value);
    for (auto* row : {&finding.base, &finding.index_row, &finding.holder_row}) {
        if (*row) redact(**row);
    }
    for (audit::Difference& difference : finding.differences) {
        if (difference.expected) difference.expected = value(*difference.expected);
        if (difference.actual) difference.actual = value(*difference.actual);
    }
    for (store::Key& claimant : finding.claimants) redact(claimant);
    for (auto* key : {&finding.holder, &finding.winner}) {
        if (*key) redact(**key);
    }
}

audit::AuditResult Redactor::result(audit::AuditResult result) const {
    for (audit::Finding& finding : result.findings) redact(finding);
    // The label of a partition holds keys, and what a store says of a failure may.
    for (audit::Gap& gap : result.coverage.gaps) {
        gap.partition = value(store::Value::text(gap.partition)).payload;
        gap.cause = "redacted";
    }
    return result;
}

}  // namespace idxfsck::reports
