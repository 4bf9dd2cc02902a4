#include "store/json/md5.hpp"

#include <openssl/evp.h>

#include "store/error.hpp"

namespace idxfsck::store {

namespace {

void check(int succeeded) {
    if (succeeded == 1) return;
    throw Error{"the machine's OpenSSL gives no MD5"}.hint(
        "exports are checked by MD5; a library that is bound to FIPS 140 refuses it");
}

}  // namespace

void Md5::Free::operator()(evp_md_ctx_st* context) const { EVP_MD_CTX_free(context); }

Md5::Md5() : context_{EVP_MD_CTX_new()} {
    check(context_ == nullptr ? 0 : EVP_DigestInit_ex(context_.get(), EVP_md5(), nullptr));
}

void Md5::add(BytesView bytes) {
    check(EVP_DigestUpdate(context_.get(), bytes.data(), bytes.size()));
}

Bytes Md5::finish() {
    Bytes out(size, '\0');
    check(EVP_DigestFinal_ex(context_.get(), reinterpret_cast<unsigned char*>(out.data()),
                             nullptr));
    return out;
}

Bytes md5_of(BytesView bytes) {
    Md5 md5;
    md5.add(bytes);
    return md5.finish();
}

}  // namespace idxfsck::store
