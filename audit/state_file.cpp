#include "audit/state_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace idxfsck::audit {

namespace {

static_assert(std::endian::native == std::endian::little, "words are as they lie in memory");

constexpr std::size_t digest_size = 32;

}  // namespace

struct RunningDigest::State {
    alignas(64) XXH3_state_t hash;
};

RunningDigest::RunningDigest() : state_{std::make_unique<State>()} {
    XXH3_128bits_reset(&state_->hash);
}

RunningDigest::~RunningDigest() = default;

void RunningDigest::add(store::BytesView bytes) {
    XXH3_128bits_update(&state_->hash, bytes.data(), bytes.size());
}

store::Bytes RunningDigest::hex() const {
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state_->hash));
    const auto* const bytes = reinterpret_cast<const char*>(canonical.digest);
    return store::to_hex({bytes, sizeof canonical.digest});
}

void StateWriter::raw(store::BytesView bytes) {
    digest_.add(bytes);
    file_.write(bytes);
}

void StateWriter::number(std::uint64_t value) {
    store::Bytes out;
    store::append_varint(out, value);
    raw(out);
}

void StateWriter::bytes(store::BytesView value) {
    number(value.size());
    raw(value);
}

void StateWriter::words(std::span<const std::uint64_t> values) {
    raw({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

void StateWriter::commit() {
    file_.write(digest_.hex());
    file_.commit();
}

StateReader::StateReader(const std::string& path) : path_{path}, file_{path, std::ios::binary} {
    if (!file_) throw store::system_error("cannot open the file", path, errno);
    file_.seekg(0, std::ios::end);
    const auto size = static_cast<std::uint64_t>(file_.tellg());
    if (!file_ || size < digest_size) fail();
    left_ = size - digest_size;
    file_.seekg(0);
    check_digest();
    left_ = size - digest_size;
    file_.seekg(0);
}

void StateReader::check_digest() {
    RunningDigest digest;
    std::array<char, 1 << 16> buffer;
    while (left_ > 0) {
        const std::size_t size = std::min<std::uint64_t>(left_, buffer.size());
        read(buffer.data(), size);
        digest.add({buffer.data(), size});
    }
    std::array<char, digest_size> stored;
    file_.read(stored.data(), digest_size);
    if (!file_ || digest.hex() != store::BytesView{stored.data(), digest_size}) fail();
}

void StateReader::fail() const {
    throw store::Error{"the file is damaged or was cut"}
        .with("file", path_)
        .hint("remove it; the work that it held has to be done again");
}

void StateReader::read(char* to, std::size_t size) {
    if (size > left_) fail();
    file_.read(to, static_cast<std::streamsize>(size));
    if (!file_) fail();
    left_ -= size;
}

bool StateReader::begins_with(store::BytesView bytes) {
    return bytes.size() <= left_ && raw(bytes.size()) == bytes;
}

store::Bytes StateReader::last(std::size_t size) {
    if (size > left_) fail();
    const std::streamoff here = file_.tellg();
    const std::uint64_t left = left_;
    file_.seekg(here + static_cast<std::streamoff>(left - size));
    store::Bytes bytes = raw(size);
    file_.seekg(here);
    left_ = left;
    return bytes;
}

store::Bytes StateReader::raw(std::size_t size) {
    if (size > left_) fail();
    store::Bytes bytes(size, '\0');
    read(bytes.data(), size);
    return bytes;
}

std::uint64_t StateReader::number() {
    store::Bytes bytes;
    do {
        bytes += raw(1);
    } while (static_cast<std::uint8_t>(bytes.back()) >= 0x80 && bytes.size() < 10);
    store::BytesView in{bytes};
    std::uint64_t value = 0;
    if (!store::take_varint(in, value)) fail();
    return value;
}

store::Bytes StateReader::bytes(std::uint64_t size_max) {
    const std::uint64_t size = number();
    if (size > size_max) fail();
    return raw(size);
}

void StateReader::words(std::span<std::uint64_t> values) {
    read(reinterpret_cast<char*>(values.data()), values.size_bytes());
}

std::uint64_t StateReader::count() {
    const std::uint64_t value = number();
    if (value > left_) fail();
    return value;
}

}  // namespace idxfsck::audit
