#include <algorithm>
#include <array>
#include <charconv>

#include <openssl/evp.h>
#include <xxhash.h>

#include "audit/language/transforms.hpp"
#include "audit/language/utf8.hpp"
#include "store/error.hpp"

namespace idxfsck::audit::language {

namespace {

using store::BytesView;
using store::Kind;
using store::ValueView;

// The bytes of a text in the encoding that the first argument names.
bool encode_text(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    if (arguments.size() == 0 || arguments.texts[0] == "utf8") return true;
    if (value.kind != Kind::text) return refuse(scratch, Damage::key_wrong_type);
    const bool big_endian = arguments.texts[0] == "utf16be";
    const auto bytes = to_utf16(scratch.arena, value.payload, big_endian);
    if (!bytes) return refuse(scratch, Damage::key_characters);
    value.payload = *bytes;
    return true;
}

std::string check_encoding(const Arguments& arguments) {
    if (arguments.size() == 0) return {};
    const std::string& name = arguments.texts[0];
    const bool known = name == "utf8" || name == "utf16le" || name == "utf16be";
    return known ? "" : "unknown text encoding: utf8, utf16le or utf16be";
}

using Block = std::array<unsigned char, 8>;

enum class Algorithm { md5, sha1, sha256, sha384, sha512 };

// Fetched once: looking an algorithm up costs more than a short digest.
const EVP_MD* algorithm(Algorithm which) {
    constexpr std::array<const char*, 5> names{"MD5", "SHA1", "SHA256", "SHA384", "SHA512"};
    static const std::array<const EVP_MD*, 5> fetched = [&] {
        std::array<const EVP_MD*, 5> all{};
        for (std::size_t index = 0; index < names.size(); ++index) {
            all[index] = EVP_MD_fetch(nullptr, names[index], nullptr);
        }
        return all;
    }();
    return fetched[static_cast<std::size_t>(which)];
}

class DigestContext {
public:
    DigestContext() : context_{EVP_MD_CTX_new()} {}
    ~DigestContext() { EVP_MD_CTX_free(context_); }
    DigestContext(const DigestContext&) = delete;
    DigestContext& operator=(const DigestContext&) = delete;

    // A machine may forbid an algorithm (FIPS): a failure of the world, not of the data.
    unsigned digest(Algorithm which, BytesView bytes, unsigned char* out) {
        unsigned size = 0;
        const EVP_MD* const found = algorithm(which);
        const bool made = found != nullptr && EVP_DigestInit_ex2(context_, found, nullptr) == 1 &&
                          EVP_DigestUpdate(context_, bytes.data(), bytes.size()) == 1 &&
                          EVP_DigestFinal_ex(context_, out, &size) == 1;
        if (!made) throw store::Error{"the cryptographic library refuses a digest"};
        return size;
    }

private:
    EVP_MD_CTX* context_;
};

template <Algorithm Which>
bool digest(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    if (!encode_text(arguments, scratch, value)) return false;
    thread_local DigestContext context;
    char* const out = scratch.arena.allocate(EVP_MAX_MD_SIZE);
    auto* const bytes = reinterpret_cast<unsigned char*>(out);
    const unsigned size = context.digest(Which, value.payload, bytes);
    scratch.arena.give_back(EVP_MAX_MD_SIZE - size);
    value = {Kind::binary, {out, size}};
    return true;
}

bool xxhash64(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    if (!encode_text(arguments, scratch, value)) return false;
    XXH64_canonical_t canonical;
    XXH64_canonicalFromHash(&canonical, XXH64(value.payload.data(), value.payload.size(), 0));
    const BytesView bytes{reinterpret_cast<const char*>(canonical.digest), sizeof canonical.digest};
    value = {Kind::binary, scratch.arena.copy(bytes)};
    return true;
}

// The first eight bytes as one unsigned number, big-endian, modulo a number of buckets.
bool bucket(const Arguments& arguments, Scratch& scratch, ValueView& value) {
    std::uint64_t number = 0;
    for (const char byte : value.payload.substr(0, 8)) {
        number = number << 8 | static_cast<unsigned char>(byte);
    }
    const auto buckets = static_cast<std::uint64_t>(arguments.numbers[0]);
    const std::string text = std::to_string(number % buckets);
    value = {Kind::number, scratch.arena.copy(text)};
    return true;
}

std::string check_bucket(const Arguments& arguments) {
    return arguments.numbers[0] > 0 ? "" : "a number of buckets from 1 on";
}

// One block of DES with a key of zeros, as three times DES, which the library still has. With that
// key encrypting twice gives the block back, so that the way back is the same.
class NullKeyCipher {
public:
    NullKeyCipher() : context_{EVP_CIPHER_CTX_new()} {
        const std::array<unsigned char, 24> key{};
        ready_ = EVP_EncryptInit_ex2(context_, EVP_des_ede3_ecb(), key.data(), nullptr, nullptr) &&
                 EVP_CIPHER_CTX_set_padding(context_, 0);
    }
    ~NullKeyCipher() { EVP_CIPHER_CTX_free(context_); }
    NullKeyCipher(const NullKeyCipher&) = delete;
    NullKeyCipher& operator=(const NullKeyCipher&) = delete;

    void encrypt(const Block& block, char* out) {
        int size = 0;
        const bool made =
            ready_ && EVP_EncryptUpdate(context_, reinterpret_cast<unsigned char*>(out), &size,
                                        block.data(), static_cast<int>(block.size())) == 1;
        if (!made || size != static_cast<int>(block.size())) {
            throw store::Error{"the cryptographic library refuses a cipher"};
        }
    }

private:
    EVP_CIPHER_CTX* context_;
    bool ready_ = false;
};

void encrypt(const Block& block, char* out) {
    thread_local NullKeyCipher cipher;
    cipher.encrypt(block, out);
}

// A whole number of 64 bits, with a sign or without.
std::optional<std::uint64_t> bits_of(BytesView digits) {
    const char* const end = digits.data() + digits.size();
    std::uint64_t bits = 0;
    if (digits.starts_with('-')) {
        std::int64_t number = 0;
        const auto read = std::from_chars(digits.data(), end, number);
        if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
        return static_cast<std::uint64_t>(number);
    }
    const auto read = std::from_chars(digits.data(), end, bits);
    if (read.ec != std::errc{} || read.ptr != end) return std::nullopt;
    return bits;
}

bool vitess_hash(const Arguments&, Scratch& scratch, ValueView& value) {
    const std::optional<std::uint64_t> bits = bits_of(value.payload);
    if (!bits) return refuse(scratch, Damage::key_wrong_type);
    Block block;
    for (std::size_t index = 0; index < block.size(); ++index) {
        block[index] = static_cast<unsigned char>(*bits >> (8 * (block.size() - 1 - index)));
    }
    char* const out = scratch.arena.allocate(block.size());
    encrypt(block, out);
    value = {Kind::binary, {out, block.size()}};
    return true;
}

bool vitess_unhash(const Arguments&, Scratch& scratch, ValueView& value) {
    Block block;
    if (value.kind != Kind::binary && value.kind != Kind::text) return false;
    if (value.payload.size() != block.size()) return false;
    std::copy(value.payload.begin(), value.payload.end(), block.begin());
    std::array<char, 8> clear{};
    encrypt(block, clear.data());
    std::uint64_t bits = 0;
    for (const char byte : clear) bits = bits << 8 | static_cast<unsigned char>(byte);
    value = {Kind::number, scratch.arena.copy(std::to_string(bits))};
    return true;
}

constexpr std::string_view encodings = "[(utf8 | utf16le | utf16be)]";

const std::array<TransformInfo, 8> table{{
    {"md5", encodings, "MD5 of the text in that encoding, 16 bytes: add |hex or |base64.",
     Takes::bytes, Gives::binary, "T", digest<Algorithm::md5>, nullptr, check_encoding},
    {"sha1", encodings, "SHA-1, 20 bytes.", Takes::bytes, Gives::binary, "T",
     digest<Algorithm::sha1>, nullptr, check_encoding},
    {"sha256", encodings, "SHA-256, 32 bytes.", Takes::bytes, Gives::binary, "T",
     digest<Algorithm::sha256>, nullptr, check_encoding},
    {"sha384", encodings, "SHA-384, 48 bytes.", Takes::bytes, Gives::binary, "T",
     digest<Algorithm::sha384>, nullptr, check_encoding},
    {"sha512", encodings, "SHA-512, 64 bytes.", Takes::bytes, Gives::binary, "T",
     digest<Algorithm::sha512>, nullptr, check_encoding},
    {"xxhash64", encodings, "XXH64 with seed 0, 8 bytes, big-endian.", Takes::bytes, Gives::binary,
     "T", xxhash64, nullptr, check_encoding},
    {"vitess_hash", "", "The keyspace id that Vitess's `hash` gives a whole number, 8 bytes.",
     Takes::number, Gives::binary, "", vitess_hash, vitess_unhash},
    {"bucket", "(buckets)",
     "A bucket from 0 on: the first eight bytes as a big-endian number, modulo that many. After a "
     "digest: {id|md5|bucket(16)}.",
     Takes::bytes, Gives::number, "n", bucket, nullptr, check_bucket},
}};

}  // namespace

std::span<const TransformInfo> digest_transforms() {
    return table;
}

}  // namespace idxfsck::audit::language
