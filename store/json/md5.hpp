// store/json/md5.hpp
//
// MD5 of bytes that come in pieces: what the manifests of exports say of their files. It tells
// damage, not malice.
//
// Errors   Throws Error if the library refuses MD5, as one that is bound to FIPS 140 does.
// Threads  Belongs to one thread.
// Source   RFC 1321; OpenSSL, EVP_DigestInit(3).

#pragma once

#include <memory>

#include "store/bytes.hpp"

struct evp_md_ctx_st;

namespace idxfsck::store {

class Md5 {
public:
    static constexpr std::size_t size = 16;

    Md5();

    void add(BytesView bytes);
    // Of all that was added; nothing may be added any more.
    Bytes finish();

private:
    struct Free {
        void operator()(evp_md_ctx_st* context) const;
    };

    std::unique_ptr<evp_md_ctx_st, Free> context_;
};

Bytes md5_of(BytesView bytes);

}  // namespace idxfsck::store
